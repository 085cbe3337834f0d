/** Tests `ingot explain` for queries on a real PostgreSQL: statements, plans and summaries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import { analyze, createCatalog, createIndexSql, QueryError } from '../../../../runtime/data/query/index.ts'
import { type Explanation, explainOperation } from '../../../../server/operate/explain/explain.ts'
import { formatSql } from '../../../../runtime/data/sql/format-sql.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type CommandResult, type Product, product } from '../../../support/product.ts'

const DATA: DataSchema = {
  tables: [
    {
      name: 'listing',
      file: 'app/schema/listing.yml',
      properties: ['title', 'category_id', 'price'].map((name) => {
        return { name, type: name === 'price' ? 'integer' : 'string', default: null, belongsTo: null, options: null }
      }),
    },
    { name: 'category', file: 'app/schema/category.yml', properties: [] },
  ],
  user: [],
  profiles: [],
}

const SEARCH = `query search($category: String, $page: Int = 1) {
  records(
    per_page: 20, page: $page
    filter: { table: { value: "listing" }, properties: [{ name: "category_id", value: $category }] }
    sort: [{ created_at: { order: DESC } }]
  ) {
    results { id title: property(name: "title") }
  }
}`
const CREATE = `mutation { record_create(record: { table: "listing", properties: [{ name: "title", value: "x" }] }) { id } }`

let database: TestDatabase
let ids: ReadonlyMap<string, number>
beforeAll(async () => {
  database = await testDatabase()
  ids = await applyData(database.sql, DATA)
  await database.sql`
    insert into ingot.records (table_id, properties, created_at)
    select ${ids.get('listing') ?? 0}, jsonb_build_object('title', 'title ' || i, 'category_id', (i % 500)::text), now() - i * interval '1 minute'
    from generate_series(1, 20000) i`
  await database.sql`analyze ingot.records`
})
afterAll(() => database.close())

function explain(document: string, variables: object, some: { readonly analyze?: boolean } = {}): Promise<Explanation> {
  return explainOperation(
    database.sql,
    document,
    { ...variables },
    {
      ...{ data: DATA, ids, build: { requireTableForDelete: false }, analyze: true, viewer: null },
      ...some,
    },
  )
}

describe('a query', () => {
  test('without its index reads the table, and the index is named', async () => {
    const found = await explain(SEARCH, { category: '7' })
    expect(found).toMatchObject({ kind: 'query', ran: true, shape: { given: ['category', 'page'], missing: [] } })
    expect(found.statements).toHaveLength(1)
    expect(found.readings).toContainEqual(expect.objectContaining({ table: 'listing' }))
    expect(found.indexes.filter(({ state }) => state === 'not built yet').map(({ holds }) => holds)).toContain(
      'listing: category_id, created_at desc, id (living rows)',
    )
    expect(found.summary.join('\n')).toMatch(
      /The index \S+ \(listing: category_id, .*\) would serve this query, but is not built yet/,
    )
  })

  test('with its index uses it', async () => {
    const catalog = createCatalog(DATA, ids)
    for (const spec of analyze(SEARCH, DATA).indexes)
      await database.sql.unsafe(createIndexSql(spec, catalog)?.sql.text ?? '')
    await database.sql`analyze ingot.records`
    const found = await explain(SEARCH, { category: '7' })
    const used = found.indexes.find(({ state }) => state === 'used')
    expect(used?.holds).toBe('listing: category_id, created_at desc, id (living rows)')
    expect(found.readings).toEqual([
      { table: 'listing', how: 'index', index: used?.name, rows: expect.any(Number), fitting: expect.any(Number) },
    ])
    expect(found.readings[0]?.rows).toBeLessThan(100)
    expect(found.statements[0]?.plan.execution).toBeGreaterThan(0)
    expect(found.statements[0]?.values).toContain('7')
  })

  test('leaves out the conditions of variables that have no value', async () => {
    const found = await explain(SEARCH, { category: null })
    expect(found.shape).toEqual({ given: ['page'], missing: ['category'] })
    expect(found.statements[0]?.sql).not.toContain('category_id')
  })

  test('is not run where nobody wants it', async () => {
    const found = await explain(SEARCH, { category: '7' }, { analyze: false })
    expect(found.ran).toBe(false)
    expect(found.statements[0]?.plan).toMatchObject({ execution: null, root: { rows: null } })
    expect(found.summary.join('\n')).toContain('about ')
  })

  test('of the compiled site has no statement', async () => {
    const found = await explain('{ admin_pages(per_page: 1) { total_entries } }', {})
    expect(found).toMatchObject({ statements: [], summary: [] })
  })

  test('that does not hold says why', async () => {
    await expect(explain('{ records(per_page: 1) { nothing } }', {})).rejects.toThrow(QueryError)
    await expect(explain('query ($n: Int!) { records(per_page: $n) { total_entries } }', {})).rejects.toThrow(
      QueryError,
    )
    await expect(explain(SEARCH, { page: 'x' })).rejects.toThrow(QueryError)
  })
})

test('a mutation is never run', async () => {
  const [before] = await database.sql`select count(*) from ingot.records`
  const found = await explain(`mutation { ${CREATE.slice(11, -2)} records_delete_all(table: "listing") { count } }`, {})
  expect(found).toMatchObject({ kind: 'mutation', ran: false })
  expect(found.statements).toHaveLength(2)
  expect((await database.sql`select count(*) from ingot.records`)[0]).toEqual(before)
})

test('a statement is laid out without changing it', async () => {
  const { statements } = await explain(SEARCH, { category: '7' })
  const { sql, values } = statements[0] ?? { sql: '', values: [] }
  const laidOut = formatSql(sql)
  expect(laidOut.replace(/\s/g, '')).toBe(sql.replace(/\s/g, ''))
  expect(laidOut.split('\n').length).toBeGreaterThan(8)
  expect(Math.max(...laidOut.split('\n').map((line) => line.length))).toBeLessThan(400)
  const run = async (text: string): Promise<unknown> => await database.sql.unsafe(text, [...values] as string[])
  expect(await run(laidOut)).toEqual(await run(sql))
  expect(formatSql(`select 'a  (b'' from' , "x  y" from t where a->>'k' = any($1::text[]) and (b or c)`)).toBe(
    `select 'a  (b'' from', "x  y"\nfrom t\nwhere a ->> 'k' = any($1::text[])\n  and (b or c)`,
  )
})

describe('the command', () => {
  let ingot: Product
  let site: string
  beforeAll(async () => {
    ingot = product()
    site = ingot.folder({
      'app/schema/listing.yml':
        'name: listing\nproperties:\n  - name: title\n  - name: category_id\n  - name: price\n    type: integer\n',
      'app/schema/category.yml': 'name: category\n',
      'app/graphql/listings/search.graphql': SEARCH,
      'app/graphql/listings/create.graphql': CREATE,
      'app/graphql/listings/find.graphql':
        'query ($id: ID!, $place: Int!, $page: Int! = 1) { records(per_page: $place, page: $page, filter: { id: { value: $id }, table: { value: "listing" } }) { results { id } } }',
      'app/graphql/listings/some.graphql':
        'query ($all: Boolean = false) { records(per_page: 2, filter: { table: { value: "listing" } }) @include(if: $all) { results { id } } }',
      'app/graphql/pages.graphql': '{ admin_pages(per_page: 1) { total_entries } }',
      'app/views/pages/index.liquid': `{% graphql g = 'listings/search' %}{{ g.records.results.size }}`,
    })
    expect(await run('build')).toMatchObject({ code: 0 })
  })
  afterAll(() => ingot.clean())

  const options = () => ({ cwd: site, env: { DATABASE_URL: database.url } })
  const run = (...args: string[]): Promise<CommandResult> => ingot.run(args, options())

  test('shows the statement, its parameters, the plan, and what they mean', async () => {
    const line = ['explain', 'listings/search', '--var', 'category=7']
    const { code, out, err } = await ingot.run(line, { ...options(), ownProcess: true })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const part of [
      'listings/search  (app/graphql/listings/search.graphql): a query, 1 statement\n',
      '\nStatement\n  select',
      "\nParameters\n  $1 = '",
      '\nPlan  (planned in ',
      '\nWhat it does\n  listing: ',
      '\nIndexes\n  used ',
      '\nStatements are cached by the set of given variables. This one is with $category, $page.',
    ])
      expect(out).toContain(part)
    expect(await run('explain', 'listings/create')).toMatchObject({
      code: 0,
      out: expect.stringContaining('the statement was not run'),
    })
    const json = await run('explain', 'listings/search', '.', '--json', '--no-analyze', '--var=category=7')
    expect(JSON.parse(json.out)).toMatchObject({
      name: 'listings/search',
      ran: false,
      statements: [{ sql: expect.any(String) }],
    })
  })

  test('says when conditions leave all of a query out, and not that the compiled site answers', async () => {
    const without = await run('explain', 'listings/some')
    expect(without).toMatchObject({ code: 0, err: '' })
    expect(without.out).toContain('leave out every field, so no statement runs')
    expect(without.out).not.toContain('compiled site')
    const whole = await run('explain', 'listings/some', '--var', 'all=true')
    expect(whole.out).toContain('a query, 1 statement\n')
    expect(whole.out).not.toContain('so no statement runs')
    expect((await run('explain', 'pages')).out).toContain(
      'The query needs no statement: the compiled site has the answer.',
    )
  })

  test('still tells about diagnostics', async () => {
    const { code, out } = await run('explain', 'unknown-filter')
    expect(code).toBe(0)
    expect(out).toMatch(/^unknown-filter \(error\)/)
  })

  test.each([
    [
      ['listings/serch'],
      2,
      "There is no query or diagnostic named 'listings/serch': did you mean 'listings/search'?\n",
    ],
    [['unknown-filtr'], 2, "There is no query or diagnostic named 'unknown-filtr': did you mean 'unknown-filter'?\n"],
    [['zebra'], 2, "There is no query or diagnostic named 'zebra'.\n"],
    [['__proto__'], 2, "There is no query or diagnostic named '__proto__'.\n"],
    [[], 2, '`ingot explain` takes a name and a folder: ingot explain NAME [DIR]\n'],
    [
      ['listings/search', '--var', 'categry=1'],
      2,
      "The query 'listings/search' has no variable 'categry': did you mean 'category'?\n",
    ],
    [
      ['listings/search', '--var', 'category'],
      2,
      "The option --var cannot be 'category': give a name and a value, --var name=value.\n",
    ],
    [['listings/search', '--var', 'category=[1'], 2, 'The value of --var category is not valid JSON: [1\n'],
    [['listings/search', '--user', 'x'], 2, "The option --user cannot be 'x': give the ID of a user.\n"],
    [
      ['listings/search', '--nalyze'],
      2,
      "`ingot explain` has no option '--nalyze': it has --no-analyze, --json, --var, --user.\n",
    ],
    [
      ['listings/search', '--var', 'page=one'],
      1,
      expect.stringMatching(/^app\/graphql\/listings\/search\.graphql(?::\d+)?: .*\n$/),
    ],
    [['listings/find'], 1, "The query 'listings/find' needs $id, $place: add `--var id=… --var place=…`.\n"],
    [['listings/find', '--var', 'id=1'], 1, "The query 'listings/find' needs $place: add `--var place=…`.\n"],
    [
      ['listings/search', 'app'],
      2,
      expect.stringContaining("Queries are read from a built site. Nothing is built in 'app' yet"),
    ],
  ])('%j says what is wrong', async (args, code, err) => {
    expect(await run('explain', ...args)).toEqual({ code, out: '', err })
  })
})
