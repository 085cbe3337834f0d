/** Plans and their statements: which statements are cached for which variables, and which documents are valid. */
import { describe, expect, it } from 'vitest'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import {
  analyze,
  type Plan,
  planOperation,
  QueryError,
  type ShapeHost,
  statementsOf,
} from '../../../../runtime/data/query/index.ts'
import { planningCatalog } from '../../../../runtime/data/query/catalog.ts'
import { coerceVariables } from '../../../../runtime/data/query/coerce.ts'
import { prepare } from '../../../../runtime/data/query/statement.ts'
import { NO_ACCOUNTS } from './no-accounts.ts'

const property = (name: string, type: DataSchema['user'][number]['type']) => ({
  name,
  type,
  default: null,
  belongsTo: null,
  options: null,
})
const DATA: DataSchema = {
  tables: [
    {
      name: 'book',
      file: 'app/schema/book.yml',
      properties: [property('title', 'string'), property('pages', 'integer'), property('tags', 'array')],
    },
    { name: 'author', file: 'app/schema/author.yml', properties: [property('name', 'string')] },
  ],
  user: [],
  profiles: [],
}
const CATALOG = planningCatalog(DATA)
const OPTIONS = { requireTableForDelete: false }
const HOST: ShapeHost = { open: (text) => text, seal: (text) => text, fileUrl: () => null, accounts: NO_ACCOUNTS }

function prepared(plan: Plan, variables: Readonly<Record<string, unknown>>) {
  return prepare(plan, coerceVariables(plan.declaredVariables, variables).values, CATALOG, OPTIONS)
}

const SEARCH = `query ($table: String = "book", $title: String, $in: [String!], $tag: String!, $order: SortOrderEnum = ASC,
    $filter: RecordsFilterInput!, $sort: [RecordsSortInput!], $long: Boolean = false, $name: String = "title") {
  records(
    per_page: 5
    sort: $sort
    filter: { table: { value: $table }, or: [$filter], properties: [{ name: $name, value: $title, value_in: $in }, { name: "tags", array_contains: [$tag] }] }
  ) {
    total_entries
    results { id p: property(name: $name) ...more @include(if: $long) }
  }
}
fragment more on Record { created_at properties }`

describe('a statement', () => {
  it('is written once for a shape', () => {
    const plan = planOperation(SEARCH)
    const first = prepared(plan, { title: 'a' })
    expect(prepared(plan, { title: 'b' })).toBe(first)
    expect(prepared(plan, { title: null, in: ['x'] })).not.toBe(first)
    expect(prepared(plan, { title: 'a', name: 'pages' })).not.toBe(first)
    expect(prepared(plan, { title: 'c' })).toBe(first)
  })

  it('puts all properties of a row together as text, and has the database parse none of it', () => {
    const text = (selection: string): string =>
      prepared(
        planOperation(`{ records(per_page: 1, filter: { table: { value: "book" } }) { results { ${selection} } } }`),
        {},
      ).query?.sql.text ?? ''
    expect(text('id properties')).toContain('undeclared')
    // Undeclared properties, which few rows have, are stored separately. Reading them requires a merge of their keys.
    expect(text('id properties').match(/::jsonb?\b/g)).toEqual(['::jsonb'])
    expect(text('id title: property(name: "title")')).not.toMatch(/undeclared|::jsonb?\b/)
  })

  it('is the one that a fresh plan would write, whatever came before', () => {
    const plan = planOperation(SEARCH)
    let state = 7
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    const pick = <T>(...values: readonly T[]): T => values[random(values.length)]!
    for (let turn = 0; turn < 400; turn++) {
      const variables = {
        title: pick(null, '', 'a', "b'c"),
        in: pick(null, [], ['a'], ['a', 'b']),
        tag: pick(null, 'x', ''),
        name: pick('title', 'pages'),
        long: pick(true, false, null),
        filter: pick<unknown>(
          null,
          {},
          { id: { value: '1' } },
          { properties: [{ name: pick('title', 'pages'), value: '1' }] },
          { id: { value_in: pick(['1'], []) } },
        ),
        sort: pick<unknown>(
          null,
          [],
          [{ created_at: { order: pick('ASC', 'DESC') } }],
          [{ properties: [{ name: pick('title', 'pages'), order: 'ASC' }] }],
        ),
      }
      const kept = prepared(plan, variables).query
      const fresh = prepared(planOperation(SEARCH), variables).query
      expect(kept?.sql.text).toBe(fresh?.sql.text)
      const { values } = coerceVariables(plan.declaredVariables, variables)
      expect(kept?.values(values, null, HOST)).toEqual(fresh?.values(values, null, HOST))
    }
  })

  it('holds no value of a variable', () => {
    const plan = planOperation(SEARCH)
    const evil = "'; drop table ingot.records; --"
    const [statement] = statementsOf(
      plan,
      { title: evil, in: [evil], tag: evil, filter: { id: { value: evil } } },
      CATALOG,
      OPTIONS,
    )
    expect(statement?.sql.text).not.toContain('drop')
  })

  it('refuses tables that the site does not declare, and takes names of properties as text', () => {
    const plan = planOperation(SEARCH)
    const evil = "title'); drop table ingot.records; --"
    expect(() => prepared(plan, { title: 'a', table: evil })).toThrow(QueryError)
    const variables = [{ title: 'a', name: evil }, { sort: [{ properties: [{ name: evil, order: 'ASC' }] }] }]
    for (const given of variables) {
      expect(prepared(plan, given).query?.sql.text).not.toContain('drop table')
    }
  })

  it('keeps a bounded number of shapes', () => {
    const plan = planOperation(SEARCH)
    for (let turn = 0; turn < 300; turn++)
      prepared(plan, { filter: { or: Array.from({ length: turn }, () => ({ id: { value: '1' } })) } })
    const first = prepared(plan, { filter: { or: [] } })
    expect(prepared(plan, { filter: { or: [] } })).toBe(first)
  })

  it('is one for several root fields, however many', () => {
    const fields = Array.from(
      { length: 120 },
      (_, at) => `f${at}: records(per_page: 1, filter: { table: { value: "book" } }) { results { id } }`,
    )
    const statements = statementsOf(planOperation(`{ ${fields.join(' ')} }`), {}, CATALOG, OPTIONS)
    expect(statements).toHaveLength(1)
    expect(statements[0]?.sql.text).toContain('"f119":')
  })
})

describe('a document', () => {
  const problems = (document: string) => analyze(document, DATA).problems

  it.each([
    ['query { records(per_page: 1) { results { idd } }', 'syntax', 'Expected'],
    ['# nothing', 'syntax', 'Something is missing at the end.'],
    ['{ recordz(per_page: 1) { results { id } } }', 'invalid', 'Cannot query field `recordz`'],
    ['{ records { results { id } } }', 'invalid', 'per_page'],
    ['query ($a: String) { records(per_page: $a) { results { id } } }', 'variable-type', '`$a`'],
    ['{ records(per_page: 1, filter: { table: { value: "bok" } }) { results { id } } }', 'unknown-table', '`bok`'],
    [
      '{ records(per_page: 1, filter: { table: { value: "book" } }) { results { property(name: "titel") } } }',
      'unknown-property',
      '`titel`',
    ],
    [
      '{ records(per_page: 1, filter: { table: { value: "book" }, properties: [{ name: "pges", value: "1" }] }) { results { id } } }',
      'unknown-property',
      '`pges`',
    ],
    [
      '{ records(per_page: 1, filter: { table: { value: "book" } }, sort: [{ properties: [{ name: "pagse", order: ASC }] }]) { results { id } } }',
      'unknown-property',
      '`pagse`',
    ],
    [
      '{ records(per_page: 1, filter: { table: { value: "book" } }) { results { related_record(table: "auhtor", join_on_property: "id") { id } } } }',
      'unknown-table',
      '`auhtor`',
    ],
    [
      'mutation { record_create(record: { table: "book", properties: [{ name: "pages", value: "many" }] }) { id } }',
      'property-type',
      '`pages`',
    ],
  ])('%s is told as %s', (document, code, words) => {
    const [first] = problems(document)
    expect(first?.code).toBe(code)
    expect(first?.message).toContain(words)
    const { start = 0, end = 0 } = first?.range ?? {}
    expect(end).toBeGreaterThan(start)
  })

  it('may hold fragments, directives, defaults and variables of any place', () => {
    expect(problems(SEARCH)).toEqual([])
    const { result, variables } = analyze(SEARCH, DATA)
    expect(variables.map(({ name, type, required }) => [name, type, required])).toContainEqual([
      'in',
      '[String!]',
      false,
    ])
    expect(JSON.stringify(result, (_key, value: unknown) => (value instanceof Map ? [...value] : value))).toContain(
      'created_at',
    )
  })

  it('that is nested without end is refused, not followed', () => {
    const deep = `${'{a'.repeat(20_000)}${'}'.repeat(20_000)}`
    expect(() => planOperation(deep)).toThrow(QueryError)
    expect(problems(deep).length).toBeGreaterThan(0)
  })
})
