/** Indexes from queries: which ones are derived, and that PostgreSQL uses them, also in statements prepared for any values. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataSchema, IndexSpec } from '../../../../../runtime/page/compiled.ts'
import { analyze, createIndexSql } from '../../../../../runtime/data/query/index.ts'
import { type QueryDatabase, openQueryDatabase, property, table } from './run-query.ts'

const DATA: DataSchema = {
  tables: [
    table('item', {
      title: 'string',
      kind: 'string',
      price: 'integer',
      sold: 'boolean',
      at: 'datetime',
      tags: 'array',
      owner: 'string',
    }),
    table('part', { item_id: 'string', item_ids: 'array', n: 'integer' }),
  ],
  user: [property('roles', 'array'), property('team', 'string')],
  profiles: [],
}

function indexesOf(...documents: readonly string[]): readonly IndexSpec[] {
  return documents.flatMap((document) => analyze(document, DATA).indexes)
}

/** Returns an index as text: `item: kind, created_at desc, id`. */
function describeIndex(spec: IndexSpec): string {
  const keys = spec.keys.map(
    (key) => `${'column' in key ? key.column : `${key.property}.${key.as}`}${key.order === 'desc' ? ' desc' : ''}`,
  )
  const method = spec.method === 'btree' ? '' : ` ${spec.method}`
  return `${spec.table ?? 'users'}${method}${spec.alive ? '' : ' all'}: ${keys.join(', ')}`
}

const search = (filter: string, sort = '') =>
  `query ($a: String, $b: String, $c: [String!], $n: Int, $order: SortOrderEnum = ASC) { records(per_page: 20, filter: { table: { value: "item" } ${filter} }, sort: [${sort}]) { results { id title: property(name: "title") } } }`
const kind = 'properties: [{ name: "kind", value: "x" }]'

describe('derived indexes', () => {
  it.each([
    [search(''), []],
    [search('', '{ id: { order: DESC } }'), []],
    [search('id: { value: $a }'), []],
    [search('user_id: { value: 5 }'), []],
    [search(kind), ['item: kind.match, id']],
    [search(kind, '{ created_at: { order: DESC } }'), ['item: kind.match, created_at desc, id']],
    [search('', '{ properties: [{ name: "price", order: ASC }] }'), ['item: price.number, id']],
    [
      search('', '{ properties: [{ name: "price", order: $order }] }'),
      ['item: price.number desc, id', 'item: price.number, id'],
    ],
    [search(`deleted_at: { exists: true } ${kind}`), ['item all: kind.match, id']],
    [
      search('properties: [{ name: "price", value_int: $n }]', '{ created_at: { order: ASC } }'),
      ['item: created_at, id', 'item: price.number, created_at, id'],
    ],
    [
      search(
        'properties: [{ name: "kind", value: "x" }, { name: "price", range: { gt: $a } }]',
        '{ created_at: { order: DESC } }',
      ),
      ['item: kind.match, created_at desc, id', 'item: kind.match, price.number'],
    ],
    [
      search('properties: [{ name: "title", contains: $a }, { name: "tags", value_in: $c }]'),
      ['item gin: tags.json', 'item trigram: title.text'],
    ],
    [
      search('properties: [{ name: "at", range: { gte: $a } }]', '{ properties: [{ name: "at", order: ASC }] }'),
      ['item: at.time, id'],
    ],
    [search('properties: [{ name: "sold", value_boolean: true }]'), ['item: sold.boolean, id']],
    [search('properties: [{ name: "kind", not_value: "x" }]'), []],
    ['{ users(per_page: 5, filter: { email: { value: "x" } }) { results { id } } }', []],
    [
      '{ users(per_page: 5, filter: { properties: [{ name: "team", value: "x" }] }) { results { id } } }',
      ['users: team.match, id'],
    ],
    [
      '{ records(per_page: 5, filter: { table: { value: "item" } }) { results { parts: related_records(table: "part", join_on_property: "id", foreign_property: "item_id") { id } } } }',
      ['part: item_id.match, id'],
    ],
    [
      '{ records(per_page: 5, filter: { table: { value: "item" } }) { results { parts: related_records(table: "part", join_on_property: "id", foreign_property: "item_ids") { id } } } }',
      ['part gin: item_ids.json'],
    ],
    [
      '{ records(per_page: 5, filter: { table: { value: "part" } }) { results { item: related_record(table: "item", join_on_property: "item_id") { id } } } }',
      [],
    ],
  ])('%s', (document, expected) => {
    expect(indexesOf(document).map(describeIndex).toSorted()).toEqual([...expected].toSorted())
  })

  it('are few for a search form with many fields', () => {
    const names = ['kind', 'owner', 'title']
    const conditions = names.map((name) => `{ name: "${name}", value: $a, contains: $b }`).join(' ')
    const specs = indexesOf(
      search(
        `properties: [${conditions}, { name: "price", range: { gte: $a } }, { name: "sold", value_boolean: true }]`,
        '{ updated_at: { order: DESC } }',
      ),
    )
    expect(specs.filter(({ method }) => method === 'btree').length).toBeLessThanOrEqual(4)
    expect(specs.length).toBeLessThanOrEqual(8)
  })

  it('are named by what they hold', async () => {
    const spec: IndexSpec = {
      table: 'item',
      method: 'btree',
      alive: true,
      keys: [{ property: 'kind', as: 'match', order: 'asc' }],
    }
    const database = await openQueryDatabase(DATA)
    const made = createIndexSql(spec, database.catalog)
    expect(made?.name).toMatch(/^ix_\d+_[0-9a-f]{20}$/)
    expect(createIndexSql({ ...spec, alive: false }, database.catalog)?.name).not.toBe(made?.name)
    expect(createIndexSql({ ...spec, table: 'nothing' }, database.catalog)).toBe(null)
    expect(
      createIndexSql({ ...spec, keys: [{ property: 'nothing', as: 'text', order: 'asc' }] }, database.catalog),
    ).toBe(null)
    await database.close()
  })
})

describe('what no index serves', () => {
  it.each([
    [search(kind), []],
    [search('properties: [{ name: "kind", not_value: "x" }]'), ['no index serves `not_value` on `kind`']],
    [search('properties: [{ name: "kind", not_value: "x" }, { name: "owner", value: "y" }]'), []],
    [search('properties: [{ name: "kind", exists: true }]'), ['no index serves `exists` on `kind`']],
    [search('properties: [{ name: "kind", contains: "ab" }]'), ['no index serves `contains` on `kind`']],
    [
      search('or: [{ properties: [{ name: "kind", value: "a" }] }, { properties: [{ name: "owner", value: "b" }] }]'),
      ['no index serves `or`'],
    ],
    [search('or: [{ properties: [{ name: "kind", value: "a" }] }]'), []],
    [search('fulltext: { keyword: $a }'), ['no index serves `fulltext`']],
    [search('external_id: { contains: $a }'), ['no index serves `contains` on `external_id`']],
    [search(kind, '{ random_sort: true }'), ['`random_sort` reads all rows']],
    [search(kind, '{ created_at: { order: ASC, order_by_values: ["x"] } }'), ['no index serves `order_by_values`']],
    ['{ records(per_page: 1) { results { id } } }', ['no table is given']],
    [
      'query ($t: String) { records(per_page: 1, filter: { table: { value: $t } }) { results { id } } }',
      ['its table comes from a variable'],
    ],
    ['{ records(per_page: 1, filter: { id: { value: 1 } }) { results { id } } }', []],
    ['{ users(per_page: 1, filter: { last_name: { value: "x" } }) { results { id } } }', ['`last_name` has no index']],
  ])('%s', (document, expected) => {
    const { needs, problems } = analyze(document, DATA)
    expect(problems).toEqual([])
    const unserved = needs.flatMap((need) => need.unserved)
    expect(unserved.map(({ reason }) => reason)).toEqual(expected)
    for (const { range } of unserved) expect(range).not.toBe(null)
  })

  it('knows which conditions are always there', () => {
    const two = (types: string) =>
      `query (${types}) { records(per_page: 1, filter: { table: { value: "item" }, properties: [{ name: "kind", value: $k }, { name: "owner", value: $o }] }) { results { id } } }`
    expect(indexesOf(two('$k: String!, $o: String = "me"')).map(describeIndex)).toEqual([
      'item: kind.match, owner.match, id',
    ])
    expect(indexesOf(two('$k: String!, $o: String')).map(describeIndex).toSorted()).toEqual([
      'item: kind.match, id',
      'item: kind.match, owner.match, id',
    ])
  })
})

describe('indexes in use', () => {
  let database: QueryDatabase

  const QUERIES: readonly (readonly [what: string, document: string, variables: Readonly<Record<string, unknown>>])[] =
    [
      ['equality of a literal and a sort', search(kind, '{ created_at: { order: DESC } }'), {}],
      [
        'equality of a variable and a sort',
        search('properties: [{ name: "kind", value: $a }]', '{ created_at: { order: DESC } }'),
        { a: 'kind 3' },
      ],
      ['a number', search('properties: [{ name: "price", value: $a }]', ''), { a: '77' }],
      [
        'a range of numbers',
        search(
          'properties: [{ name: "price", range: { gte: $a, lt: $b } }]',
          '{ properties: [{ name: "price", order: ASC }] }',
        ),
        { a: '100', b: '110' },
      ],
      [
        'a range of times',
        search('properties: [{ name: "at", range: { gte: $a } }]', '{ properties: [{ name: "at", order: ASC }] }'),
        { a: '2026-12-01' },
      ],
      ['a sort by a time', search('', '{ properties: [{ name: "at", order: DESC }] }'), {}],
      ['a sort by a text', search('', '{ properties: [{ name: "title", order: ASC }] }'), {}],
      // For a few rows of a small table, PostgreSQL prefers to scan by id.
      [
        'elements of a list',
        search('properties: [{ name: "tags", array_contains: $c }]').replace('20', '2000'),
        { c: ['tag 7'] },
      ],
      [
        'one of several values',
        search('properties: [{ name: "owner", value_in: $c }]').replace('20', '2000'),
        { c: ['owner 7', 'owner 8'] },
      ],
      ['part of a text', search('properties: [{ name: "title", contains: $a }]'), { a: 'number 1234' }],
      [
        'a relation by a property',
        'query ($a: ID) { records(per_page: 5, filter: { table: { value: "item" }, id: { value: $a } }) { results { parts: related_records(table: "part", join_on_property: "id", foreign_property: "item_id") { id } } } }',
        { a: '17' },
      ],
    ]

  beforeAll(async () => {
    database = await openQueryDatabase(DATA)
    const [item, part] = [database.catalog.tableId('item'), database.catalog.tableId('part')]
    await database.run(`insert into ingot.records (table_id, properties, created_at)
      select ${item}, jsonb_build_object('title', 'Item number ' || g, 'kind', 'kind ' || g % 20, 'price', g % 2000, 'sold', g % 2 = 0,
        'at', to_char(timestamp '2025-01-01' + g * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 'tags', jsonb_build_array('tag ' || g % 300),
        'owner', 'owner ' || g % 3000), timestamptz '2020-01-01' + g * interval '7 minutes' from generate_series(1, 20000) g`)
    await database.run(`insert into ingot.records (table_id, properties)
      select ${part}, jsonb_build_object('item_id', (g % 5000)::text, 'n', g) from generate_series(1, 20000) g`)
    await database.run('create extension if not exists pg_trgm')
    for (const [, document] of QUERIES) {
      for (const spec of analyze(document, DATA).indexes)
        await database.run(createIndexSql(spec, database.catalog)!.sql.text)
    }
    await database.run('vacuum analyze ingot.records')
  })
  afterAll(() => database.close())

  for (const [what, document, variables] of QUERIES) {
    it(`serve ${what}`, async () => {
      // When the values are unknown, PostgreSQL overestimates the cost of an index of lists or trigrams, and plans again.
      const known =
        document.includes('array_contains') || document.includes('contains: ') || document.includes('value_in')
      for (const generic of known ? [false] : [false, true]) {
        const plan = await database.explain(document, variables, generic)
        expect(plan, plan).toMatch(/ix_\d+_/)
        expect(plan, plan).not.toMatch(/Seq Scan on records/)
        // The index provides the order.
        if (document.includes('sort: [{')) expect(plan, plan).not.toMatch(/^\s*->\s+Sort/m)
      }
    })
  }

  it('hold texts of any length', async () => {
    const [id] = await database.insert('item', [
      { properties: { title: 'x'.repeat(1_000_000), kind: `${'y'.repeat(5000)}z`, owner: 'z'.repeat(100_000) } },
    ])
    const find = (value: string) => database.ask(search('properties: [{ name: "kind", value: $a }]'), { a: value })
    expect((await find(`${'y'.repeat(5000)}z`))['records'].results).toMatchObject([{ id }])
    expect((await find('y'.repeat(5000)))['records'].results).toEqual([])
  })
})
