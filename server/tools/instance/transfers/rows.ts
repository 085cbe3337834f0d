/** Data that is taken in or handed out on request: rows, done one after the other by whoever holds the lock of transfers. */
import type { ISql } from 'postgres'
import * as z from 'zod'

const digest = z.string().regex(/^[\da-f]{64}$/)
/** The files of a copy of another installation, and the site whose place it takes; null where there is none. */
const keptCopy = z.object({
  site: digest,
  data: digest,
  setup: z.object({ digest, secret: z.string() }).nullable(),
  before: digest.nullable(),
})
export type KeptCopy = z.infer<typeof keptCopy>

const requestSchema = z.discriminatedUnion('kind', [
  /** `at`: the origin that files are named on. `rawIds`: of JSON, for archives always have the ids of rows. */
  z.object({ kind: z.literal('export'), csv: z.boolean(), rawIds: z.boolean(), at: z.string() }),
  /** `key` is that of a file that was sent; otherwise there is an address. */
  z.object({
    kind: z.literal('import'),
    form: z.enum(['json', 'zip']),
    key: z.string().nullable(),
    address: z.string().nullable(),
  }),
  z.object({ kind: z.literal('update'), key: z.string() }),
  /** An archive of files that rows name by their paths. */
  z.object({ kind: z.literal('uploads'), key: z.string() }),
  /** `site`: whether the files of the site go too. */
  z.object({ kind: z.literal('clean'), site: z.boolean() }),
  /** Takes in a copy of another installation, which is reported under a key. `copy`: once it was fetched. */
  z.object({ kind: z.literal('clone'), key: z.string(), copy: keptCopy.nullable().default(null) }),
  /** Makes a copy of this installation, and reports it to an address. `at`: the origin that the copy is fetched from. */
  z.object({ kind: z.literal('copy'), address: z.string(), at: z.string() }),
])
export type TransferRequest = z.infer<typeof requestSchema>
export type TransferOf<Kind extends TransferRequest['kind']> = Extract<TransferRequest, { readonly kind: Kind }>

const counts = z.object({ read: z.number(), added: z.number(), changed: z.number(), same: z.number() })
const resultSchema = z.object({
  /** Why it failed, in sentences. */
  error: z.string().nullable().default(null),
  /** What was left out, or is not as the file has it. */
  warnings: z.array(z.string()).default([]),
  /** Of an import. */
  counts: counts.nullable().default(null),
  /** Key of the file that it has made. */
  key: z.string().nullable().default(null),
})
export type TransferResult = Partial<z.infer<typeof resultSchema>>

const progressSchema = z.object({ phase: z.string(), rows: z.number(), of: z.number().nullable() }).nullable()
export type TransferProgress = NonNullable<z.infer<typeof progressSchema>>

const steps = z.array(z.object({ name: z.string(), created_at: z.string() }))

export type TransferStatus = 'waiting' | 'pending' | 'in_progress' | 'done' | 'failed'

export interface TransferRow {
  readonly id: string
  readonly status: TransferStatus
  readonly request: TransferRequest
  readonly result: z.infer<typeof resultSchema>
  readonly progress: TransferProgress | null
  readonly steps: z.infer<typeof steps>
  /** How often it was begun. */
  readonly attempts: number
}

/** Told when a row is there. */
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

function read(row: StoredRow): TransferRow {
  const { id, status, attempts } = row
  return {
    ...{ id, status, attempts },
    request: requestSchema.parse(row.request),
    result: resultSchema.parse(row.result),
    progress: progressSchema.parse(row.progress),
    steps: steps.parse(row.steps),
  }
}

/** @param waits whether it is begun only when its file has come (`wakeTransfer`) */
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

/** Has a row begun that waits for a file of this key. */
export async function wakeTransfer(sql: ISql, key: string): Promise<void> {
  await sql`
    with woken as (
      update ingot.transfers set status = 'pending' where status = 'waiting' and request->>'key' = ${key} returning id
    )
    select pg_notify(${TRANSFERS_CHANGED}, id::text) from woken`
}

/** Ends the row that waits for a copy under a key. @returns whether there is one */
export async function giveUpClone(sql: ISql, key: string, error: string): Promise<boolean> {
  const result: TransferResult = { error }
  const rows = await sql`
    update ingot.transfers set status = 'failed', ended_at = now(), result = ${JSON.stringify(result)}::text::jsonb
    where status = 'waiting' and kind = 'clone' and request->>'key' = ${key} returning id`
  return rows.length > 0
}

/** Ends rows that have waited for an hour. */
export async function giveUpWaiting(sql: ISql): Promise<void> {
  const result: TransferResult = { error: 'The other installation has told nothing of its copy for an hour.' }
  await sql`
    update ingot.transfers set status = 'failed', ended_at = now(), result = ${JSON.stringify(result)}::text::jsonb
    where status = 'waiting' and created_at < now() - interval '1 hour'`
}

/** The row of an id, where it is of this kind; null for all others. */
export async function findTransfer(sql: ISql, kind: TransferRequest['kind'], id: string): Promise<TransferRow | null> {
  if (!/^\d{1,18}$/.test(id)) return null
  const [row] = await sql<StoredRow[]>`
    select id, status, request, result, progress, steps, attempts from ingot.transfers
    where id = ${id} and kind = ${kind}`
  return row === undefined ? null : read(row)
}

/** The first one that is to be done; none when all are done, or wait. */
export async function nextTransfer(sql: ISql): Promise<readonly TransferRow[]> {
  const rows = await sql<StoredRow[]>`
    select id, status, request, result, progress, steps, attempts from ingot.transfers
    where status in ('pending', 'in_progress') order by id limit 1`
  return rows.map(read)
}

export async function beginTransfer(sql: ISql, id: string): Promise<void> {
  await sql`
    update ingot.transfers set status = 'in_progress', attempts = attempts + 1, progress = null where id = ${id}`
}

export async function noteProgress(sql: ISql, id: string, progress: TransferProgress): Promise<void> {
  await sql`
    update ingot.transfers set progress = ${JSON.stringify(progress)}::text::jsonb where id = ${id} and status = 'in_progress'`
}

/** Keeps what a clone goes on from. */
export async function noteCopy(sql: ISql, id: string, copy: KeptCopy | null): Promise<void> {
  const noted = JSON.stringify({ copy })
  await sql`update ingot.transfers set request = request || ${noted}::text::jsonb where id = ${id}`
}

export async function noteStep(sql: ISql, id: string, name: string): Promise<void> {
  const step = JSON.stringify([{ name, created_at: new Date().toISOString() }])
  await sql`update ingot.transfers set steps = steps || ${step}::text::jsonb where id = ${id}`
}

/** Ends a row; in the transaction that has done what it asks, so that either both are there or none. */
export async function endTransfer(
  sql: ISql,
  id: string,
  status: 'done' | 'failed',
  result: TransferResult,
): Promise<void> {
  // What was taken from elsewhere is named by the rows now.
  await sql`delete from ingot.transfer_files where transfer_id = ${id}`
  await sql`
    update ingot.transfers set status = ${status}, ended_at = now(),
      result = ${JSON.stringify(result).replaceAll('\\u0000', '\\ufffd')}::text::jsonb where id = ${id}`
}
