/** Staged rows → temporary tables of the import's transaction, a batch a statement. What is set by set is then done there. */
import type { Sql, TransactionSql } from 'postgres'
import type { DataSchema, PropertyDef } from '../../runtime/page/compiled.ts'
import { USER_TEXTS } from '../../runtime/data/values/user-columns.ts'
import type { RowLocation, StagedDocument, StagedRecord, StagedUser } from './rows.ts'

/** An open transaction, or a connection for reading. */
export type Connection = Sql | TransactionSql

const TIMES = 'created_at timestamptz(3), updated_at timestamptz(3), deleted_at timestamptz(3)'
const PLACE = 'n bigint, file integer, line integer, "row" integer'

/** Columns that come from the file, in the order of the temporary tables. */
const COLUMNS = {
  import_records: `${PLACE}, table_id integer, id bigint, external_id text, user_id bigint, name text, customizable_id bigint, customizable_type text, properties jsonb, undeclared jsonb, ${TIMES}`,
  import_users: `${PLACE}, id bigint, ${USER_TEXTS.map((column) => `${column} text`).join(', ')}, slug_base text, encrypted_password text, properties jsonb, undeclared jsonb, ${TIMES}`,
  import_profiles: `n bigint, id bigint, profile_type text, properties jsonb, undeclared jsonb, ${TIMES}`,
  import_documents: `${PLACE}, search_index text, id text, document jsonb, created_at timestamptz(3), updated_at timestamptz(3)`,
  import_references:
    'kind text, n bigint, k integer, table_id integer, key text, property text, item integer, number boolean',
  import_tables: 'table_id integer, name text, declared text[]',
} as const
type StagingTable = keyof typeof COLUMNS

/** Columns that are found out there: the row that is meant, the id of a new one, and what is to be done. */
const FOUND: Partial<Record<StagingTable, string>> = {
  import_records: 'target bigint, new_id bigint, act text',
  import_users: 'target bigint, new_id bigint, act text',
  import_documents: 'act text',
  import_references: 'found bigint',
}

/** Characters of JSON text that go in one statement. */
const BATCH = 1 << 20

export class StagingTables {
  /** Rows that were added. */
  count = 0
  readonly #sql: TransactionSql
  readonly #ids: ReadonlyMap<string, number>
  readonly #files: string[] = []
  readonly #names = new Map<number, string>()
  readonly #waiting = new Map<StagingTable, string[]>()
  #size = 0
  /** The statement on its way: meanwhile the next rows are read. */
  #sending: Promise<unknown> = Promise.resolve()

  private constructor(sql: TransactionSql, ids: ReadonlyMap<string, number>) {
    this.#sql = sql
    this.#ids = ids
    for (const [name, id] of ids) this.#names.set(id, name)
  }

  /** Makes the temporary tables; they go with the transaction. */
  static async open(sql: TransactionSql, data: DataSchema, ids: ReadonlyMap<string, number>): Promise<StagingTables> {
    for (const [name, columns] of Object.entries(COLUMNS)) {
      const found = FOUND[name as StagingTable]
      await sql.unsafe(
        `create temporary table ${name} (${columns}${found === undefined ? '' : `, ${found}`}) on commit drop`,
      )
    }
    const stage = new StagingTables(sql, ids)
    for (const table of data.tables) {
      const id = ids.get(table.name)
      if (id !== undefined) await stage.#declare(id, table.name, table.properties)
    }
    // Users have no number: theirs is 0, which no table has.
    await stage.#declare(0, '', data.user)
    for (const profile of data.profiles) await stage.#declare(-1, profile.name, profile.properties)
    await stage.flush()
    return stage
  }

  async #declare(id: number, name: string, properties: readonly PropertyDef[]): Promise<void> {
    await this.#put(
      'import_tables',
      JSON.stringify({ table_id: id, name, declared: properties.map((each) => each.name) }),
    )
  }

  async add(row: StagedRecord | StagedUser | StagedDocument): Promise<void> {
    const n = ++this.count
    if (row.kind === 'document') return this.#addDocument(n, row)
    const { kind, place, references, properties, undeclared, ...columns } = row
    const at = { n, file: this.#file(place.file), line: place.line, row: place.row }
    if (row.kind === 'record') {
      const { table, ...rest } = columns as Omit<
        StagedRecord,
        'kind' | 'place' | 'references' | 'properties' | 'undeclared'
      >
      await this.#put(
        'import_records',
        withProperties({ ...at, table_id: this.#ids.get(table), ...rest }, properties, undeclared),
      )
    } else {
      const { profiles, ...rest } = columns as Omit<
        StagedUser,
        'kind' | 'place' | 'references' | 'properties' | 'undeclared'
      >
      await this.#put('import_users', withProperties({ ...at, ...rest }, properties, undeclared))
      for (const { properties: own, undeclared: others, ...profile } of profiles)
        await this.#put('import_profiles', withProperties({ n, ...profile }, own, others))
    }
    for (const [k, { table, key, into, number }] of references.entries()) {
      const to = 'property' in into ? into : { property: null, item: null }
      const table_id = table === null ? null : this.#ids.get(table)
      await this.#put('import_references', JSON.stringify({ kind, n, k, table_id, key, ...to, number }))
    }
  }

  #addDocument(
    n: number,
    { place, search_index, id, created_at, updated_at, document }: StagedDocument,
  ): Promise<void> {
    const at = { n, file: this.#file(place.file), line: place.line, row: place.row }
    const columns = JSON.stringify({ ...at, search_index, id, created_at, updated_at })
    return this.#put('import_documents', `${columns.slice(0, -1)},"document":${document}}`)
  }

  /** Sends what waits, and waits until all of it is there. */
  async flush(): Promise<void> {
    await this.#send()
    await this.#sending
  }

  /** Sends what waits, once what was sent before is there. */
  async #send(): Promise<void> {
    await this.#sending
    const sent = [...this.#waiting].map(([name, rows]) => {
      const columns = COLUMNS[name]
      const names = columns.replace(/ (?:bigint|integer|text(?:\[\])?|jsonb|boolean|timestamptz\(3\))/g, '')
      const text = `insert into pg_temp.${name} (${names}) select ${names} from json_to_recordset($1::text::json) as rows (${columns})`
      return this.#sql.unsafe(text, [`[${rows.join(',')}]`], { prepare: true })
    })
    this.#waiting.clear()
    this.#size = 0
    this.#sending = Promise.all(sent)
    // It is looked at with the next rows, or at the end.
    this.#sending.catch(() => undefined)
  }

  /** Where a row of the staging tables stood; of documents, the name of their index stands for a table's. */
  place(row: {
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
    // Rows come file by file.
    if (this.#files.at(-1) === name) return this.#files.length - 1
    return this.#files.push(name) - 1
  }

  async #put(table: StagingTable, json: string): Promise<void> {
    const waiting = this.#waiting.get(table)
    if (waiting === undefined) this.#waiting.set(table, [json])
    else waiting.push(json)
    this.#size += json.length
    if (this.#size > BATCH) await this.#send()
  }
}

function withProperties(columns: object, properties: string, undeclared: string | null): string {
  return `${JSON.stringify(columns).slice(0, -1)},"properties":${properties},"undeclared":${undeclared}}`
}
