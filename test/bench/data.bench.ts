/**
 * Measures data: queries, compared with the statements that a careful author would write over the same rows, and with the reference
 * implementation with one resolver per field; the same page of a table of 10,000 and of 1,000,000 rows; a listing page over HTTP, compared
 * with a hand-written handler and one with liquidjs; a response of `/api/graph`, compared with a hand-written handler and PostGraphile; and
 * the time of a start. Needs no prepared database.
 */
import { sql as fragment, toStatement } from '../../runtime/data/sql/sql.ts'
import { execute, planOperation, statementsOf } from '../../runtime/data/query/index.ts'
import { propertySql } from '../../runtime/data/query/rows/property.ts'
import { withCluster } from './cluster.ts'
import { ARTICLES, articlesByHand, PRODUCTS, productsByHand } from './data-site.ts'
import { createFilled, type Filled, QUERY_OPTIONS } from './filled.ts'
import { graphOverHttp } from './graph.ts'
import { articlesByResolvers } from './resolvers.ts'
import { interleaveAsync, median, ratio, type Rates } from './measure.ts'
import { overHttp, starts } from './serving.ts'
import { printTable } from './table.ts'

await withCluster('512MB', async (url, home) => {
  const big = await createFilled(url, 'big', 100_000, 1_000_000)
  const small = await createFilled(url, 'small', 10, 10_000)
  await queries(big, small)
  await overHttp({ url: big.url, ids: big.ids, home })
  await graphOverHttp({ url: big.url, ids: big.ids, home })
  for (const { sql, plain } of [big, small]) await Promise.all([sql.end(), plain.end()])
  await starts(home)
})

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
    `three levels of relations, a page of 20 of 100,000 rows: ${statementsOf(articles, given, big.host.catalog, QUERY_OPTIONS).length} statement`,
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
  const [statement] = statementsOf(products, given, big.host.catalog, QUERY_OPTIONS)
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
