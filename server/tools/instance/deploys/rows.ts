/** What was asked of a server that is deployed to: rows, done one after the other by whoever holds the lock of releases. */
import type { ISql, Sql } from 'postgres'
import * as z from 'zod'
import type { Told } from './compiler.ts'

const digest = z.string().regex(/^[\da-f]{64}$/)
const file = z.object({ digest, size: z.number() })

const requestSchema = z.discriminatedUnion('kind', [
  /** The archive of a site, or of a part of it. */
  z.object({ kind: z.literal('deploy'), archive: digest, partial: z.boolean(), dryRun: z.boolean() }),
  /** The files of the site; those of one module where it is named. */
  z.object({ kind: z.literal('backup'), module: z.string().nullable() }),
  /** A site without files. */
  z.object({ kind: z.literal('clear') }),
  /** One file; null where it is to go. */
  z.object({ kind: z.literal('sync'), path: z.string(), file: file.nullable() }),
  /** A module that is to go, by its name. */
  z.object({ kind: z.literal('removal'), module: z.string() }),
  /** An archive of assets, which was sent under a key. */
  z.object({ kind: z.literal('unpack'), key: z.string(), archive: digest }),
  /**
   * Which assets there are to be, their sizes as they are told, and which of them are private ones of modules. `release`: the deploy that
   * they belong to; null where they are single ones.
   */
  z.object({
    kind: z.literal('assets'),
    names: z.array(z.string()),
    sizes: z.array(z.number().nullable()).default([]),
    private: z.array(z.string()).default([]),
    release: z.string().nullable(),
  }),
])
export type DeployRequest = z.infer<typeof requestSchema>

const paths = z.array(z.string())
const report = z.record(z.string(), z.object({ upserted: paths, deleted: paths, skipped: paths }))
/** What became of the files, by their kinds. */
export type DeployReport = z.infer<typeof report>

const told = z.object({
  file: z.string(),
  line: z.number(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  /** What the platform says of it, where that is known. */
  platform: z.string().nullable().default(null),
})
const resultSchema = z.object({
  /** Why it failed, where that is about no place in a file. */
  failure: z.string().nullable().default(null),
  errors: z.array(told).default([]),
  warnings: z.array(told).default([]),
  report: report.default({}),
  /** What was said beside it. */
  notes: z.array(z.string()).default([]),
  /** Key of the file that came of it. */
  key: z.string().nullable().default(null),
})
export interface DeployResult {
  readonly failure?: string | null
  readonly errors?: readonly Told[]
  readonly warnings?: readonly Told[]
  readonly report?: DeployReport
  readonly notes?: readonly string[]
  readonly key?: string
}

export type DeployStatus = 'ready_for_import' | 'in_progress' | 'success' | 'error'

export interface DeployRow {
  readonly id: string
  readonly status: DeployStatus
  readonly request: DeployRequest
  readonly result: z.infer<typeof resultSchema>
  /** How often it was begun. */
  readonly attempts: number
}

/** Told when a row is there, and when one is done. */
export const DEPLOYS_CHANGED = 'ingot_deploys'
/** Milliseconds between two looks at a row that is waited for; its end is also told. */
const LOOK_EVERY = 1_000
/** Single files that are served together. */
const MOST_TOGETHER = 100
const OPEN = ['ready_for_import', 'in_progress'] as const

export async function addDeploy(sql: ISql, request: DeployRequest): Promise<string> {
  const { kind } = request
  const [row] = await sql<{ id: string }[]>`
    with added as (
      insert into ingot.deploys (kind, request) values (${kind}, ${JSON.stringify(request)}::text::jsonb) returning id
    )
    select id, pg_notify(${DEPLOYS_CHANGED}, id::text) from added`
  if (row === undefined) throw new Error('the database gave no row')
  return row.id
}

interface StoredRow {
  readonly id: string
  readonly status: DeployStatus
  readonly request: unknown
  readonly result: unknown
  readonly attempts: number
}

function read({ id, status, request, result, attempts }: StoredRow): DeployRow {
  return { id, status, attempts, request: requestSchema.parse(request), result: resultSchema.parse(result) }
}

/** Null for an id that nothing has. */
export async function findDeploy(sql: ISql, id: string): Promise<DeployRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const [row] = await sql<StoredRow[]>`
    select id, status, request, result, attempts from ingot.deploys where id = ${id}`
  return row === undefined ? null : read(row)
}

/** The first one that is not done, and where it is a single file, those that follow it at once; none when all are done. */
export async function nextOpen(sql: ISql): Promise<readonly DeployRow[]> {
  const rows = await sql<StoredRow[]>`
    select id, status, request, result, attempts from ingot.deploys
    where status in ${sql(OPEN)} order by id limit ${MOST_TOGETHER}`
  const open = rows.map(read)
  const other = open.findIndex(({ request }) => request.kind !== 'sync')
  return open.slice(0, other < 0 ? open.length : Math.max(1, other))
}

/** The id of the one that is being done before another; null where it is the next. */
export async function openBefore(sql: ISql, id: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from ingot.deploys where status in ${sql(OPEN)} and id < ${id} order by id limit 1`
  return row?.id ?? null
}

/** The manifest of assets that belongs to a deploy; null as long as none came. */
export async function assetsOf(sql: ISql, id: string): Promise<DeployRow | null> {
  const [row] = await sql<StoredRow[]>`
    select id, status, request, result, attempts from ingot.deploys
    where kind = 'assets' and request->>'release' = ${id} order by id desc limit 1`
  return row === undefined ? null : read(row)
}

export async function beginDeploy(sql: ISql, id: string): Promise<void> {
  await sql`update ingot.deploys set status = 'in_progress', attempts = attempts + 1 where id = ${id}`
}

export async function endDeploy(
  sql: ISql,
  id: string,
  status: 'success' | 'error',
  result: DeployResult,
): Promise<void> {
  await sql`
    update ingot.deploys set status = ${status}, result = ${JSON.stringify(result)}::text::jsonb, ended_at = now()
    where id = ${id}`
  await sql`select pg_notify(${DEPLOYS_CHANGED}, ${id})`
}

/**
 * Waits until a row is done.
 * @param over ends the wait
 * @returns the row; null when the wait was ended
 */
export async function deployDone(sql: Sql, id: string, over: AbortSignal): Promise<DeployRow | null> {
  let wake = (): void => undefined
  const listening = await sql.listen(
    DEPLOYS_CHANGED,
    (changed) => {
      if (changed === id) wake()
    },
    // What was told while the connection was away is looked for.
    () => wake(),
  )
  const ended = (): void => wake()
  over.addEventListener('abort', ended)
  try {
    for (;;) {
      const told = new Promise<void>((done) => {
        wake = done
      })
      const row = await findDeploy(sql, id)
      if (row !== null && row.status !== 'ready_for_import' && row.status !== 'in_progress') return row
      if (over.aborted) return null
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        told,
        new Promise<void>((done) => {
          timer = setTimeout(done, LOOK_EVERY)
        }),
      ])
      clearTimeout(timer)
    }
  } finally {
    over.removeEventListener('abort', ended)
    await listening.unlisten()
  }
}
