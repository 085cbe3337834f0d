/**
 * Takes in archives of files that rows name by their paths. What an import names is put into its rows when it comes; here it is put into those
 * that were there before the archive.
 */
import type { TransactionSql } from 'postgres'
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'
import { identifier, emptySql, parameter, type Sql, sql as statement } from '../../../../runtime/data/sql/sql.ts'
import type { StoredFile } from '../../../web/files/model.ts'
import { sendOnce } from '../../../data/store/send.ts'
import { ArchiveFault, unpackArchive } from '../deploys/archive.ts'
import { FILE_TYPES, type NamedFile } from './named-files.ts'
import { sentPath, TransferRefused, type TransferParts } from './parts.ts'
import { endTransfer, type TransferOf } from './rows.ts'
import { takeFiles } from './take-files.ts'

/** What programs that pack leave in archives beside the files. */
const LEFT_BY_PACKERS = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/
/** Sentences that are told. */
const MOST_TOLD = 20

/** Keeps the files of an archive by their paths, until rows name them or they are too old. @throws TransferRefused */
export async function takeUploads(parts: TransferParts, { key }: TransferOf<'uploads'>): Promise<void> {
  const { sql, blobs, row } = parts
  const files = await unpacked(parts, await sentPath(parts, key))
  await blobs.keep(sql, [...files.values()])
  const rows = [...files].map(([path, { digest, size }]) => ({ path, digest, size }))
  await sql`
    insert into ingot.sent_uploads (path, digest, size)
    select path, digest, size from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as sent(path text, digest text, size bigint)
    on conflict (path) do update set digest = excluded.digest, size = excluded.size, sent_at = now()`
  const places = await placesOf(parts, new Set(files.keys()))
  const named = new Map(places.flatMap(({ files: each }) => each.map((file) => [file.name, file] as const)))
  const warnings: string[] = []
  const taken = await takeFiles(parts, named, (sentence) => {
    if (warnings.length < MOST_TOLD) warnings.push(sentence)
  })
  await sql.begin(async (transaction) => {
    for (const place of places) await putInto(transaction, place, taken)
    await transaction`delete from ingot.sent_files where key = ${key}`
    await endTransfer(transaction, row.id, 'done', { warnings })
  })
}

async function unpacked({ blobs }: TransferParts, path: string): ReturnType<typeof unpackArchive> {
  try {
    const files = await unpackArchive(path, (name) => !LEFT_BY_PACKERS.test(name), blobs)
    if (files.size === 0) throw new ArchiveFault('it holds no file')
    return files
  } catch (error) {
    if (error instanceof ArchiveFault) throw new TransferRefused(`The archive was refused: ${error.message}.`)
    throw error
  }
}

/** A property of stored rows, and the files of the archive that some of them name there. */
interface Place {
  readonly table: 'records' | 'users' | 'profiles'
  /** Which rows of the table have the property. */
  readonly of: Sql
  readonly property: PropertyDef
  readonly files: readonly NamedFile[]
}

async function placesOf({ sql, site }: TransferParts, paths: ReadonlySet<string>): Promise<readonly Place[]> {
  const { data, ids } = await site.now()
  const all = [
    ...data.tables.map(({ name, properties }) => {
      const of = statement` and table_id = ${parameter(ids.get(name) ?? 0, 'integer')}`
      return { table: 'records', name, of, properties } as const
    }),
    { table: 'users', name: 'users', of: emptySql, properties: data.user } as const,
    ...data.profiles.map(({ name, properties }) => {
      const of = statement` and profile_type = ${parameter(name, 'text')}`
      return { table: 'profiles', name: `profiles/${name}`, of, properties } as const
    }),
  ]
  const places: Place[] = []
  for (const { table, name, of, properties } of all)
    for (const property of properties.filter(({ type }) => FILE_TYPES.has(type))) {
      const rows = await sendOnce<{ path: string }[]>(
        sql,
        statement`select distinct ${pathIn(property)} as path from ingot.${identifier(table)} where ${pathIn(property)} is not null${of}`,
      )
      const used = rows.filter(({ path }) => paths.has(path))
      const files = used.map(({ path }) => ({ name: `${name}.${property.name} ${path}`, address: path, property }))
      if (files.length > 0) places.push({ table, of, property, files })
    }
  return places
}

function pathIn({ name }: PropertyDef): Sql {
  return statement`properties->${parameter(name, 'text')}->>'path'`
}

/** Rows that were changed since they were looked at have another path, and stay. */
async function putInto(
  client: TransactionSql,
  { table, of, property, files }: Place,
  taken: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const list = files.flatMap(({ name, address }) => {
    const file = taken.get(name)
    if (file === undefined) return []
    const { path, file_name, extension, versions } = file
    return [{ address, file: { path, file_name, extension, versions } }]
  })
  const name = parameter(property.name, 'text')
  await sendOnce(
    client,
    statement`
      update ingot.${identifier(table)} set properties = jsonb_set(properties, array[${name}], taken.file)
      from jsonb_to_recordset(${parameter(JSON.stringify(list), 'jsonb')}) as taken(address text, file jsonb)
      where ${pathIn(property)} = taken.address${of}`,
  )
}
