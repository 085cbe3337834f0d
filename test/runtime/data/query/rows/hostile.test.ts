/** Hostile values: they match nothing, or lead to one of our error messages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planOperation, statementsOf } from '../../../../../runtime/data/query/index.ts'
import { type QueryDatabase, openQueryDatabase, property, table } from './run-query.ts'

const VALUES: readonly string[] = [
  "'",
  "''",
  "' or '1'='1",
  "'; drop table ingot.records; --",
  '$1',
  '$$',
  '$x$ select $x$',
  '\\',
  "\\'",
  '"',
  '{"a"}',
  '}, {',
  '%',
  '_',
  'NULL',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '1e3',
  '1e400',
  '-1',
  '99999999999999999999',
  '9'.repeat(10_000),
  'NaN',
  'infinity',
  '2020-13-45',
  '0000-00-00',
  '{"type": "Point"}',
  'x'.repeat(1_000_000),
  `${'('.repeat(5000)}`,
  '[a-z]{1,99999}',
]

const KEYS = {
  string: 'value not_value contains not_contains starts_with not_starts_with ends_with not_ends_with'.split(' '),
  list: 'value_in not_value_in value_array not_value_array array_contains not_array_contains array_overlaps not_array_overlaps'.split(
    ' ',
  ),
}

describe('hostile values', () => {
  let database: QueryDatabase
  const names = ['s', 'i', 'b', 't', 'a']

  beforeAll(async () => {
    const types = { s: 'string', i: 'integer', b: 'boolean', t: 'datetime', a: 'array' } as const
    database = await openQueryDatabase({
      tables: [table('row', types)],
      user: [property('team', 'string')],
      profiles: [],
    })
    await database.insert('row', [
      { properties: { s: 'one', i: 1, b: true, t: '2020-01-01T00:00:00.000Z', a: ['one'] } },
    ])
  })
  afterAll(() => database.close())

  const RANGES = ['gt', 'gte', 'lt', 'lte']
  /** All conditions, each in a separate filter. */
  const EACH = [...KEYS.string, ...KEYS.list, ...RANGES]
  const ALL = `query (${EACH.map((key) => `$${key}: [PropertyFilterInput!]`).join(', ')}) { ${EACH.map(
    (key) =>
      `${key}: records(per_page: 2, filter: { table: { value: "row" }, properties: $${key} }) { total_entries results { id } }`,
  ).join(' ')} }`

  const DOCUMENT = `query ($p: [PropertyFilterInput!]) { records(per_page: 2, filter: { table: { value: "row" }, properties: $p }) { total_entries results { id } } }`

  for (const [at, value] of VALUES.entries()) {
    it(`${at}: ${JSON.stringify(value.slice(0, 30))} in every condition`, async () => {
      for (const name of names) {
        const given = (key: string) =>
          RANGES.includes(key)
            ? { range: { [key]: value } }
            : { [key]: KEYS.list.includes(key) ? [value, 'other'] : value }
        const answer = await database.ask(ALL, Object.fromEntries(EACH.map((key) => [key, [{ name, ...given(key) }]])))
        for (const key of [...KEYS.string, ...KEYS.list]) {
          const all = key.startsWith('not_')
          const found = answer[key].total_entries
          // The text of a list is JSON, including its brackets.
          if (name === 'a' && '["one"]'.includes(value)) continue
          expect(found, `${name} ${key}`).toBe(all ? 1 : 0)
        }
      }
    })

    it(`${at}: ${JSON.stringify(value.slice(0, 30))} in columns, sorts and full text`, async () => {
      const text = { value, value_in: [value], not_value: value, contains: value }
      const document = `query ($text: StringFilter, $id: UniqIdFilter, $date: DateFilter, $words: Query) {
        a: records(per_page: 1, filter: { external_id: $text }) { total_entries }
        b: records(per_page: 1, filter: { id: $id, user_id: $id, table_id: $id }) { total_entries }
        c: records(per_page: 1, filter: { created_at: $date, deleted_at: $date }) { total_entries }
        d: records(per_page: 1, filter: { table: { value: "row" }, fulltext: $words }) { total_entries }
        e: users(per_page: 1, filter: { email: $text, name: $text, external_id: $id }) { total_entries }
      }`
      const id = { value, value_in: [value], not_value_in: [value], range: { gt: value, lte: value } }
      const date = { value, gt: value, lte: value, not_value: value, value_in: [value] }
      const data = await database.ask(document, { text, id, date, words: { keyword: value } })
      expect(data['b'].total_entries).toBe(0)
      const sorts = `query ($v: [String!]) { records(per_page: 1, sort: [{ external_id: { order: ASC, order_by_values: $v } }, { created_at: { order: DESC, order_by_values: $v } }]) { results { id } } }`
      expect((await database.ask(sorts, { v: [value] }))['records'].results).toHaveLength(1)
    })

    it(`${at}: ${JSON.stringify(value.slice(0, 30))} as a name`, async () => {
      const one = 'query ($n: String!, $t: String, $j: String!) { records(per_page: 1'
      const table = 'filter: { table: { value: "row" }'
      const unknown = [
        `${one}, ${table}, properties: [{ name: $n, value: "x" }] }) { total_entries } }`,
        `${one}, ${table} }, sort: [{ properties: [{ name: $n, order: ASC }] }]) { results { id } } }`,
        `${one}, ${table} }) { results { property(name: $n) } } }`,
      ]
      for (const document of unknown) await database.ask(document, { n: value, t: value, j: value })
      const named = [
        `${one}, ${table} }) { results { related_records(table: "row", join_on_property: $j, foreign_property: $n) { id } } } }`,
        `${one}, filter: { table: { value: $t } }) { total_entries } }`,
      ]
      for (const document of named) {
        const complaints = await database.complaints(document, { n: value, t: value, j: value })
        expect(complaints, document).toHaveLength(1)
        expect(complaints[0], document).toMatch(/property|table/)
      }
      // Without a table, a property of any name may exist.
      const free = `query ($n: String!, $v: String) { records(per_page: 5, filter: { properties: [{ name: $n, value: $v, contains: $v, exists: true, range: { gt: $v } }] }, sort: [{ properties: [{ name: $n, order: ASC }] }]) { results { property(name: $n) property_int(name: $n) property_array(name: $n) } } }`
      expect((await database.ask(free, { n: value, v: value }))['records'].results).toEqual([])
    })
  }

  it('leave every row where it was', async () => {
    expect(await database.run('select count(*)::int as n from ingot.records')).toEqual([{ n: 1 }])
  })

  it('may be lists of ten thousand', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `${at}'`)
    const { records } = await database.ask(DOCUMENT, {
      p: [
        { name: 's', value_in: [...many, 'one'] },
        { name: 'a', array_overlaps: [...many, 'one'] },
      ],
    })
    expect(records.total_entries).toBe(1)
    const ids = `query ($ids: [ID!]) { records(per_page: 1, filter: { id: { not_value_in: $ids } }) { total_entries } }`
    expect((await database.ask(ids, { ids: many.map((_, at) => `${at + 1_000_000}`) }))['records'].total_entries).toBe(
      1,
    )
  })

  it('never change the statement', () => {
    const plan =
      planOperation(`query ($v: String, $in: [String!], $n: Int, $page: Int, $per: Int!, $id: ID) { records(page: $page, per_page: $per, filter: {
      table: { value: "row" }, id: { value: $id }, external_id: { value: $v, contains: $v }, created_at: { gt: $v }, fulltext: { keyword: $v },
      properties: [{ name: "s", value: $v, value_in: $in, contains: $v, range: { gt: $v } }, { name: "i", value: $v, value_int: $n }, { name: "a", value: $v, value_in: $in, array_contains: $in },
        { name: "t", value: $v, range: { lt: $v } }, { name: "b", value: $v }] }) { total_entries results { id } } }`)
    const text = (v: string) =>
      statementsOf(plan, { v, in: [v, v], n: v.length, page: v.length + 1, per: v.length, id: v }, database.catalog, {
        requireTableForDelete: false,
      })[0]?.sql.text
    const first = text('plain')
    // A text that is too long for an index has a separate statement, which all such texts share.
    const long = text('l'.repeat(300))
    for (const value of VALUES) expect(text(value)).toBe(value.length < 200 ? first : long)
    for (const value of VALUES.filter((one) => one.length > 12)) expect(first).not.toContain(value)
  })
})
