/** Conditions on properties: each condition, on every type and every kind of stored value, as a literal and as a variable. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PropertyType } from '../../../../../runtime/page/compiled.ts'
import { type QueryDatabase, openQueryDatabase, literal, table } from './run-query.ts'

type Condition = Readonly<Record<string, unknown>>
/** Rows by label with their stored value; undefined stores nothing. */
type Stored = Readonly<Record<string, unknown>>
/** A condition, and the labels of the rows that fulfill it. */
type Case = readonly [condition: Condition, labels: string]

interface Kind {
  readonly type: PropertyType
  readonly stored: Stored
  readonly cases: readonly Case[]
}

const LONG = 'long '.repeat(100)

const KINDS: Readonly<Record<string, Kind>> = {
  texts: {
    type: 'string',
    stored: {
      a: 'apple',
      b: 'Apple pie',
      c: '',
      d: undefined,
      e: null,
      f: '100%',
      g: 'a_b',
      h: '5',
      i: 'true',
      j: 'ÄPFEL',
      k: `${LONG}one`,
      l: `${LONG}two`,
      m: "'; drop table ingot.records; --",
      n: 'back\\slash',
    },
    cases: [
      [{ value: 'apple' }, 'a'],
      [{ value: 'Apple' }, ''],
      [{ value: 'APPLE', case_sensitive: false }, ''],
      [{ value: '' }, 'cde'],
      [{ value: '100%' }, 'f'],
      [{ value: '100_' }, ''],
      [{ value: `${LONG}one` }, 'k'],
      [{ value: LONG }, ''],
      [{ value: "'; drop table ingot.records; --" }, 'm'],
      [{ value: 'back\\slash' }, 'n'],
      [{ value: 'nul\0' }, ''],
      [{ not_value: 'nul\0' }, 'abcdefghijklmn'],
      [{ value: '\ud800' }, ''],
      [{ not_value: 'apple' }, 'bcdefghijklmn'],
      [{ not_value: '' }, 'abfghijklmn'],
      [{ not_value: `${LONG}one` }, 'abcdefghijlmn'],
      [{ value_in: ['apple', 'a_b'] }, 'ag'],
      [{ value_in: ['apple', ''] }, 'acde'],
      [{ value_in: [`${LONG}one`, 'x'] }, 'k'],
      [{ value_in: [`${LONG}one`, `${LONG}two`] }, 'kl'],
      [{ value_in: [] }, ''],
      [{ value_in: [], allow_empty: true }, 'abcdefghijklmn'],
      [{ value_in: ['nul\0', 'apple'] }, 'a'],
      [{ value_in: ['a","b', '}'] }, ''],
      [{ not_value_in: ['apple', 'a_b'] }, 'bcdefhijklmn'],
      [{ not_value_in: [] }, 'abcdefghijklmn'],
      [{ contains: 'PPL' }, 'ab'],
      [{ contains: 'PPL', case_sensitive: true }, ''],
      [{ contains: 'ppl', case_sensitive: true }, 'ab'],
      [{ contains: 'äpf' }, 'j'],
      [{ contains: '%' }, 'f'],
      [{ contains: '_' }, 'g'],
      [{ contains: '\\' }, 'n'],
      [{ contains: '' }, 'abcdefghijklmn'],
      [{ contains: 'g one' }, 'k'],
      [{ contains: 'nul\0' }, ''],
      // Rows whose property is missing or null do not match.
      [{ not_contains: 'p' }, 'cfghikln'],
      [{ starts_with: 'app' }, 'ab'],
      [{ starts_with: 'app', case_sensitive: true }, 'a'],
      [{ starts_with: '%' }, ''],
      [{ not_starts_with: 'app' }, 'cfghijklmn'],
      [{ ends_with: 'PIE' }, 'b'],
      [{ ends_with: 'PIE', case_sensitive: true }, ''],
      [{ ends_with: '\\slash' }, 'n'],
      [{ not_ends_with: 'e' }, 'cfghjlmn'],
      [{ not_contains: 'nul\0' }, 'abcfghijklmn'],
      [{ value_int: 5 }, 'h'],
      [{ not_value_int: 5 }, 'abcdefgijklmn'],
      [{ value_float: 5.0 }, 'h'],
      [{ value_boolean: true }, 'i'],
      [{ not_value_boolean: true }, 'abcdefghjklmn'],
      [{ exists: true }, 'abcfghijklmn'],
      [{ exists: false }, 'de'],
      [{ range: { gte: 'a', lt: 'b' } }, 'ag'],
      [{ range: { gt: 'back\\slash', lte: 'true' } }, 'ikl'],
      [{ starts_with: 'a', contains: 'b' }, 'g'],
      [{ value: 'apple', not_value: 'apple' }, ''],
      [{ array_contains: ['apple'] }, ''],
      [{ array_overlaps: ['apple'] }, ''],
      [{ value: '5', property_type: 'integer' }, 'h'],
      [{ range: { gte: '4', lte: '6' }, property_type: 'integer' }, 'h'],
    ],
  },
  numbers: {
    type: 'integer',
    stored: { a: 5, b: -3, c: 10, d: undefined, e: null, f: 0, g: 'five', h: [1, 2], i: '7' },
    cases: [
      [{ value: '5' }, 'a'],
      [{ value: '5.0' }, 'a'],
      [{ value: ' 5 ' }, 'a'],
      [{ value: '5e0' }, 'a'],
      [{ value: 'five' }, ''],
      [{ value: '' }, 'degh'],
      [{ value: '7' }, 'i'],
      [{ value: '1e99' }, ''],
      [{ value: '9'.repeat(400) }, ''],
      [{ value: 'NaN' }, ''],
      [{ value: 'Infinity' }, ''],
      [{ value: '5; select 1' }, ''],
      [{ not_value: '5' }, 'bcdefghi'],
      [{ not_value: 'five' }, 'abcdefghi'],
      [{ value_in: ['5', '10', 'x'] }, 'ac'],
      [{ value_in: ['', '0'] }, 'defgh'],
      [{ not_value_in: ['5', '10'] }, 'bdefghi'],
      [{ value_int: 0 }, 'f'],
      [{ value_int: -3 }, 'b'],
      [{ value_float: 5.0 }, 'a'],
      [{ value_float: 5.5 }, ''],
      [{ range: { gt: '0' } }, 'aci'],
      [{ range: { gte: '0' } }, 'acfi'],
      [{ range: { lt: '0' } }, 'b'],
      [{ range: { lte: '0' } }, 'bf'],
      [{ range: { gt: '-10', lt: '10' } }, 'abfi'],
      [{ range: { gt: '4.5', lt: '5.5' } }, 'a'],
      [{ range: { gte: '9' } }, 'c'],
      [{ range: { gte: 'many' } }, ''],
      // A blank bound has no effect.
      [{ range: { gte: '' } }, 'abcdefghi'],
      [{ range: { gte: ' ', lt: '0' } }, 'b'],
      [{ contains: '0' }, 'cf'],
      [{ starts_with: '1' }, 'c'],
      [{ exists: true }, 'abcfghi'],
      [{ exists: false }, 'de'],
      [{ value_boolean: false }, 'f'],
    ],
  },
  decimals: {
    type: 'decimal',
    stored: { a: 9.5, b: 10, c: 1e300, d: undefined },
    cases: [
      [{ value: '9.50' }, 'a'],
      [{ range: { gte: '9.5', lte: '10.00' } }, 'ab'],
      [{ range: { gt: '1e10' } }, ''.concat('c')],
      [{ value_float: 9.5 }, 'a'],
    ],
  },
  flags: {
    type: 'boolean',
    stored: { a: true, b: false, c: undefined, d: null, e: 't', f: 'maybe' },
    cases: [
      [{ value: 'true' }, 'ae'],
      [{ value: 'TRUE' }, 'ae'],
      [{ value: 'false' }, 'b'],
      [{ value: '' }, 'cdf'],
      [{ value: 'maybe' }, ''],
      [{ value_boolean: true }, 'ae'],
      [{ value_boolean: false }, 'b'],
      [{ not_value_boolean: true }, 'bcdf'],
      [{ not_value: 'false' }, 'acdef'],
      [{ value_in: ['true', 'false'] }, 'abe'],
      [{ exists: false }, 'cd'],
    ],
  },
  times: {
    type: 'datetime',
    stored: {
      a: '2020-01-01T00:00:00.000Z',
      b: '2020-06-15T12:30:00.500Z',
      c: '1999-12-31T23:59:59.999Z',
      d: undefined,
      e: 'yesterday',
      f: null,
    },
    cases: [
      [{ value: '2020-01-01' }, 'a'],
      [{ value: '2020-01-01T00:00:00Z' }, 'a'],
      [{ value: '2020-01-01T01:00:00+01:00' }, 'a'],
      [{ value: '2020-01-01 00:00:00 +0000' }, 'a'],
      [{ value: '1577836800' }, 'a'],
      [{ value: 'yesterday' }, ''],
      [{ value: '' }, 'def'],
      [{ value_in: ['2020-01-01', '1999-12-31T23:59:59.999Z'] }, 'ac'],
      [{ not_value: '2020-01-01' }, 'bcdef'],
      [{ range: { gte: '2020-01-01' } }, 'ab'],
      [{ range: { gt: '2020-01-01' } }, 'b'],
      [{ range: { lt: '2020-01-01' } }, 'c'],
      // A date includes the entire day, in every format.
      [{ range: { lte: '2020-06-15' } }, 'abc'],
      [{ range: { lte: '"2020-06-15"' } }, 'abc'],
      [{ range: { lte: '2020-06-14' } }, 'ac'],
      [{ range: { gt: '2020-06-15' } }, ''],
      [{ range: { gt: '2020-06-14' } }, 'b'],
      [{ range: { gte: '1999-12-31', lt: '2020-06-15' } }, 'ac'],
      [{ range: { lte: '2020-06-15T00:00' } }, 'ac'],
      [{ range: { gt: '2020-06-15 12:30' } }, 'b'],
      [{ range: { gte: '946684799', lt: '2020-06-15T12:30:00.501Z' } }, 'abc'],
      [{ range: { gte: 'soon' } }, ''],
      [{ range: { gt: '', lte: '2020-06-14' } }, 'ac'],
      [{ range: { lte: '99999-01-01' } }, ''],
      [{ contains: '-06-' }, 'b'],
      [{ exists: true }, 'abce'],
    ],
  },
  days: {
    type: 'date',
    stored: { a: '2020-01-01', b: '2020-02-29', c: undefined },
    cases: [
      [{ value: '2020-02-29T10:00:00Z' }, 'b'],
      [{ value: '2020-02-30' }, ''],
      [{ range: { gte: '2020-01-02', lte: '2020-12-31' } }, 'b'],
      [{ range: { lte: '2020-01-01' } }, 'a'],
    ],
  },
  clocks: {
    type: 'time',
    stored: { a: '08:30:00', b: '17:05:09', c: undefined },
    cases: [
      [{ value: '8:30' }, 'a'],
      [{ range: { gt: '12:00' } }, 'b'],
      [{ range: { lt: '17:05:10' } }, 'ab'],
    ],
  },
  lists: {
    type: 'array',
    stored: { a: ['red', 'blue'], b: ['red'], c: [], d: undefined, e: null, f: ['Red wine', "o'clock"], g: 'red' },
    cases: [
      [{ value: 'red' }, 'abg'],
      [{ value: 'Red' }, ''],
      [{ value: '' }, 'cde'],
      [{ value: "o'clock" }, 'f'],
      [{ not_value: 'red' }, 'cdef'],
      // All elements are in the list, in any order. This is not `array_overlaps`.
      [{ value_in: ['blue', 'green'] }, ''],
      [{ value_in: ['blue', 'red'] }, 'abg'],
      [{ value_in: ['green', 'blue', 'red'] }, 'abg'],
      [{ value_in: ['red'] }, 'bg'],
      [{ value_in: ['', 'red'] }, 'bcdeg'],
      [{ value_in: ["o'clock", 'Red wine'] }, 'f'],
      [{ value_in: [] }, ''],
      [{ value_in: [], allow_empty: true }, 'abcdefg'],
      [{ not_value_in: ['red'] }, 'acdef'],
      [{ not_value_in: ['blue', 'red'] }, 'cdef'],
      [{ not_value_in: ['', 'red'] }, 'af'],
      [{ value_array: ['red', 'blue'] }, 'a'],
      [{ value_array: ['blue', 'red'] }, ''],
      [{ value_array: [] }, 'cd'],
      [{ not_value_array: ['red'] }, 'acdefg'],
      [{ array_contains: ['red'] }, 'abg'],
      [{ array_contains: ['red', 'blue'] }, 'a'],
      [{ array_contains: ['red\0'] }, ''],
      [{ not_array_contains: ['blue'] }, 'bcdefg'],
      [{ array_overlaps: ['blue', 'red'] }, 'abg'],
      [{ array_overlaps: ['green'] }, ''],
      [{ array_overlaps: [] }, ''],
      [{ array_overlaps: [], allow_empty: true }, 'abcdefg'],
      [{ not_array_overlaps: ['red'] }, 'cdef'],
      [{ contains: 'WINE' }, 'f'],
      [{ exists: true }, 'abcfg'],
    ],
  },
  uploads: {
    type: 'upload',
    stored: { a: { path: 'x.png', file_name: 'x.png' }, b: undefined },
    cases: [
      [{ exists: true }, 'a'],
      [{ value: '' }, 'b'],
      [{ contains: 'x.png' }, 'a'],
      // The keys of an object are not elements.
      [{ array_contains: ['path'] }, ''],
      [{ array_overlaps: ['path'] }, ''],
    ],
  },
  places: {
    type: 'geojson',
    stored: {
      a: { type: 'Point', coordinates: [19.94, 50.06] },
      b: { type: 'Point', coordinates: [21.01, 52.23] },
      c: undefined,
      d: { type: 'Point', coordinates: ['x', 1e300] },
      e: { type: 'Polygon', coordinates: [[[0, 0]]] },
      f: 'POINT(1 1)',
    },
    cases: [
      [{ distance_sphere: { center: { type: 'Point', coordinates: [19.9, 50.0] }, distance_in_km: 50 } }, 'a'],
      [{ distance_sphere: { center: { type: 'Point', coordinates: [19.9, 50.0] }, distance_in_km: 400 } }, 'ab'],
      [{ distance_sphere: { center: { type: 'Point', coordinates: [-160, -50] }, distance_in_km: 10 } }, ''],
      [{ distance_sphere: { center: { type: 'Point', coordinates: ['a'] }, distance_in_km: 10 } }, ''],
      [
        {
          within_radius: { point: { type: 'Point', coordinates: [19.9, 50.0] }, radius_in_km_from_property: 'radius' },
        },
        'a',
      ],
      [
        {
          not_within_radius: {
            point: { type: 'Point', coordinates: [19.9, 50.0] },
            radius_in_km_from_property: 'radius',
          },
        },
        'bcdef',
      ],
    ],
  },
}

describe('conditions', () => {
  let database: QueryDatabase

  beforeAll(async () => {
    const tables = Object.entries(KINDS).map(([name, { type }]) =>
      table(name, { label: 'string', v: type, radius: 'integer' }),
    )
    database = await openQueryDatabase({ tables, user: [], profiles: [] })
    for (const [name, { stored }] of Object.entries(KINDS)) {
      const rows = Object.entries(stored).map(([label, v]) => ({
        properties: { label, radius: 50, ...(v === undefined ? {} : { v }) },
      }))
      await database.insert(name, rows)
    }
  })
  afterAll(() => database.close())

  async function labels(document: string, variables?: Readonly<Record<string, unknown>>): Promise<string> {
    const { records } = await database.ask(document, variables)
    const results: readonly { readonly label: string }[] = records.results
    return results
      .map(({ label }) => label)
      .toSorted()
      .join('')
  }
  const shown = 'results { label: property(name: "label") }'

  for (const [name, { cases }] of Object.entries(KINDS)) {
    for (const [condition, expected] of cases) {
      const written = literal(condition)
      const title = written.length > 100 ? `${written.slice(0, 100)}…` : written
      it(`${name}: ${title} finds ${expected === '' ? 'nothing' : expected}`, async () => {
        const filter = `table: { value: "${name}" }, properties: [${literal({ name: 'v', ...condition })}]`
        // A document cannot contain an unpaired surrogate.
        if (!/\\ud[89a-f]/i.test(written)) {
          expect(await labels(`{ records(per_page: 100, filter: { ${filter} }) { ${shown} } }`)).toBe(expected)
        }
        const variables = `query ($p: [PropertyFilterInput!]) {
          records(per_page: 100, filter: { table: { value: "${name}" }, properties: $p }) { ${shown} }
        }`
        expect(await labels(variables, { p: [{ name: 'v', ...condition }] })).toBe(expected)
        // The same table, identified by its number, has the same property types.
        const numbered = `query ($t: ID, $p: [PropertyFilterInput!]) {
          records(per_page: 100, filter: { table_id: { value: $t }, properties: $p }) { ${shown} }
        }`
        const t = String(database.catalog.tableId(name))
        expect(await labels(numbered, { t, p: [{ name: 'v', ...condition }] })).toBe(expected)
      })
    }
  }

  it('orders by distance, the nearest first', async () => {
    const near = (
      sort: string,
    ) => `{ records(per_page: 9, filter: { table: { value: "places" }, properties: [{ name: "v",
      distance_sphere: { center: { type: "Point", coordinates: [21, 52] }, distance_in_km: 1000, sort: ${sort} } }] }) { ${shown} } }`
    const order = async (sort: string) =>
      (await database.ask(near(sort))).records.results.map(({ label }: { label: string }) => label)
    expect(await order('ASC')).toEqual(['b', 'a'])
    expect(await order('DESC')).toEqual(['a', 'b'])
    expect(await order('NONE')).toEqual(['a', 'b'])
  })

  it('are dropped with their value', async () => {
    const document = `query ($v: String, $in: [String!], $flag: Boolean, $from: String) {
      records(per_page: 100, filter: { table: { value: "texts" }, properties: [
        { name: "v", value: $v, value_in: $in, exists: $flag, range: { gte: $from } }] }) { ${shown} } }`
    expect(await labels(document)).toBe('abcdefghijklmn')
    expect(await labels(document, { v: null, in: null })).toBe('abcdefghijklmn')
    expect(await labels(document, { v: 'apple' })).toBe('a')
    expect(await labels(document, { flag: false })).toBe('de')
  })

  it('have no bound while it is blank', async () => {
    const document = `query ($from: String, $range: RangeFilter) { records(per_page: 100, filter: { table: { value: "numbers" },
      properties: [{ name: "v", range: { gte: $from } }, { name: "v", range: $range }] }) { ${shown} } }`
    const all = 'abcdefghi'
    for (const [from, range, expected] of [
      ['', null, all],
      ['5', null, 'aci'],
      [' ', { lt: '' }, all],
      ['8', { lt: '' }, 'c'],
      ['', { gte: '', lt: '0' }, 'b'],
    ] as const)
      expect(await labels(document, { from, range }), `${from} ${JSON.stringify(range)}`).toBe(expected)
  })

  it('of `or` hold one by one; what is left empty is dropped', async () => {
    const document = `query ($a: String, $b: String, $c: Int) {
      records(per_page: 100, filter: { table: { value: "texts" }, or: [
        { properties: [{ name: "v", value: $a }] },
        { properties: [{ name: "v", value: $b }, { name: "v", value_int: $c }] }] }) { ${shown} } }`
    expect(await labels(document)).toBe('abcdefghijklmn')
    expect(await labels(document, { a: 'apple' })).toBe('a')
    expect(await labels(document, { a: 'apple', c: 5 })).toBe('ah')
    expect(await labels(document, { a: 'apple', b: '5', c: 6 })).toBe('a')
  })

  it('of a name that no table declares find what is stored without a declaration, which is nothing', async () => {
    const document = `{ records(per_page: 1, filter: { table: { value: "texts" }, properties: [{ name: "lable", value: "x" }] }) { total_entries } }`
    expect(await database.ask(document)).toEqual({ records: { total_entries: 0 } })
  })

  it('need no declared name without a table', async () => {
    const document = `query ($name: String!, $v: String) {
      records(per_page: 100, filter: { properties: [{ name: $name, value: $v }] }, sort: [{ properties: [{ name: $name, order: ASC }] }]) { ${shown} } }`
    expect(await labels(document, { name: 'v', v: 'apple' })).toBe('a')
    expect(await labels(document, { name: "v' or true --", v: 'apple' })).toBe('')
    expect(await labels(document, { name: 'nul\0', v: 'apple' })).toBe('')
  })
})
