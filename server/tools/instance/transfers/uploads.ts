/**
 * Imports archives of files to which rows refer by path. An import puts files into its own rows; this file puts them into rows that existed
 * before the archive.
 */
import type { TransactionSql } from 'postgres'
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'
import { identifier, emptySql, parameter, type Sql, sql as statement } from '../../../../runtime/data/sql/sql.ts'
import type { StoredFile } from '../../../web/files/model.ts'
import { sendOnce } from '../../../data/store/send.ts'
import { ArchiveFault, unpackArchive } from '../deploys/archive.ts'
import { FILE_TYPES, type NamedFile } from './named-files.ts'
import { sentPath, TransferRefused, type TransferContext } from './parts.ts'
import { endTransfer, type TransferOf } from './rows.ts'
import { fetchFiles } from './fetch-files.ts'

/** Extra files that packing programs add to archives. */
const PACKER_FILES = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/
/** Maximum number of warnings. */
const MAX_WARNINGS = 20

/** Stores the files of an archive by path, until rows refer to them or they expire. @throws TransferRefused */
export async function importUploads(parts: TransferContext, { key }: TransferOf<'uploads'>): Promise<void> {
  const { sql, blobs, row } = parts
  const files = await unpack(parts, await sentPath(parts, key))
  await blobs.keep(sql, [...files.values()])
  const rows = [...files].map(([path, { digest, size }]) => ({ path, digest, size }))
  await sql`
    insert into ingot.sent_uploads (path, digest, size)
    select path, digest, size from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as sent(path text, digest text, size bigint)
    on conflict (path) do update set digest = excluded.digest, size = excluded.size, sent_at = now()`
  const places = await findFileProperties(parts, new Set(files.keys()))
  const named = new Map(places.flatMap(({ files: each }) => each.map((file) => [file.name, file] as const)))
  const warnings: string[] = []
  const fetched = await fetchFiles(parts, named, (sentence) => {
    if (warnings.length < MAX_WARNINGS) warnings.push(sentence)
  })
  await sql.begin(async (transaction) => {
    for (const place of places) await replacePaths(transaction, place, fetched)
    await transaction`delete from ingot.sent_files where key = ${key}`
    await endTransfer(transaction, row.id, 'done', { warnings })
  })
}

async function unpack({ blobs }: TransferContext, path: string): ReturnType<typeof unpackArchive> {
  try {
    const files = await unpackArchive(path, (name) => !PACKER_FILES.test(name), blobs)
    if (files.size === 0) throw new ArchiveFault('it contains no files')
    return files
  } catch (error) {
    if (error instanceof ArchiveFault) throw new TransferRefused(`The archive was refused: ${error.message}.`)
    throw error
  }
}

/** A property of stored rows, and the files of the archive to which some of them refer. */
interface FileProperty {
  readonly table: 'records' | 'users' | 'profiles'
  /** Condition for the rows of the table that have the property. */
  readonly of: Sql
  readonly property: PropertyDef
  readonly files: readonly NamedFile[]
}

async function findFileProperties(
  { sql, site }: TransferContext,
  paths: ReadonlySet<string>,
): Promise<readonly FileProperty[]> {
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
  const places: FileProperty[] = []
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

/** Puts files into rows. Rows that were changed meanwhile have another path, and stay unchanged. */
async function replacePaths(
  client: TransactionSql,
  { table, of, property, files }: FileProperty,
  fetched: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const list = files.flatMap(({ name, address }) => {
    const file = fetched.get(name)
    if (file === undefined) return []
    const { path, file_name, extension, versions } = file
    return [{ address, file: { path, file_name, extension, versions } }]
  })
  const name = parameter(property.name, 'text')
  await sendOnce(
    client,
    statement`
      update ingot.${identifier(table)} set properties = jsonb_set(properties, array[${name}], fetched.file)
      from jsonb_to_recordset(${parameter(JSON.stringify(list), 'jsonb')}) as fetched(address text, file jsonb)
      where ${pathIn(property)} = fetched.address${of}`,
  )
}
