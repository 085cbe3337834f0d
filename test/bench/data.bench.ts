/**
 * Measures data: queries, compared with the statements that a careful author would write over the same rows, and with the reference
 * implementation with one resolver per field; the same page of a table of 10,000 and of 1,000,000 rows; a listing page over HTTP, compared
 * with a hand-written handler and one with liquidjs; a response of `/api/graph`, compared with a hand-written handler and PostGraphile; and
 * the time of a start. Needs no prepared database.
 */
import { sql as fragment, toStatement } from '../../runtime/data/sql/sql.ts'
import { send } from '../../server/data/store/send.ts'
import postgres, { type Sql } from 'postgres'
import {
  analyze,
  createCatalog,
  createIndexSql,
  execute,
  planOperation,
  type QueryHost,
  statementsOf,
} from '../../runtime/data/query/index.ts'
import { propertySql } from '../../runtime/data/query/rows/property.ts'
import { connect } from '../../server/data/store/connection.ts'
import { readDatabaseUrl } from '../../server/data/store/database-url.ts'
import { migrate } from '../../server/data/store/migrate.ts'
import { applySchema } from '../../server/data/store/tables.ts'
import { withCluster } from './cluster.ts'
import { ARTICLES, articlesByHand, BENCH_DATA, fillStatements, PRODUCTS, productsByHand } from './data-site.ts'
import { graphOverHttp } from './graph.ts'
import { articlesByResolvers } from './resolvers.ts'
import { interleaveAsync, median, ratio, type Rates } from './measure.ts'
import { overHttp, starts } from './serving.ts'
import { printTable } from './table.ts'

const OPTIONS = { requireTableForDelete: true }

interface Filled {
  readonly sql: Sql
  /** The client for the hand-written statements, configured as an author would configure it. */
  readonly plain: Sql
  readonly url: string
  readonly host: QueryHost
  readonly ids: ReadonlyMap<string, number>
}

await withCluster('512MB', async (url, home) => {
  const big = await filled(url, 'big', 100_000, 1_000_000)
  const small = await filled(url, 'small', 10, 10_000)
  await queries(big, small)
  await overHttp({ url: big.url, ids: big.ids, home })
  await graphOverHttp({ url: big.url, ids: big.ids, home })
  for (const { sql, plain } of [big, small]) await Promise.all([sql.end(), plain.end()])
  await starts(home)
})

/** Creates a database with the tables, the rows, and the indexes that the operations need. */
async function filled(url: string, name: string, articles: number, products: number): Promise<Filled> {
  const admin = await connect(url, 'DATABASE_URL', { pool: 1, name: 'bench' })
  await admin.unsafe(`create database ${name}`)
  await admin.end()
  const own = url.replace('/postgres?', `/${name}?`)
  const sql = await connect(own, 'DATABASE_URL', { pool: 10, name: 'bench' })
  await migrate(sql)
  const ids = await applySchema(sql, BENCH_DATA)
  const catalog = createCatalog(BENCH_DATA, ids)
  for (const statement of fillStatements(ids, articles, products)) await sql.unsafe(statement)
  for (const document of [ARTICLES, PRODUCTS])
    for (const spec of analyze(document, BENCH_DATA).indexes) {
      const index = createIndexSql(spec, catalog)
      if (index !== null) await send(sql, index.sql)
    }
  await sql.unsafe('analyze ingot.records')
  const host: QueryHost = {
    catalog,
    options: OPTIONS,
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
  return { sql, plain: plainClient(own), url: own, host, ids }
}

function plainClient(address: string): Sql {
  const { host, user, database, port } = readDatabaseUrl(address, 'DATABASE_URL')
  return postgres({ host, port, user, database, max: 10, fetch_types: false, onnotice: () => undefined })
}

async function queries(big: Filled, small: Filled): Promise<void> {
  const articles = planOperation(ARTICLES)
  const products = planOperation(PRODUCTS)
  let turn = 0
  // The first page, with a different category each time.
  const next = (): { readonly category: string; readonly page: number } => ({ category: `c${turn++ % 50}`, page: 1 })
  const hand = (at: Filled, text: string) => async (): Promise<unknown> => {
    const { category, page } = next()
    const [row] = await at.plain.unsafe(text, [category, String((page - 1) * 20)], { prepare: true })
    return row?.['json_build_object'] as unknown
  }
  const ours = (at: Filled, plan: typeof articles) => () => execute(plan, next(), at.host)
  const price = toStatement(propertySql(fragment`r.properties`, fragment`'price'::text`, 'number')).text

  const given = { category: 'c1', page: 1 }
  const mine = JSON.stringify((await execute(articles, given, big.host)).data)
  const [row] = await big.sql.unsafe(articlesByHand(big.ids), ['c1', '0'])
  const resolvers = articlesByResolvers(big.plain, big.ids)
  const theirs = JSON.stringify(await resolvers('c1', 1))
  if (mine !== JSON.stringify(row?.['json_build_object']) || mine !== theirs)
    throw new Error('The contestants give different answers.')

  const deep = await interleaveAsync(
    [
      { name: 'ours', run: ours(big, articles) },
      { name: 'hand', run: hand(big, articlesByHand(big.ids)) },
      {
        name: 'graphql-js',
        run: () => {
          const { category, page } = next()
          return resolvers(category, page)
        },
      },
    ],
    7,
    0.6,
  )
  console.log(
    `three levels of relations, a page of 20 of 100,000 rows: ${statementsOf(articles, given, big.host.catalog, OPTIONS).length} statement`,
  )
  table(deep, [
    ['by hand', 'hand', '0.8x'],
    ['the reference, a resolver a field', 'graphql-js', '5x'],
  ])

  const flat = await interleaveAsync(
    [
      { name: 'ours', run: ours(big, products) },
      { name: 'hand', run: hand(big, productsByHand(big.ids, price)) },
      { name: 'small', run: ours(small, products) },
    ],
    7,
    0.6,
  )
  const [statement] = statementsOf(products, given, big.host.catalog, OPTIONS)
  const plan = await big.sql.unsafe(
    `explain ${statement!.sql.text}`,
    statement!.values(given, null, big.host) as never[],
  )
  const index = plan.map((line) => String(line['QUERY PLAN'])).find((line) => / using ix_/.test(line))
  console.log(
    `\nequality and an indexed sort, the first pages of 1,000,000 rows; ${index?.trim() ?? 'NO INDEX IS USED'}`,
  )
  table(flat, [
    ['by hand', 'hand', '0.8x'],
    ['ours with 10,000 rows', 'small', '0.8x'],
  ])
}

function table(rates: Rates, rows: readonly (readonly [string, string, string])[]): void {
  const milliseconds = (name: string): string => `${(1000 / median(rates.get(name)!)).toFixed(2)} ms`
  printTable(
    ['against', 'time', 'ours', 'ours is', 'goal'],
    rows.map(([what, name, goal]) => [
      what,
      milliseconds(name),
      milliseconds('ours'),
      `${ratio(rates, 'ours', name).toFixed(2)}x`,
      goal,
    ]),
  )
}
