/** A site's tables with a property of every type, and imports and exports as texts. */
import type { Sql } from 'postgres'
import type { DataSchema, PropertyDef, PropertyType } from '../../../../runtime/page/compiled.ts'
import { createImportSchema } from '../../../../server/web/transfer/import-schema.ts'
import { csvExport, type ExportOptions, jsonExport, withSnapshot } from '../../../../server/web/transfer/export.ts'
import { type ImportResult, type ImportOptions, importRows } from '../../../../server/web/transfer/import.ts'
import { readCsv } from '../../../../server/web/transfer/csv-reader.ts'
import { readJson } from '../../../../server/web/transfer/json-reader.ts'
import type { RowError } from '../../../../server/web/transfer/rows.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'

export function property(name: string, type: PropertyType = 'string', value: unknown = null): PropertyDef {
  return { name, type, default: value, belongsTo: null, options: null }
}

export const TYPES: readonly PropertyType[] = [
  'string',
  'integer',
  'float',
  'decimal',
  'datetime',
  'time',
  'date',
  'binary',
  'boolean',
  'array',
  'address',
  'file',
  'photo',
  'geojson',
  'upload',
]

/** A hostile name with special characters of SQL, JSON, CSV and file paths. */
export const HOSTILE = `../x'; drop table ingot.records; -- "$1" \\ ,é\n`

export const DATA: DataSchema = {
  tables: [
    { name: 'every', file: 'app/schema/every.yml', properties: TYPES.map((type) => property(`a_${type}`, type)) },
    {
      name: 'category',
      file: 'app/schema/category.yml',
      properties: [property('title'), property('position', 'integer', 3), property('labels', 'array')],
    },
    {
      name: 'listing',
      file: 'app/schema/listing.yml',
      properties: [
        property('title'),
        property('price', 'decimal'),
        property('tags', 'array'),
        property('category_id'),
        property('number', 'integer'),
        property('name'),
      ],
    },
    { name: HOSTILE, file: 'app/schema/x.yml', properties: [property(HOSTILE), property('$x'), property('__proto__')] },
    { name: 'modules/blog/post', file: 'modules/blog/public/schema/post.yml', properties: [property('a/b')] },
  ],
  user: [property('roles', 'array'), property('email'), property('age', 'integer')],
  profiles: [
    { name: 'default', file: 'app/user_profile_types/default.yml', properties: [property('motto')] },
    { name: 'seller', file: 'app/user_profile_types/seller.yml', properties: [property('rate', 'decimal')] },
  ],
}

export interface Home extends TestDatabase {
  readonly ids: ReadonlyMap<string, number>
}

export async function home(data: DataSchema = DATA): Promise<Home> {
  const database = await testDatabase()
  return { ...database, ids: await applyData(database.sql, data) }
}

/** Yields a text as it is read from a disk, in pieces that may split characters. */
export async function* pieces(text: string | Uint8Array, size = 4099): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export interface Told extends ImportResult {
  readonly faults: readonly string[]
}

function told(fault: RowError): string {
  const { table, row, line } = fault.location
  return `${line}: ${table ?? '@users'} ${row} ${fault.property ?? '-'}: ${fault.reason}`
}

type Some = Partial<Pick<ImportOptions, 'policy' | 'dryRun' | 'isKnown' | 'data'>>

/** Imports JSON. An object is converted to JSON first. */
export async function importJson(to: Home, document: unknown, some: Some = {}): Promise<Told> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return run(to, readJson('data.json', pieces(text)), some)
}

export async function importCsv(to: Home, table: string | null, text: string, some: Some = {}): Promise<Told> {
  const schema = createImportSchema(some.data ?? DATA)
  const declared = table === null ? schema.user : (schema.tables.get(table) ?? new Map())
  return run(to, readCsv('data.csv', table, declared, pieces(text)), some)
}

async function run(to: Home, rows: Parameters<typeof importRows>[1], some: Some): Promise<Told> {
  const faults: string[] = []
  const done = await importRows(to.sql, rows, {
    ...{ data: DATA, ids: to.ids, policy: 'keep newer', dryRun: false, isKnown: false },
    ...some,
    report: (fault) => faults.push(told(fault)),
    progress: () => undefined,
  })
  return { ...done, faults }
}

function everything(from: Home, data: DataSchema): ExportOptions {
  return {
    data,
    ids: from.ids,
    tables: data.tables.map(({ name }) => name),
    users: true,
    documents: true,
    progress: () => undefined,
  }
}

export async function exportJson(from: Home, data: DataSchema = DATA): Promise<string> {
  let text = ''
  await withSnapshot(from.sql, async (view) => {
    for await (const part of jsonExport(view, everything(from, data))) text += part
  })
  return text
}

/** Returns the CSV texts by table. The key of the users is null. */
export async function exportCsv(from: Home): Promise<ReadonlyMap<string | null, string>> {
  const texts = new Map<string | null, string>()
  await withSnapshot(from.sql, async (view) => {
    for await (const { table, text } of csvExport(view, everything(from, DATA))) {
      let whole = ''
      for await (const part of text) whole += part
      texts.set(table, whole)
    }
  })
  return texts
}

/** Returns all rows as texts of PostgreSQL, by table. */
export async function rows(sql: Sql): Promise<Readonly<Record<string, readonly string[]>>> {
  const of = async (table: string, order: string): Promise<readonly string[]> => {
    const found = await sql.unsafe<{ row: string }[]>(`select t::text as row from ingot.${table} t order by ${order}`)
    return found.map(({ row }) => row)
  }
  return { records: await of('records', 'id'), users: await of('users', 'id'), profiles: await of('profiles', 'id') }
}

export function parsed(text: string): {
  readonly users: readonly unknown[]
  readonly tables: Readonly<Record<string, readonly unknown[]>>
} {
  return JSON.parse(text) as ReturnType<typeof parsed>
}
