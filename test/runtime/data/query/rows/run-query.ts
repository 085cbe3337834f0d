/** Runs queries on a database with a few tables, as the server does. */
import type { Sql } from 'postgres'
import type { DataSchema, PropertyDef, PropertyType, TableDef } from '../../../../../runtime/page/compiled.ts'
import {
  type Catalog,
  createCatalog,
  execute,
  planOperation,
  statementsOf,
} from '../../../../../runtime/data/query/index.ts'
import type { QueryHost } from '../../../../../runtime/data/query/host.ts'
import { send } from '../../../../../server/data/store/send.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../../support/database.ts'
import { NO_ACCOUNTS, NO_SESSION } from '../no-accounts.ts'

const OPTIONS = { requireTableForDelete: false }

export interface Row {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly user_id?: string | null
  readonly external_id?: string | null
  readonly created_at?: string
  readonly deleted_at?: string | null
}

export interface QueryDatabase {
  readonly catalog: Catalog
  readonly sql: Sql
  /** The result without a signed-in user. */
  readonly host: QueryHost
  /**
   * Returns the data of an operation.
   * @throws Error with all messages when there are errors
   */
  ask(document: string, variables?: Readonly<Record<string, unknown>>, viewer?: string): Promise<Data>
  /** Returns the messages of an operation that fails. */
  complaints(document: string, variables?: Readonly<Record<string, unknown>>): Promise<readonly string[]>
  /** Inserts rows and returns their ids. */
  insert(table: string, rows: readonly Row[]): Promise<readonly string[]>
  /** Returns PostgreSQL's plan of an operation, or its generic plan if `generic` is set. */
  explain(document: string, variables?: Readonly<Record<string, unknown>>, generic?: boolean): Promise<string>
  run(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: results are as free as the queries that tests write.
export type Data = Record<string, any>

export function property(name: string, type: PropertyType): PropertyDef {
  return { name, type, default: null, belongsTo: null, options: null }
}

/** Returns a table with properties of these types. */
export function table(name: string, types: Readonly<Record<string, PropertyType>>): TableDef {
  const properties = Object.entries(types).map(([of, type]) => property(of, type))
  return { name, file: `app/schema/${name}.yml`, properties }
}

/**
 * Opens a database with these tables. Parameters and types are those of the server.
 * @param given an existing database
 */
export async function openQueryDatabase(data: DataSchema, given?: TestDatabase): Promise<QueryDatabase> {
  const { sql, close } = given ?? (await testDatabase())
  const ids = await applyData(sql, data)
  const catalog = createCatalog(data, ids)
  const hostOf = (viewer: string | null): QueryHost => ({
    catalog,
    options: OPTIONS,
    site: null as never,
    viewer,
    open: (sealed) => sealed,
    seal: (plain) => plain,
    fileUrl: (stored, expires) => `/files/${String(stored['path'])}${expires === null ? '' : `?for=${expires}`}`,
    accounts: NO_ACCOUNTS,
    session: NO_SESSION,
    submitForm: null,
    effects: null,
    run: (statement) => send(sql, statement, { prepare: true }).values(),
    transaction: (body) => body(hostOf(viewer)),
    announceChange: async () => {},
  })
  return {
    catalog,
    sql,
    host: hostOf(null),
    async ask(document, variables = {}, viewer) {
      const { data: found, errors } = await execute(planOperation(document), variables, hostOf(viewer ?? null))
      if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '))
      return found as Data
    },
    async complaints(document, variables = {}) {
      try {
        const { errors } = await execute(planOperation(document), variables, hostOf(null))
        return (errors ?? []).map(({ message }) => message)
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      }
    },
    async insert(name, rows) {
      const made: string[] = []
      for (const row of rows) {
        const values = [
          catalog.tableId(name),
          JSON.stringify(row.properties ?? {}),
          row.user_id ?? null,
          row.external_id ?? null,
          row.created_at ?? '2020-01-01T00:00:00Z',
          row.deleted_at ?? null,
        ]
        const [found] = await sql.unsafe(
          `insert into ingot.records (table_id, properties, user_id, external_id, created_at, deleted_at)
           values ($1::text::int, $2::text::jsonb, $3::text::bigint, $4::text, $5::text::timestamptz, $6::text::timestamptz)
           returning id::text`,
          values.map((value) => (value === null ? null : `${value}`)),
        )
        made.push(String(found?.['id']))
      }
      return made
    },
    async explain(document, variables = {}, generic = false) {
      const plan = planOperation(document)
      const [statement] = statementsOf(plan, variables, catalog, OPTIONS)
      const values = statement!.values(variables, null, hostOf(null))
      return sql.begin(async (own) => {
        await own.unsafe(`set local plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`)
        await own.unsafe(`prepare explained as ${statement!.sql.text}`)
        const literals = values.map((value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`))
        const list = literals.length === 0 ? '' : `(${literals.join(', ')})`
        const rows = await own.unsafe(`explain (costs off) execute explained${list}`)
        await own.unsafe('deallocate explained')
        return rows.map((row) => String(row['QUERY PLAN'])).join('\n')
      })
    },
    run: (text, values = []) => sql.unsafe(text, values as never[]),
    close,
  }
}

/** Returns a value as GraphQL text. Texts in `ENUMS` are written without quotes. */
export function literal(value: unknown): string {
  if (typeof value === 'string' && ENUMS.has(value)) return value
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}: ${literal(item)}`)
      .join(', ')}}`
  }
  return JSON.stringify(value)
}

const ENUMS: ReadonlySet<string> = new Set([
  'ASC',
  'DESC',
  'NONE',
  'EXACT',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'OR',
])
