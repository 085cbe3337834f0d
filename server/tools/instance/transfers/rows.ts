/** The table of transfers (imports and exports), which the holder of the transfer lock executes one after the other. */
import type { ISql } from 'postgres'
import * as z from 'zod'

const digest = z.string().regex(/^[\da-f]{64}$/)
/** The fetched files of a copy of another installation, and a backup of the site that it replaces; `before`: null when there is none. */
const keptCopy = z.object({
  site: digest,
  data: digest,
  setup: z.object({ digest, secret: z.string() }).nullable(),
  before: digest.nullable(),
})
export type KeptCopy = z.infer<typeof keptCopy>

const requestSchema = z.discriminatedUnion('kind', [
  /** `at`: the origin of file URLs. `rawIds`: for JSON only, because archives always contain row ids. */
  z.object({ kind: z.literal('export'), csv: z.boolean(), rawIds: z.boolean(), at: z.string() }),
  /** `key`: the key of an uploaded file; null when there is an `address` instead. */
  z.object({
    kind: z.literal('import'),
    form: z.enum(['json', 'zip']),
    key: z.string().nullable(),
    address: z.string().nullable(),
  }),
  z.object({ kind: z.literal('update'), key: z.string() }),
  /** An archive of files that rows refer to by path. */
  z.object({ kind: z.literal('uploads'), key: z.string() }),
  /** `site`: whether the files of the site are removed too. */
  z.object({ kind: z.literal('clean'), site: z.boolean() }),
  /** Imports a copy of another installation, which reports it under a key. `copy`: the copy after it was fetched. */
  z.object({ kind: z.literal('clone'), key: z.string(), copy: keptCopy.nullable().default(null) }),
  /** Packs a copy of this installation, and reports it to an address. `at`: the origin from which the copy is fetched. */
  z.object({ kind: z.literal('copy'), address: z.string(), at: z.string() }),
])
export type TransferRequest = z.infer<typeof requestSchema>
export type TransferOf<Kind extends TransferRequest['kind']> = Extract<TransferRequest, { readonly kind: Kind }>

const number = z.number()
const counts = z.object({ read: number, added: number, changed: number, same: number, skipped: number.default(0) })
const resultSchema = z.object({
  /** Why the transfer failed, in sentences. */
  error: z.string().nullable().default(null),
  /** What was left out, or differs from the file. */
  warnings: z.array(z.string()).default([]),
  /** Counts of an import. */
  counts: counts.nullable().default(null),
  /** Key of the created file. */
  key: z.string().nullable().default(null),
})
export type TransferResult = Partial<z.infer<typeof resultSchema>>

const progressSchema = z.object({ phase: z.string(), rows: z.number(), of: z.number().nullable() }).nullable()
export type TransferProgress = NonNullable<z.infer<typeof progressSchema>>

const steps = z.array(z.object({ name: z.string(), created_at: z.string() }))

type TransferStatus = 'waiting' | 'pending' | 'in_progress' | 'done' | 'failed'

export interface TransferRow {
  readonly id: string
  readonly status: TransferStatus
  readonly request: TransferRequest
  readonly result: z.infer<typeof resultSchema>
  readonly progress: TransferProgress | null
  readonly steps: z.infer<typeof steps>
  /** Number of executions that have begun. */
  readonly attempts: number
}

/** Notification channel for added rows. */
export const TRANSFERS_CHANGED = 'ingot_transfers'

interface StoredRow {
  readonly id: string
  readonly status: TransferStatus
  readonly request: unknown
  readonly result: unknown
  readonly progress: unknown
  readonly steps: unknown
  readonly attempts: number
}

function parseRow(row: StoredRow): TransferRow {
  const { id, status, attempts } = row
  return {
    ...{ id, status, attempts },
    request: requestSchema.parse(row.request),
    result: resultSchema.parse(row.result),
    progress: progressSchema.parse(row.progress),
    steps: steps.parse(row.steps),
  }
}

/** Adds a transfer. @param waits whether it starts only when its file was uploaded (`wakeTransfer`) */
export async function addTransfer(sql: ISql, request: TransferRequest, waits = false): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    with added as (
      insert into ingot.transfers (kind, status, request)
      values (${request.kind}, ${waits ? 'waiting' : 'pending'}, ${JSON.stringify(request)}::text::jsonb) returning id
    )
    select id, pg_notify(${TRANSFERS_CHANGED}, id::text) from added`
  if (row === undefined) throw new Error('the database gave no row')
  return row.id
}

/** Starts a row that waits for the file with this key. */
export async function wakeTransfer(sql: ISql, key: string): Promise<void> {
  await sql`
    with woken as (
      update ingot.transfers set status = 'pending' where status = 'waiting' and request->>'key' = ${key} returning id
    )
    select pg_notify(${TRANSFERS_CHANGED}, id::text) from woken`
}

/** Fails the row that waits for a copy under a key. @returns whether there is one */
export async function failClone(sql: ISql, key: string, error: string): Promise<boolean> {
  const result: TransferResult = { error }
  const rows = await sql`
    update ingot.transfers set status = 'failed', ended_at = now(), result = ${JSON.stringify(result)}::text::jsonb
    where status = 'waiting' and kind = 'clone' and request->>'key' = ${key} returning id`
  return rows.length > 0
}

/** Fails rows that have waited for an hour. */
export async function failExpired(sql: ISql): Promise<void> {
  const result: TransferResult = {
    error: 'The other installation has not reported its copy for an hour: start the clone again.',
  }
  await sql`
    update ingot.transfers set status = 'failed', ended_at = now(), result = ${JSON.stringify(result)}::text::jsonb
    where status = 'waiting' and created_at < now() - interval '1 hour'`
}

/** Returns the row with an id and a kind; null when there is none. */
export async function findTransfer(sql: ISql, kind: TransferRequest['kind'], id: string): Promise<TransferRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const [row] = await sql<StoredRow[]>`
    select id, status, request, result, progress, steps, attempts from ingot.transfers
    where id = ${id} and kind = ${kind}`
  return row === undefined ? null : parseRow(row)
}

/** Returns the next row to execute; none when all are done, or waiting. */
export async function nextTransfer(sql: ISql): Promise<readonly TransferRow[]> {
  const rows = await sql<StoredRow[]>`
    select id, status, request, result, progress, steps, attempts from ingot.transfers
    where status in ('pending', 'in_progress') order by id limit 1`
  return rows.map(parseRow)
}

export async function beginTransfer(sql: ISql, id: string): Promise<void> {
  await sql`
    update ingot.transfers set status = 'in_progress', attempts = attempts + 1, progress = null where id = ${id}`
}

export async function recordProgress(sql: ISql, id: string, progress: TransferProgress): Promise<void> {
  await sql`
    update ingot.transfers set progress = ${JSON.stringify(progress)}::text::jsonb where id = ${id} and status = 'in_progress'`
}

/** Records the copy from which a clone continues. */
export async function recordCopy(sql: ISql, id: string, copy: KeptCopy | null): Promise<void> {
  const noted = JSON.stringify({ copy })
  await sql`update ingot.transfers set request = request || ${noted}::text::jsonb where id = ${id}`
}

export async function recordStep(sql: ISql, id: string, name: string): Promise<void> {
  const step = JSON.stringify([{ name, created_at: new Date().toISOString() }])
  await sql`update ingot.transfers set steps = steps || ${step}::text::jsonb where id = ${id}`
}

/** Ends a row. Called in the transaction of the work, so that both are committed together. */
export async function endTransfer(
  sql: ISql,
  id: string,
  status: 'done' | 'failed',
  result: TransferResult,
): Promise<void> {
  // The imported rows now refer to the fetched files.
  await sql`delete from ingot.transfer_files where transfer_id = ${id}`
  await sql`
    update ingot.transfers set status = ${status}, ended_at = now(),
      result = ${JSON.stringify(result).replaceAll('\\u0000', '\\ufffd')}::text::jsonb where id = ${id}`
}
