/**
 * Removes what deploys have left: releases that no server needs, edits that later ones replaced, old requests and uploads, and files that
 * nothing refers to. The caller holds the lock of releases.
 */
import type { Sql } from 'postgres'
import type { Logger } from '../../../core/contracts/log.ts'
import type { Pointer, Releases } from '../../../operate/releases/model.ts'
import { liveServers } from '../../../operate/releases/servers.ts'
import type { ReadySettings } from '../../../core/settings.ts'
import type { BlobFolder } from './blobs.ts'
import { rollbackTargets } from './rollback-targets.ts'

export interface CleanUpContext {
  readonly sql: Sql
  readonly releases: Releases
  readonly blobs: BlobFolder
  readonly settings: Pick<ReadySettings, 'deployRetention'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Milliseconds between two clean-ups. */
const CLEANUP_INTERVAL = 600_000
/** Milliseconds for which an inactive release stays, because open pages still load its assets. */
const RELEASE_RETENTION = 3_600_000
/** Minutes after which no starting process uses an earlier edit any more. */
const EDIT_RETENTION = 10
/** Number of files that one statement removes. */
const BATCH_SIZE = 1_000

export class DeployCleaner {
  readonly #parts: CleanUpContext
  #last = Number.NEGATIVE_INFINITY

  constructor(parts: CleanUpContext) {
    this.#parts = parts
  }

  /** Cleans up when it is due. A failed clean-up is repeated later. */
  async cleanUpWhenDue(): Promise<void> {
    if (performance.now() - this.#last < CLEANUP_INTERVAL) return
    this.#last = performance.now()
    try {
      await cleanUp(this.#parts, Date.now())
    } catch (error) {
      this.#parts.logger.warn(
        {},
        `old deploys could not be removed: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

/** Cleans up. @param now milliseconds since 1970 @internal Exported for tests. */
export async function cleanUp(parts: CleanUpContext, now: number): Promise<void> {
  const { sql, releases, blobs, settings } = parts
  const pointer = await releases.current()
  if (pointer === null) return
  const keptIds = await neededReleases(parts, pointer)
  await removeReleases(parts, keptIds, now)
  await removeEdits(sql, pointer, keptIds)
  const { days } = settings.deployRetention
  await sql`
    delete from ingot.deploys where ended_at < now() - ${days} * interval '1 day'
    and (release is null or not release = any(array(select jsonb_array_elements_text(${JSON.stringify([...keptIds])}::text::jsonb))))`
  await sql`delete from ingot.sent_files where sent_at < now() - ${days} * interval '1 day'`
  await sql`delete from ingot.sent_uploads where sent_at < now() - ${days} * interval '1 day'`
  await sql`delete from ingot.sent_assets where sent_at < now() - ${days} * interval '1 day'`
  await removeSentCode(sql)
  await removeBlobs(sql)
  await blobs.keepOnly(sql)
}

/** Returns the releases that are served, will be served, or are targets of a rollback. */
async function neededReleases({ sql, settings }: CleanUpContext, pointer: Pointer): Promise<ReadonlySet<string>> {
  const servers = await liveServers(sql, pointer.place)
  const served = servers.flatMap(({ follows }) => follows.release ?? [])
  const earlier = await rollbackTargets(sql, pointer.earlier, settings.deployRetention.releases)
  return new Set([pointer.release, ...(pointer.coming === null ? [] : [pointer.coming]), ...earlier, ...served])
}

/** Removes releases that deploys have created. Releases that were pushed by hand are removed by hand. */
async function removeReleases(
  { sql, releases, logger }: CleanUpContext,
  keptIds: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const rows = await sql<{ release: string }[]>`
    select release from ingot.deploys where release is not null group by release
    having max(coalesce(ended_at, now())) < ${new Date(now - RELEASE_RETENTION).toISOString()}::timestamptz`
  const deployed = new Set(rows.map(({ release }) => release))
  const stored = (await releases.list()).map(({ id }) => id)
  const removed = stored.filter((id) => deployed.has(id) && !keptIds.has(id))
  for (const id of removed) await releases.remove(id)
  if (removed.length > 0) await releases.cleanUp((sentence) => logger.warn({}, sentence))
  // A release that is not stored cannot be served again, so its files are not needed.
  const lost = [...deployed].filter((id) => !keptIds.has(id) && (removed.includes(id) || !stored.includes(id)))
  await sql`
    update ingot.deploys set files = null
    where files is not null and release = any(array(select jsonb_array_elements_text(${JSON.stringify(lost)}::text::jsonb)))`
}

/** Removes edits of removed releases, and edits that later ones of the same file have replaced. */
async function removeEdits(sql: Sql, pointer: Pointer, keptIds: ReadonlySet<string>): Promise<void> {
  const named = { ...pointer.edited, [pointer.release]: pointer.revision }
  const rows = JSON.stringify(Object.entries(named).map(([release, revision]) => ({ release, revision })))
  const releases = JSON.stringify([...keptIds, ...Object.keys(named)])
  for (const table of [sql`ingot.edited_files`, sql`ingot.edited_modules`]) {
    await sql`
      delete from ${table}
      where not release = any(array(select jsonb_array_elements_text(${releases}::text::jsonb)))`
    await sql`
      delete from ${table} old using ${table} later, jsonb_to_recordset(${rows}::text::jsonb) as named(release text, revision bigint)
      where later.release = old.release and later.path = old.path and later.revision > old.revision
        and named.release = later.release and later.revision <= named.revision
        and later.edited_at < now() - ${EDIT_RETENTION} * interval '1 minute'`
  }
}

/** Removes code that no job refers to. Recently used code stays, because a job that needs it may not be in the queue yet. */
async function removeSentCode(sql: Sql): Promise<void> {
  await sql`
    delete from ingot.sent_code where wanted_at < now() - interval '1 day' and digest not in (
      select payload #>> '{task,code}' from graphile_worker._private_jobs where payload #>> '{task,code}' is not null)`
}

/** Removes files that nothing refers to. Recently used files stay, because the request that refers to them may not be stored yet. */
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
        limit ${BATCH_SIZE})
      -- A file that is stored again while this statement waits for its row stays.
      and wanted_at < now() - interval '1 day'
      returning digest`
    if (gone.length < BATCH_SIZE) return
  }
}
