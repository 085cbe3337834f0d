/** Writes an export that GraphQL has requested. The filtered rows are stored as JSON in a private file. */
import { type Client, send } from '../../../data/store/send.ts'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Sql } from 'postgres'
import * as z from 'zod'
import { listingOf, planOperation, type QueryHost } from '../../../../runtime/data/query/index.ts'
import type { Fields } from '../../../../runtime/page/services.ts'
import { encryptedName, encryptFile } from '../../files/encrypt.ts'
import type { FileService } from '../../files/files.ts'
import type { StoredFile } from '../../files/model.ts'
import { type TemporaryFiles, temporaryFilesIn } from '../../files/receive-source.ts'
import { writeZip } from '../../files/zip.ts'

/** The dependencies of an export. */
export interface ExportDependencies {
  /** Reserves a connection while the export is read. */
  readonly sql: Sql
  readonly files: FileService
  /** Plans the queries without a user. */
  readonly query: QueryHost
}

const rowOptionsSchema = z
  .object({
    filter: z.record(z.string(), z.unknown()).nullish(),
    sort: z.array(z.record(z.string(), z.unknown())).nullish(),
    per_page: z.number().nullish(),
  })
  .nullish()

const optionsSchema = z.object({
  records: rowOptionsSchema,
  users: rowOptionsSchema,
  split_files: z.boolean().nullish(),
  encryption: z.object({ gpg: z.object({ key: z.string(), armor: z.boolean().nullish() }).nullish() }).nullish(),
})

type ExportRequest = NonNullable<z.infer<typeof rowOptionsSchema>>

/** The query of each kind. JSON columns stay text, so that parsing cannot round numbers. */
const EXPORT_QUERIES = {
  records: `query ($filter: RecordsFilterInput, $sort: [RecordsSortInput!], $per_page: Int!) {
    records(filter: $filter, sort: $sort, per_page: $per_page) {
      results { id table external_id user_id created_at updated_at deleted_at properties } } }`,
  users: `query ($filter: UsersFilterInput, $sort: [UsersSortInput!], $per_page: Int!) {
    users(filter: $filter, sort: $sort, per_page: $per_page) {
      results { id external_id email slug name first_name middle_name last_name language created_at updated_at deleted_at
        properties profiles { id profile_type properties } } } }`,
} as const

/** Default limit of rows per kind, and the number of rows fetched at a time. */
const MAX_ROWS = 5_000_000
const FETCH_SIZE = 500

/**
 * Writes an export and records the result in its row. Does nothing when the row is missing or the export is already
 * written.
 * @throws any failure, after recording it
 */
export async function writeExport(dependencies: ExportDependencies, id: string): Promise<void> {
  const { sql, files } = dependencies
  const [row] = await sql<{ options: unknown }[]>`
    update ingot.exports set state = 'running', error = null, updated_at = clock_timestamp()
    where id = ${id} and state <> 'done' returning options`
  if (row === undefined) return
  const scratch = await temporaryFilesIn(files.incoming)
  try {
    const storedFile = await writeFile(dependencies, optionsSchema.parse(row.options), id, scratch)
    const { count } = await sql`
      update ingot.exports set state = 'done', result = ${JSON.stringify(storedFile)}::text::jsonb, updated_at = clock_timestamp()
      where id = ${id}`
    // The row was deleted while the export was written.
    if (count === 0) await files.drop([storedFile])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await sql`update ingot.exports set state = 'error', error = ${reason.replaceAll('\0', '')}, updated_at = clock_timestamp() where id = ${id}`
    throw error
  } finally {
    await scratch.dispose()
  }
}

async function writeFile(
  dependencies: ExportDependencies,
  options: z.infer<typeof optionsSchema>,
  id: string,
  scratch: TemporaryFiles,
): Promise<StoredFile> {
  const kinds = (['records', 'users'] as const).flatMap((kind) => {
    const kindOptions = options[kind]
    return kindOptions === null || kindOptions === undefined ? [] : [{ kind, wanted: kindOptions }]
  })
  const split = options.split_files ?? true
  let path = scratch.path()
  let name = `export-${id}.${split ? 'zip' : 'json'}`
  // All kinds are read in one snapshot, so that they are consistent.
  await dependencies.sql.begin('isolation level repeatable read read only', async (connection) => {
    await connection`set local statement_timeout = 0`
    const lists = kinds.map(({ kind, wanted: kindOptions }) => ({
      kind,
      list: () => listRows(dependencies.query, kind, kindOptions, connection),
    }))
    if (!split) {
      await pipeline(joinLists(lists), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return
    }
    const files: { name: string; from: string }[] = []
    for (const { kind, list } of lists) {
      const from = scratch.path()
      await pipeline(list(), createWriteStream(from, { flags: 'wx', mode: 0o600 }))
      files.push({ name: `${kind}.json`, from })
    }
    await writeZip(files, path)
  })
  const gpg = options.encryption?.gpg
  if (gpg !== null && gpg !== undefined) {
    const recipient = { key: gpg.key, armor: gpg.armor === true }
    const encryptedPath = scratch.path()
    await encryptFile(path, encryptedPath, recipient)
    path = encryptedPath
    name = encryptedName(name, recipient)
  }
  return dependencies.files.storeGenerated(path, name)
}

interface ExportList {
  readonly kind: string
  readonly list: () => AsyncIterable<string>
}

async function* joinLists(lists: readonly ExportList[]): AsyncGenerator<string> {
  yield '{'
  for (const [at, { kind, list }] of lists.entries()) {
    yield `${at === 0 ? '' : ','}\n"${kind}": `
    yield* list()
  }
  yield '}\n'
}

/** Streams the rows of one kind as a JSON list, one row per line. */
async function* listRows(
  query: QueryHost,
  kind: keyof typeof EXPORT_QUERIES,
  { filter, sort, per_page: perPage }: ExportRequest,
  connection: Client,
): AsyncGenerator<string> {
  const variables: Fields = {
    ...(filter !== null && filter !== undefined && { filter }),
    ...(sort !== null && sort !== undefined && { sort }),
    per_page: perPage ?? MAX_ROWS,
  }
  const { statement, columns } = await listingOf(planOperation(EXPORT_QUERIES[kind]), variables, query)
  yield '['
  let isFirst = true
  // Rows are fetched as arrays, because the columns have no names.
  const cursor: AsyncIterable<readonly (readonly (string | null)[])[]> = send(connection, statement)
    .values()
    .cursor(FETCH_SIZE)
  for await (const rows of cursor) {
    const lines = rows.map((values) => {
      const members = columns.map(({ key, reads }, at) => {
        const cell = values[at] ?? null
        return `"${key}":${cell === null ? 'null' : reads === 'text' ? JSON.stringify(cell) : cell}`
      })
      return `{${members.join(',')}}`
    })
    yield `${isFirst ? '\n' : ',\n'}${lines.join(',\n')}`
    isFirst = false
  }
  yield '\n]'
}
