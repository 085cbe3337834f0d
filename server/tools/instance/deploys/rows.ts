/** The table of deploy requests, which the holder of the release lock executes one after the other. */
import type { ISql, Sql } from 'postgres'
import * as z from 'zod'
import { CHANGE_ACTIONS, CHANGED_TYPES } from '../../../../runtime/data/query/change-model.ts'
import type { SiteFinding } from './compiler.ts'

const digest = z.string().regex(/^[\da-f]{64}$/)
const file = z.object({ digest, size: z.number() })

const siteChange = z.object({
  type: z.enum(CHANGED_TYPES),
  action: z.enum(CHANGE_ACTIONS),
  files: z.array(z.string()),
  isMatch: z.boolean(),
  values: z.record(z.string(), z.unknown()),
  property: z.string().nullable(),
})

const requestSchema = z.discriminatedUnion('kind', [
  /** The archive of a site, or of a part of it. */
  z.object({ kind: z.literal('deploy'), archive: digest, partial: z.boolean(), dryRun: z.boolean() }),
  /** A backup of the site's files, or of those of one module. */
  z.object({ kind: z.literal('backup'), module: z.string().nullable() }),
  /** Removal of all files of the site. */
  z.object({ kind: z.literal('clear') }),
  /** A change of one file; null removes it. */
  z.object({ kind: z.literal('sync'), path: z.string(), file: file.nullable() }),
  /**
   * Changes of files that mutations ask for. `plan`: the changed files, which are known when the request is executed. A request that is executed again
   * after a crash uses them, because the changes may already be served, and could not be made twice.
   */
  z.object({
    kind: z.literal('change'),
    changes: z.array(siteChange),
    plan: z
      .object({ files: z.record(z.string(), file.nullable()), changed: z.array(z.array(z.string())) })
      .nullable()
      .default(null),
  }),
  /** Removal of a module. */
  z.object({ kind: z.literal('removal'), module: z.string() }),
  /** An archive of assets that was uploaded under a key. */
  z.object({ kind: z.literal('unpack'), key: z.string(), archive: digest }),
  /**
   * The manifest of assets, with their sizes as the client reports them, and the private ones of modules. `release`: the deploy that they
   * belong to; null for single assets.
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
/** The changes of files, by their kinds. */
export type DeployReport = z.infer<typeof report>

const findingSchema = z.object({
  file: z.string(),
  line: z.number(),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  /** The platform's message for this finding, when it is known. */
  platform: z.string().nullable().default(null),
})
const resultSchema = z.object({
  /** Why the request failed, when the reason is not in a file. */
  failure: z.string().nullable().default(null),
  errors: z.array(findingSchema).default([]),
  warnings: z.array(findingSchema).default([]),
  report: report.default({}),
  /** Notes for the client. */
  notes: z.array(z.string()).default([]),
  /** Key of the created file. */
  key: z.string().nullable().default(null),
  /** The paths of the changed files of each change. */
  changed: z.array(paths).default([]),
  /** The index of the change that was refused. */
  refused: z.number().nullable().default(null),
})
export interface DeployResult {
  readonly failure?: string | null
  readonly errors?: readonly SiteFinding[]
  readonly warnings?: readonly SiteFinding[]
  readonly report?: DeployReport
  readonly notes?: readonly string[]
  readonly key?: string
  readonly changed?: readonly (readonly string[])[]
  readonly refused?: number
}

type DeployStatus = 'ready_for_import' | 'in_progress' | 'success' | 'error'

export interface DeployRow {
  readonly id: string
  readonly status: DeployStatus
  readonly request: DeployRequest
  readonly result: z.infer<typeof resultSchema>
  /** Number of executions that have begun. */
  readonly attempts: number
}

/** Notification channel for added and finished rows. */
export const DEPLOYS_CHANGED = 'ingot_deploys'
/** Milliseconds between two checks of an awaited row. Its end is also notified. */
const CHECK_INTERVAL = 1_000
/** Maximum number of single files that are activated together. */
const MAX_BATCH = 100
const UNFINISHED_STATES = ['ready_for_import', 'in_progress'] as const

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

function parseRow({ id, status, request, result, attempts }: StoredRow): DeployRow {
  return { id, status, attempts, request: requestSchema.parse(request), result: resultSchema.parse(result) }
}

/** Returns a row; null for an unknown id. */
export async function findDeploy(sql: ISql, id: string): Promise<DeployRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const [row] = await sql<StoredRow[]>`
    select id, status, request, result, attempts from ingot.deploys where id = ${id}`
  return row === undefined ? null : parseRow(row)
}

/** Returns the first unfinished row. If it is a single file, also returns the single files directly after it. Empty when all are done. */
export async function nextUnfinished(sql: ISql): Promise<readonly DeployRow[]> {
  const rows = await sql<StoredRow[]>`
    select id, status, request, result, attempts from ingot.deploys
    where status in ${sql(UNFINISHED_STATES)} order by id limit ${MAX_BATCH}`
  const open = rows.map(parseRow)
  const other = open.findIndex(({ request }) => request.kind !== 'sync')
  return open.slice(0, other < 0 ? open.length : Math.max(1, other))
}

/** Returns the id of the unfinished row before another one; null when there is none. */
export async function unfinishedBefore(sql: ISql, id: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from ingot.deploys where status in ${sql(UNFINISHED_STATES)} and id < ${id} order by id limit 1`
  return row?.id ?? null
}

/** Returns the manifest of assets of a deploy; null when there is none yet. */
export async function assetsOf(sql: ISql, id: string): Promise<DeployRow | null> {
  const [row] = await sql<StoredRow[]>`
    select id, status, request, result, attempts from ingot.deploys
    where kind = 'assets' and request->>'release' = ${id} order by id desc limit 1`
  return row === undefined ? null : parseRow(row)
}

/** Stores the plan of the changes of a request. */
export async function storePlan(
  sql: ISql,
  id: string,
  plan: Extract<DeployRequest, { kind: 'change' }>['plan'],
): Promise<void> {
  await sql`
    update ingot.deploys set request = jsonb_set(request, '{plan}', ${JSON.stringify(plan)}::text::jsonb) where id = ${id}`
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
export async function waitForDeploy(sql: Sql, id: string, over: AbortSignal): Promise<DeployRow | null> {
  let wake = (): void => undefined
  const listening = await sql.listen(
    DEPLOYS_CHANGED,
    (changed) => {
      if (changed === id) wake()
    },
    // Called after the connection was lost: checks for missed notifications.
    () => wake(),
  )
  const ended = (): void => wake()
  over.addEventListener('abort', ended)
  try {
    for (;;) {
      const notified = new Promise<void>((resolve) => {
        wake = resolve
      })
      const row = await findDeploy(sql, id)
      if (row !== null && row.status !== 'ready_for_import' && row.status !== 'in_progress') return row
      if (over.aborted) return null
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        notified,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, CHECK_INTERVAL)
        }),
      ])
      clearTimeout(timer)
    }
  } finally {
    over.removeEventListener('abort', ended)
    await listening.unlisten()
  }
}
