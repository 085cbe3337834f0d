/** Creates the databases that benchmarks of queries measure. */
import postgres, { type Sql } from 'postgres'
import { analyze, createCatalog, createIndexSql, type QueryHost } from '../../runtime/data/query/index.ts'
import { connect } from '../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../server/data/store/database-url.ts'
import { migrate } from '../../server/data/store/migrate.ts'
import { send } from '../../server/data/store/send.ts'
import { applySchema } from '../../server/data/store/tables.ts'
import { ARTICLES, BENCH_DATA, fillStatements, PRODUCTS } from './data-site.ts'

export const QUERY_OPTIONS = { requireTableForDelete: true }

export interface Filled {
  readonly sql: Sql
  /** The client for the hand-written statements, configured as an author would configure it. */
  readonly plain: Sql
  readonly url: string
  readonly host: QueryHost
  readonly ids: ReadonlyMap<string, number>
  /** Seconds that the build of the indexes took. */
  readonly indexSeconds: number
}

/** Creates a database with the tables, the rows, and the indexes that the operations need. */
export async function createFilled(url: string, name: string, articles: number, products: number): Promise<Filled> {
  const admin = await connect(url, 'DATABASE_URL', { pool: 1, name: 'bench' })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  const own = url.replace('/postgres?', `/${name}?`)
  const sql = await connect(own, 'DATABASE_URL', { pool: 10, name: 'bench' })
  await migrate(sql)
  const ids = await applySchema(sql, BENCH_DATA)
  const catalog = createCatalog(BENCH_DATA, ids)
  for (const statement of fillStatements(ids, articles, products)) await sql.unsafe(statement)
  const started = performance.now()
  for (const document of [ARTICLES, PRODUCTS])
    for (const spec of analyze(document, BENCH_DATA).indexes) {
      const index = createIndexSql(spec, catalog)
      if (index !== null) await send(sql, index.sql)
    }
  const indexSeconds = (performance.now() - started) / 1000
  await sql.unsafe('analyze ingot.records')
  const host: QueryHost = {
    catalog,
    options: QUERY_OPTIONS,
    site: null as never,
    viewer: null,
    open: (text) => text,
    seal: (text) => text,
    fileUrl: () => null,
    accounts: null as never,
    session: null as never,
    submitForm: null,
    effects: null,
    run: (statement) => send(sql, statement, { prepare: true }).values(),
    transaction: (body) => body(host),
    announceChange: async () => undefined,
  }
  return { sql, plain: plainClient(own), url: own, host, ids, indexSeconds }
}

function plainClient(address: string): Sql {
  const { host, user, database, port } = readDatabaseUrl(address, 'DATABASE_URL')
  return postgres({ host, port, user, database, max: 10, fetch_types: false, onnotice: () => undefined })
}
