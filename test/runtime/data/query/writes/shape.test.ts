import { describe, expect, it } from 'vitest'
import { planningCatalog } from '../../../../../runtime/data/query/catalog.ts'
import { planOperation } from '../../../../../runtime/data/query/index.ts'
import { coerceVariables } from '../../../../../runtime/data/query/coerce.ts'
import { prepare } from '../../../../../runtime/data/query/statement.ts'
import { DATA } from './write-fixture.ts'

const catalog = planningCatalog(DATA)

/** Returns whether both sets of variables use the same statement. */
function shared(
  document: string,
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  const plan = planOperation(document)
  const prepared = (given: Readonly<Record<string, unknown>>): unknown => {
    const { values, problems } = coerceVariables(plan.declaredVariables, given)
    expect(problems).toEqual([])
    return prepare(plan, values, catalog, { requireTableForDelete: false })
  }
  return prepared(one) === prepared(other)
}

const RECORD = 'mutation($r: RecordInputType!) { record_create(record: $r) { id } }'
const VALUES =
  'mutation($id: ID!, $v: String, $n: Int, $by: Float, $at: JSONDate) { record_update(id: $id, record: { created_at: $at, properties: [{ name: "title", value: $v }, { name: "views", value_int: $n, increment: $by }] }) { id } }'

describe('one statement serves', () => {
  it.each([
    [
      RECORD,
      { r: { table: 'post', properties: [{ name: 'title', value: 'a' }] } },
      { r: { table: 'post', properties: [{ name: 'title', value: 'b' }] } },
    ],
    [VALUES, { id: 1, v: 'a', n: 1, by: 1, at: '2020-01-01' }, { id: 2, v: 'b', n: 2, by: 2, at: '2021-01-01' }],
    [
      'mutation($r: [RecordsCreateInputType!]!) { records_create_rc(records: $r) { id } }',
      { r: [{ table: 'post' }] },
      { r: [{ table: 'note', properties: { body: 'x' } }, { table: 'post' }] },
    ],
    [
      'mutation($u: UserInputType!) { user_create(user: $u) { id } }',
      { u: { email: 'a@b.c', name: 'A' } },
      { u: { email: 'd@e.f', name: 'B' } },
    ],
    [
      'mutation($n: String!, $v: String!) { constant_set(name: $n, value: $v) { name } }',
      { n: 'a', v: 'b' },
      { n: 'c', v: 'd' },
    ],
    [
      'mutation($p: ActivityStreamsPayload!) { activity_create(payload: $p) { id } }',
      { p: { a: 1 } },
      { p: { b: [2] } },
    ],
    ['mutation($id: ID!) { record_delete(id: $id) { id } }', { id: 1 }, { id: 'x' }],
    [
      'mutation($v: String) { records_delete_all(table: "post", filter: { properties: [{ name: "title", value: $v }] }) { count } }',
      { v: 'a' },
      { v: 'b' },
    ],
  ])('%s whatever the values', (document, one, other) => {
    expect(shared(document, one, other)).toBe(true)
  })

  it.each([
    [RECORD, { r: { table: 'post' } }, { r: { table: 'note' } }],
    [
      RECORD,
      { r: { table: 'post', properties: [{ name: 'title', value: 'a' }] } },
      { r: { table: 'post', properties: [{ name: 'views', value: '1' }] } },
    ],
    [VALUES, { id: 1, v: 'a' }, { id: 1, v: null }],
    [VALUES, { id: 1, by: 1 }, { id: 1, n: 1 }],
  ])('%s not where another table, name, or form of value is given', (document, one, other) => {
    expect(shared(document, one, other)).toBe(false)
  })
})
