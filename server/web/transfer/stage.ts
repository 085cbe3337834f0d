/** Writes staged rows to temporary tables in batches. The later steps of an import work on these tables. */
import type { TransactionSql } from 'postgres'
import type { DataSchema, PropertyDef } from '../../../runtime/page/compiled.ts'
import { identifier, join, prepared, type Sql, sql, toStatement } from '../../../runtime/data/sql/sql.ts'
import { USER_TEXTS } from '../../../runtime/data/values/user-columns.ts'
import { send } from '../../data/store/send.ts'
import { defaultTexts } from '../../../runtime/data/query/writes/stored-values.ts'
import { objectText } from '../../../runtime/data/values/json-text.ts'
import {
  ANY_TABLE,
  type OwnedValue,
  type Reference,
  type RowLocation,
  type StagedActivity,
  type StagedDocument,
  type StagedLoneProfile,
  type StagedRecord,
  type StagedUser,
} from './rows.ts'

const TYPES = {
  bigint: sql`bigint`,
  integer: sql`integer`,
  boolean: sql`boolean`,
  text: sql`text`,
  'text[]': sql`text[]`,
  jsonb: sql`jsonb`,
  'timestamptz(3)': sql`timestamptz(3)`,
} as const
/** Column types by name, in the order of the columns. */
type Columns = Readonly<Record<string, keyof typeof TYPES>>

/**
 * Creates the statements for a temporary table.
 * @param computedColumns columns that are not read from the file
 */
function stagingTable(name: string, columns: Columns, computedColumns: Columns = {}) {
  const table = identifier(name)
  const columnDefinitions = definitions(columns)
  const names = join(Object.keys(columns).map((column) => identifier(column)))
  return {
    create: toStatement(
      sql`create temporary table ${table} (${definitions({ ...columns, ...computedColumns })}) on commit drop`,
    ),
    /**
     * Inserts rows.
     * @param rows JSON text of a list
     */
    insert: prepared<[rows: string]>(
      (rows) => sql`
        insert into pg_temp.${table} (${names})
        select ${names} from json_to_recordset(${rows}::text::json) as rows (${columnDefinitions})`,
    ),
  }
}

function definitions(columns: Columns): Sql {
  return join(Object.entries(columns).map(([name, type]) => sql`${identifier(name)} ${TYPES[type]}`))
}

const LOCATION_COLUMNS = { n: 'bigint', file: 'integer', line: 'integer', row: 'integer' } as const
const PROPERTIES = { properties: 'jsonb', undeclared: 'jsonb' } as const
/** Columns of rows in other formats. See `RowChanges`, and `alias` of `StagedRecord`. */
const CHANGES = { given: 'text[]', each: 'boolean', alias: 'text' } as const
const WRITE_TIME_COLUMNS = { created_at: 'timestamptz(3)', updated_at: 'timestamptz(3)' } as const
const TIME_COLUMNS = { ...WRITE_TIME_COLUMNS, deleted_at: 'timestamptz(3)' } as const
/** Computed columns: the id of the stored row, the id of a new row, and the action. */
const COMPUTED_COLUMNS = { target: 'bigint', new_id: 'bigint', act: 'text' } as const

const TABLES = {
  import_records: stagingTable(
    'import_records',
    {
      ...LOCATION_COLUMNS,
      table_id: 'integer',
      id: 'bigint',
      external_id: 'text',
      user_id: 'bigint',
      name: 'text',
      customizable_id: 'bigint',
      customizable_type: 'text',
      ...PROPERTIES,
      ...TIME_COLUMNS,
      ...CHANGES,
    },
    COMPUTED_COLUMNS,
  ),
  import_users: stagingTable(
    'import_users',
    {
      ...LOCATION_COLUMNS,
      id: 'bigint',
      ...Object.fromEntries(USER_TEXTS.map((column) => [column, 'text' as const])),
      slug_base: 'text',
      encrypted_password: 'text',
      ...PROPERTIES,
      ...TIME_COLUMNS,
      ...CHANGES,
    },
    COMPUTED_COLUMNS,
  ),
  import_profiles: stagingTable('import_profiles', {
    n: 'bigint',
    id: 'bigint',
    profile_type: 'text',
    ...PROPERTIES,
    ...TIME_COLUMNS,
  }),
  import_lone_profiles: stagingTable('import_lone_profiles', {
    ...LOCATION_COLUMNS,
    id: 'bigint',
    user_id: 'bigint',
    user_key: 'text',
    profile_type: 'text',
    ...PROPERTIES,
    ...TIME_COLUMNS,
  }),
  import_owned: stagingTable('import_owned', {
    n: 'bigint',
    kind: 'text',
    profile: 'text',
    name: 'text',
    value: 'jsonb',
  }),
  import_activities: stagingTable(
    'import_activities',
    { ...LOCATION_COLUMNS, id: 'bigint', uuid: 'text', payload: 'jsonb', ...WRITE_TIME_COLUMNS },
    { act: 'text' },
  ),
  import_documents: stagingTable(
    'import_documents',
    { ...LOCATION_COLUMNS, search_index: 'text', id: 'text', document: 'jsonb', ...WRITE_TIME_COLUMNS },
    { act: 'text' },
  ),
  import_references: stagingTable(
    'import_references',
    {
      kind: 'text',
      n: 'bigint',
      k: 'integer',
      table_id: 'integer',
      key: 'text',
      into_column: 'text',
      property: 'text',
      item: 'integer',
      number: 'boolean',
      needed: 'boolean',
    },
    { found: 'bigint' },
  ),
  import_tables: stagingTable('import_tables', {
    table_id: 'integer',
    name: 'text',
    declared: 'text[]',
    defaults: 'jsonb',
  }),
} as const
export type StagingTable = keyof typeof TABLES

/** A number that is not a table id. It represents users, and in references any table. */
export const NO_TABLE = 0

/** Maximum number of characters of JSON text per statement. */
const BATCH_SIZE = 1 << 18

/** The temporary tables of an import. */
export class StagingTables {
  /** Number of rows added. */
  count = 0
  readonly #client: TransactionSql
  readonly #ids: ReadonlyMap<string, number>
  readonly #files: string[] = []
  readonly #names = new Map<number, string>()
  readonly #pending = new Map<StagingTable, string[]>()
  #size = 0
  /** The statement that is being sent. The next rows are read meanwhile. */
  #sending: Promise<unknown> = Promise.resolve()

  private constructor(client: TransactionSql, ids: ReadonlyMap<string, number>) {
    this.#client = client
    this.#ids = ids
    for (const [name, id] of ids) this.#names.set(id, name)
  }

  /** Creates the temporary tables, which are dropped with the transaction. */
  static async open(
    client: TransactionSql,
    data: DataSchema,
    ids: ReadonlyMap<string, number>,
  ): Promise<StagingTables> {
    for (const { create } of Object.values(TABLES)) await send(client, create)
    const stage = new StagingTables(client, ids)
    for (const table of data.tables) {
      const id = ids.get(table.name)
      if (id !== undefined) await stage.#declare(id, table.name, table.properties)
    }
    await stage.#declare(NO_TABLE, '', data.user)
    for (const profile of data.profiles) await stage.#declare(-1, profile.name, profile.properties)
    await stage.flush()
    return stage
  }

  async #declare(id: number, name: string, properties: readonly PropertyDef[]): Promise<void> {
    const declared = properties.map((each) => each.name)
    const columns = JSON.stringify({ table_id: id, name, declared })
    await this.#put('import_tables', `${columns.slice(0, -1)},"defaults":${objectText(defaultTexts(properties))}}`)
  }

  async add(row: StagedRecord | StagedUser | StagedLoneProfile | StagedActivity | StagedDocument): Promise<void> {
    const n = ++this.count
    if (row.kind === 'document') return this.#addDocument(n, row)
    const { file, line, row: number } = row.location
    const rowLocation = { n, file: this.#file(file), line, row: number }
    if (row.kind === 'activity') {
      const { kind: _, location: __, payload, ...columns } = row
      const text = JSON.stringify({ ...rowLocation, ...columns })
      return this.#put('import_activities', `${text.slice(0, -1)},"payload":${payload}}`)
    }
    if (row.kind === 'profile') {
      const { kind: _, location: __, properties, undeclared, owned, ...columns } = row
      await this.#addOwned(n, owned)
      return this.#put('import_lone_profiles', withProperties({ ...rowLocation, ...columns }, properties, undeclared))
    }
    const { kind, location: _, references, owned, changes, properties, undeclared, ...columns } = row
    const commonValues = { ...rowLocation, ...columns, ...changes }
    if ('table' in columns) {
      const { table, ...rest } = { ...commonValues, table: columns.table }
      await this.#put(
        'import_records',
        withProperties({ ...rest, table_id: this.#ids.get(table) }, properties, undeclared),
      )
    } else {
      const { profiles, ...rest } = { ...commonValues, profiles: columns.profiles }
      await this.#put('import_users', withProperties(rest, properties, undeclared))
      for (const { properties: own, undeclared: others, ...profile } of profiles)
        await this.#put('import_profiles', withProperties({ n, ...profile }, own, others))
    }
    await this.#addReferences(kind, n, references)
    await this.#addOwned(n, owned)
  }

  async #addReferences(kind: 'record' | 'user', n: number, references: readonly Reference[]): Promise<void> {
    for (const [k, { table, key, into, number, isRequired }] of references.entries()) {
      const target = 'property' in into ? into : { into_column: into.column }
      const table_id = table === null ? null : table === ANY_TABLE ? NO_TABLE : this.#ids.get(table)
      await this.#put(
        'import_references',
        JSON.stringify({ kind, n, k, table_id, key, ...target, number, needed: isRequired }),
      )
    }
  }

  async #addOwned(n: number, owned: readonly OwnedValue[]): Promise<void> {
    for (const { value, ...columns } of owned) {
      const text = JSON.stringify({ n, ...columns })
      await this.#put('import_owned', `${text.slice(0, -1)},"value":${value}}`)
    }
  }

  #addDocument(
    n: number,
    { location, search_index, id, created_at, updated_at, document }: StagedDocument,
  ): Promise<void> {
    const rowLocation = { n, file: this.#file(location.file), line: location.line, row: location.row }
    const columns = JSON.stringify({ ...rowLocation, search_index, id, created_at, updated_at })
    return this.#put('import_documents', `${columns.slice(0, -1)},"document":${document}}`)
  }

  /** Sends pending rows and waits until they are written. */
  async flush(): Promise<void> {
    await this.#send()
    await this.#sending
  }

  /** Sends pending rows after the previous rows are written. */
  async #send(): Promise<void> {
    await this.#sending
    const sending = [...this.#pending].map(([name, rows]) =>
      send(this.#client, TABLES[name].insert(`[${rows.join(',')}]`), { prepare: true }),
    )
    this.#pending.clear()
    this.#size = 0
    this.#sending = Promise.all(sending)
    // The next `#send` or `flush` reports errors.
    this.#sending.catch(() => undefined)
  }

  /** Returns the location of a staged row. For documents, `table` is the name of the index. */
  locationOf(row: {
    readonly file: number
    readonly line: number
    readonly row: number
    readonly table_id: number | null
    readonly search_index: string | null
  }): RowLocation {
    const table = row.search_index ?? (row.table_id === null ? null : (this.#names.get(row.table_id) ?? null))
    return { file: this.#files[row.file] ?? '', line: row.line, row: row.row, table }
  }

  #file(name: string): number {
    // Files are read one after another, so only the last name can be repeated.
    if (this.#files.at(-1) === name) return this.#files.length - 1
    return this.#files.push(name) - 1
  }

  async #put(table: StagingTable, json: string): Promise<void> {
    const waiting = this.#pending.get(table)
    if (waiting === undefined) this.#pending.set(table, [json])
    else waiting.push(json)
    this.#size += json.length
    if (this.#size > BATCH_SIZE) await this.#send()
  }
}

function withProperties(columns: object, properties: string, undeclared: string | null): string {
  return `${JSON.stringify(columns).slice(0, -1)},"properties":${properties},"undeclared":${undeclared}}`
}
