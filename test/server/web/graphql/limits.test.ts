/** The limits of operations from outside. */
import { describe, expect, test } from 'vitest'
import { getIntrospectionQuery } from 'graphql'
import { adminFields } from '../../../../runtime/data/query/admin-fields.ts'
import { analyzeRequest } from '../../../../server/web/graphql/endpoint/limits.ts'
import { measureCost } from '../../../support/cost.ts'

function refusal(document: string, variables: Record<string, unknown> = {}, name: string | null = null): string | null {
  const reading = analyzeRequest(document, name, variables)
  return 'refusal' in reading ? reading.refusal : null
}

describe('limits', () => {
  test('leave ordinary queries, and the introspection of tools, alone', () => {
    expect(refusal('{ records(per_page: 20) { results { id related_records { id } } } }')).toBe(null)
    expect(refusal(getIntrospectionQuery())).toBe(null)
  })

  test('depth: twenty levels are answered, one more is not', () => {
    const deep = (levels: number): string => '{ a '.repeat(levels) + '}'.repeat(levels)
    expect(refusal(deep(20))).toBe(null)
    expect(refusal(deep(21))).toMatch(/21 levels/)
    expect(refusal(deep(6_000))).toMatch(/levels|words/)
    expect(refusal(`{ a(b: ${'['.repeat(15_000)}) }`)).toMatch(/levels|words/)
  })

  test('depth counts through fragments', () => {
    const chain = Array.from({ length: 21 }, (_, at) => `fragment f${at} on T { a { ...f${at + 1} } }`).join('\n')
    expect(refusal(`{ ...f0 }\n${chain}\nfragment f21 on T { a }`)).toMatch(/22 levels/)
  })

  test('fields of a fragment count wherever it is spread: a small text that asks for billions is refused at once', () => {
    const levels = Array.from(
      { length: 18 },
      (_, at) => `fragment f${at} on T { ...f${at + 1} ...f${at + 1} ...f${at + 1} ...f${at + 1} }`,
    )
    const cost = measureCost()
    expect(refusal(`{ ...f0 }\n${levels.join('\n')}\nfragment f18 on T { a b c }`)).toMatch(/more than 2,000 fields/)
    expect(cost()).toBeLessThan(1_000)
  })

  test('a fragment that spreads itself ends nowhere, and is left to planning', () => {
    expect(refusal('{ ...f } fragment f on T { a ...f }')).toBe(null)
    expect(refusal('{ ...f } fragment f on T { ...g } fragment g on T { a { ...f } }')).toBe(null)
  })

  test('fields, aliases, and fields at the top are counted', () => {
    const many = (count: number, text: (at: number) => string): string =>
      Array.from({ length: count }, (_, at) => text(at)).join(' ')
    expect(refusal(`{ r { ${many(1_999, () => 'a')} } }`)).toBe(null)
    expect(refusal(`{ r { ${many(2_000, () => 'a')} } }`)).toMatch(/fields/)
    expect(refusal(`{ r { ${many(500, (at) => `a${at}: a`)} } }`)).toBe(null)
    expect(refusal(`{ r { ${many(501, (at) => `a${at}: a`)} } }`)).toMatch(/aliases/)
    expect(refusal(`{ ${many(51, () => 'a')} }`)).toMatch(/at the top level/)
    expect(refusal(`{ a(b: "${'x '.repeat(100)}") ${many(20_000, () => '# x\n,')} }`)).toBe(null)
    expect(refusal(`{ a(b: [${many(20_000, () => '1')}]) }`)).toMatch(/words and signs/)
  })

  test('rows: a page has at most ten thousand, and lists in lists are multiplied', () => {
    expect(refusal('{ records(per_page: 10000) { results { id } } }')).toBe(null)
    expect(refusal('{ records(per_page: 10001) { results { id } } }')).toMatch(/10,001 rows.*at most 10,000/)
    expect(refusal('{ records(per_page: 1000) { results { related_records(limit: 99) { id } } } }')).toBe(null)
    expect(refusal('{ records(per_page: 1000) { results { related_records(limit: 100) { id } } } }')).toMatch(
      /100,000 rows/,
    )
    expect(refusal('{ records(per_page: 10000) { results { related_records { id } } } }')).toMatch(/100,000 rows/)
    expect(refusal('{ records(per_page: 10000) { results { remote_users { id } } } }')).toMatch(/100,000 rows/)
  })

  test('rows are read from variables and their defaults too', () => {
    const query = 'query($n: Int = 20000) { records(per_page: $n) { results { id } } }'
    expect(refusal(query)).toMatch(/20,000 rows/)
    expect(refusal(query, { n: 5 })).toBe(null)
    expect(refusal(query, { n: '30000' })).toMatch(/30,000 rows/)
    expect(refusal(query, { n: Number.MAX_SAFE_INTEGER })).toMatch(/rows/)
    expect(refusal(query, { n: null })).toBe(null)
    expect(refusal(query.replace('Int', 'Int!'), { n: null })).toMatch(/20,000 rows/)
    expect(refusal('{ records(per_page: 99999999999999999999999) { results { id } } }')).toMatch(/rows/)
    expect(refusal('{ records(per_page: -5) { results { id } } }')).toBe(null)
  })

  test('rows are read as the planner reads them, however a whole number is written', () => {
    const query = 'query($n: Int) { records(per_page: $n) { results { id } } }'
    for (const n of ['+1000000', '1e6', '1000000.0', ' 1000000. ', '10000.01e2', '1E+6', 1e6, 1_000_000n, '.1e7'])
      expect(refusal(query, { n }), String(n)).toMatch(/1,000,000 rows/)
    for (const n of ['+5', '5e0', '5.0', '.5e1']) expect(refusal(query, { n }), n).toBe(null)
    expect(refusal(query.replace('Int', 'Int = 1000000.0'), {})).toMatch(/rows/)
    expect(refusal('{ records(per_page: 1e6) { results { id } } }')).toMatch(/rows/)
    expect(refusal('{ records(per_page: "+1000000") { results { id } } }')).toMatch(/rows/)
    // A value that is not a number passes this check. The planner rejects it.
    for (const n of [[1_000_000], { n: 1_000_000 }, true, '1e', '1_000_000', '0x100000', `${'1'.repeat(200_000)}x`])
      expect(refusal(query, { n })).toBe(null)
  })

  test('groups of aggregations are rows, and nested ones multiply, in the document and in variables', () => {
    const query = 'query($a: [ListingAggregation]) { models(aggregations: $a) { total_entries } }'
    const terms = (size: unknown, aggregations: readonly unknown[] = []): unknown => ({ name: 'a', size, aggregations })
    const metric = { name: 'm', type: 'avg' }
    expect(refusal(query, { a: [{ fields: [terms(200, [terms(200, [metric])])] }] })).toBe(null)
    expect(refusal(query, { a: [{ fields: [terms('1e6')] }] })).toMatch(/1,000,000 rows/)
    expect(refusal(query, { a: { name: 'n', fields: [terms(400, [terms(400)])] } })).toMatch(/100,000 rows/)
    expect(refusal(query, { a: [{ fields: [terms(null, [terms(null, [terms(null)])])] }] })).toMatch(/100,000 rows/)
    const document = '{ models(aggregations: [{ fields: [{ name: "a", size: 20000 }] }]) { total_entries } }'
    expect(refusal(document)).toMatch(/20,000 rows/)
    const inside = 'query($n: Int) { models(aggregations: [{ fields: [{ name: "a", size: $n }] }]) { total_entries } }'
    expect(refusal(inside, { n: '2e4' })).toMatch(/20,000 rows/)
  })

  test('only the operation that runs is judged', () => {
    const document =
      'query a { records(per_page: 5) { results { id } } } query b { records(per_page: 50000) { results { id } } }'
    expect(refusal(document, {}, 'a')).toBe(null)
    expect(refusal(document, {}, 'b')).toMatch(/rows/)
    expect(analyzeRequest(document, null, {})).toEqual({ unclear: true })
    expect(analyzeRequest(document, 'c', {})).toEqual({ unclear: true })
    expect(analyzeRequest('{', null, {})).toEqual({ unclear: true })
  })

  test('rights see every field, those in fragments too', () => {
    const reading = analyzeRequest(
      'mutation { ...m } fragment m on RootMutation { x: constant_set(name: "a", value: "b") { name } ... on RootMutation { record_create { id } } }',
      null,
      {},
    )
    if (!('demand' in reading)) throw new Error('it was refused')
    expect(reading.demand.kind).toBe('mutation')
    expect(adminFields(reading.demand.document)).toEqual(['constant_set', 'name'])
  })
})
