/** The planner composes the suggestions of graphql-js from names, instead of reading them in its errors. */
import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { type Problem, QueryError } from '../../../../runtime/data/query/model.ts'
import { planOperation } from '../../../../runtime/data/query/plan.ts'
import { schema } from '../../../../runtime/data/query/schema.ts'

const QUERIES = [
  'query q { records(per_page: 2) { results { idd } } }',
  'query q { records(per_page: 2) { results { creted_t } } }',
  'query q { records(per_pag: 2, per_page: 2) { total_entries } }',
  'query q { records(per_page: 2, filter: { propertie: [] }) { total_entries } }',
  'query q { records(per_page: 2, sort: { created_at: { order: DSC } }) { total_entries } }',
  'query q { records(per_page: 2, sort: { created_at: { order: "DESC" } }) { total_entries } }',
  'query q { records(per_page: 2, sort: { created_at: { order: null } }) { total_entries } }',
  'query q($a: Strng) { records(per_page: $a) { total_entries } }',
  'query q { records(per_page: 2) { results } }',
  'query q { records(per_page: 2) { total_entries @include(ifs: true, if: true) } }',
  'query q { records(per_page: 2) { xyzxyzxyz } }',
]

function problemsOf(document: string): readonly Problem[] {
  try {
    planOperation(document)
    return []
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return error.problems
  }
}

describe('the suggestions for a mistake', () => {
  it.each(QUERIES)('are those of graphql-js: %j', (document) => {
    const words = problemsOf(document).map(({ message, hint }) => (hint === null ? message : `${message} ${hint}`))
    const errors = validate(schema(), parse(document)).map(({ message }) => message.replaceAll('"', '`'))
    expect(words).toEqual(errors)
  })

  it('name what was meant, if it is one name', () => {
    const meant = QUERIES.flatMap((document) => problemsOf(document).map((each) => [each.mistake.name, each.meant]))
    expect(meant).toContainEqual(['per_pag', 'per_page'])
    expect(meant).toContainEqual(['results', 'results { ... }'])
    expect(meant).toContainEqual(['xyzxyzxyz', undefined])
    const [undeclared] = problemsOf(
      'query q($ids: ID) { records(per_page: 2, filter: { id: { value: $id } }) { total_entries } }',
    )
    expect(undeclared).toMatchObject({ mistake: { kind: 'undeclared variable', name: 'id' }, meant: 'ids' })
  })
})

describe('a rule that tells only its nodes', () => {
  it('names the nodes, so that two mistakes in one place differ', () => {
    const document = 'query q { records(per_page: 2) { results { a: id a: created_at a: updated_at } } }'
    const mistakes = problemsOf(document).map(({ mistake }) => mistake)
    expect(mistakes.length).toBeGreaterThan(1)
    expect(new Set(mistakes.map((each) => JSON.stringify(each))).size).toBe(mistakes.length)
    expect(mistakes[0]).toEqual({ kind: 'other rule', name: 'id created_at' })
  })
})
