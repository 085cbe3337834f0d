/**
 * Removes what deploys have left: releases that nobody serves or goes back to, edits that others have taken the place of, what was asked and
 * sent long ago, and files that nothing names any more. Called by whoever holds the lock of releases.
 */
import type { Sql } from 'postgres'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Pointer, Releases } from '../../../operate/releases/model.ts'
import { liveServers } from '../../../operate/releases/servers.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { BlobFolder } from './blobs.ts'

export interface CleanUpParts {
  readonly sql: Sql
  readonly releases: Releases
  readonly blobs: BlobFolder
  readonly settings: Pick<ReadySettings, 'keptDeploys'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Milliseconds between two times. */
const EVERY = 600_000
/** Milliseconds in which a release stays that is not served any more: pages that were made with it ask for its assets. */
const STAYS = 3_600_000
/** Minutes after which no process that starts is at an earlier edit. */
const EDITS_STAY = 10
/** Files that are removed with one statement. */
const TOGETHER = 1_000

export class DeployCleaner {
  readonly #parts: CleanUpParts
  #last = Number.NEGATIVE_INFINITY

  constructor(parts: CleanUpParts) {
    this.#parts = parts
  }

  /** Cleans up where that is due. What fails is tried again. */
  async rest(): Promise<void> {
    if (performance.now() - this.#last < EVERY) return
    this.#last = performance.now()
    try {
      await cleanUp(this.#parts, Date.now())
    } catch (error) {
      this.#parts.logger.warn({}, `old deploys stay: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** @param now milliseconds since 1970 */
export async function cleanUp(parts: CleanUpParts, now: number): Promise<void> {
  const { sql, releases, blobs, settings } = parts
  const pointer = await releases.current()
  if (pointer === null) return
  const kept = await keptReleases(parts, pointer)
  await removeReleases(parts, kept, now)
  await removeEdits(sql, pointer, kept)
  const { days } = settings.keptDeploys
  await sql`
    delete from ingot.deploys where ended_at < now() - ${days} * interval '1 day'
    and (release is null or not release = any(array(select jsonb_array_elements_text(${JSON.stringify([...kept])}::text::jsonb))))`
  await sql`delete from ingot.sent_files where sent_at < now() - ${days} * interval '1 day'`
  await sql`delete from ingot.sent_uploads where sent_at < now() - ${days} * interval '1 day'`
  await sql`delete from ingot.sent_assets where sent_at < now() - ${days} * interval '1 day'`
  await removeSentCode(sql)
  await removeBlobs(sql)
  await blobs.keepOnly(sql)
}

/** What is served, is about to be, or is gone back to. */
async function keptReleases({ sql, settings }: CleanUpParts, pointer: Pointer): Promise<ReadonlySet<string>> {
  const servers = await liveServers(sql, pointer.place)
  const served = servers.flatMap(({ follows }) => follows.release ?? [])
  const earlier = pointer.earlier.slice(0, settings.keptDeploys.releases)
  return new Set([pointer.release, ...(pointer.coming === null ? [] : [pointer.coming]), ...earlier, ...served])
}

/** Those that came of deploys alone: what was pushed by hand is removed by hand. */
async function removeReleases(
  { sql, releases, logger }: CleanUpParts,
  kept: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const rows = await sql<{ release: string }[]>`
    select release from ingot.deploys where release is not null group by release
    having max(coalesce(ended_at, now())) < ${new Date(now - STAYS).toISOString()}::timestamptz`
  const deployed = new Set(rows.map(({ release }) => release))
  const there = (await releases.list()).map(({ id }) => id)
  const gone = there.filter((id) => deployed.has(id) && !kept.has(id))
  for (const id of gone) await releases.remove(id)
  if (gone.length > 0) await releases.tidy((sentence) => logger.warn({}, sentence))
  // What is kept nowhere cannot be served again, so that its files are nobody's.
  const lost = [...deployed].filter((id) => !kept.has(id) && (gone.includes(id) || !there.includes(id)))
  await sql`
    update ingot.deploys set files = null
    where files is not null and release = any(array(select jsonb_array_elements_text(${JSON.stringify(lost)}::text::jsonb)))`
}

/** Edits of releases that are gone, and those in whose place are later ones that are named. */
async function removeEdits(sql: Sql, pointer: Pointer, kept: ReadonlySet<string>): Promise<void> {
  const named = { ...pointer.edited, [pointer.release]: pointer.revision }
  const rows = JSON.stringify(Object.entries(named).map(([release, revision]) => ({ release, revision })))
  const releases = JSON.stringify([...kept, ...Object.keys(named)])
  for (const table of [sql`ingot.edited_files`, sql`ingot.edited_modules`]) {
    await sql`
      delete from ${table}
      where not release = any(array(select jsonb_array_elements_text(${releases}::text::jsonb)))`
    await sql`
      delete from ${table} old using ${table} later, jsonb_to_recordset(${rows}::text::jsonb) as named(release text, revision bigint)
      where later.release = old.release and later.path = old.path and later.revision > old.revision
        and named.release = later.release and later.revision <= named.revision
        and later.edited_at < now() - ${EDITS_STAY} * interval '1 minute'`
  }
}

/** Code that no job runs any more. What was wanted just now may be that of a job which is being queued. */
async function removeSentCode(sql: Sql): Promise<void> {
  await sql`
    delete from ingot.sent_code where wanted_at < now() - interval '1 day' and digest not in (
      select payload #>> '{task,code}' from graphile_worker._private_jobs where payload #>> '{task,code}' is not null)`
}

/** Files that nothing names. What is being sent just now was wanted just now. */
async function removeBlobs(sql: Sql): Promise<void> {
  for (;;) {
    const gone = await sql`
      with named as (
        select f.value->>'digest' as digest from ingot.deploys d, jsonb_each(d.files) f where d.files is not null
        union select request->>'archive' from ingot.deploys where ended_at is null
        union select request->'file'->>'digest' from ingot.deploys where ended_at is null
        union select digest from ingot.edited_files
        union select digest from ingot.sent_assets
        union select digest from ingot.sent_files
        union select digest from ingot.sent_uploads
      )
      delete from ingot.blobs where digest in (
        select digest from ingot.blobs
        where wanted_at < now() - interval '1 day' and digest not in (select digest from named where digest is not null)
        limit ${TOGETHER})
      -- One that is kept anew while this waits for it stays.
      and wanted_at < now() - interval '1 day'
      returning digest`
    if (gone.length < TOGETHER) return
  }
}
