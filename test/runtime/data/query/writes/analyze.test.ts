import { describe, expect, it } from 'vitest'
import { analyze } from '../../../../../runtime/data/query/index.ts'
import { DATA } from './write-fixture.ts'

/** Returns the problems that the compiler receives: the message and the text at its location. */
function heard(document: string): readonly (readonly [string, string])[] {
  return analyze(document, DATA).problems.map((problem) => [
    `${problem.code}: ${problem.message} ${problem.hint ?? ''}`.trim(),
    problem.range === null ? '' : document.slice(problem.range.start, problem.range.end),
  ])
}

describe('mutations in the compiler', () => {
  it.each([
    ['mutation { record_create(record: { table: "pots" }) { id } }', /unknown-table.*`pots`.*`post`/, '"pots"'],
    [
      'mutation { record_create(record: { table: "post", properties: [{ name: "titel", value: "x" }] }) { id } }',
      /unknown-property.*`titel`.*`title`/,
      '"titel"',
    ],
    [
      'mutation($v: String) { record_create(record: { table: "post", properties: [{ name: "titel", value: $v }] }) { id } }',
      /unknown-property.*`titel`/,
      '"titel"',
    ],
    [
      'mutation { record_create(record: { table: "post", properties: [{ name: "views", value: "many" }] }) { id } }',
      /property-type.*`views` is an integer/,
      '"many"',
    ],
    [
      'mutation { record_create(record: { table: "post", properties: [{ name: "views", value_boolean: true }] }) { id } }',
      /property-type.*`views` is an integer/,
      'true',
    ],
    [
      'mutation { record_create(record: { table: "post", properties: [{ name: "title", increment: 1 }] }) { id } }',
      /property-type.*`increment` needs a number/,
      '"title"',
    ],
    [
      'mutation { record_create(record: { table: "post", created_at: "soon" }) { id } }',
      /value.*is not a time/,
      '"soon"',
    ],
    ['mutation { record_create(record: { properties: [] }) { id } }', /needs the name of its table/, null],
    [
      'mutation($id: ID!) { record_update(id: $id, record: { properties: [{ name: "titel", value: "x" }] }) { id } }',
      /unknown-property.*`titel`.*`title`/,
      '"titel"',
    ],
    [
      'mutation($id: ID!) { record_update(id: $id, record: { properties: [{ name: "amount", value: "\\u0000" }] }) { id } }',
      /property-type.*`amount` is an? \w+ and cannot hold/,
      '"\\u0000"',
    ],
    ['mutation($id: ID!) { record_delete(id: $id, table: "pst") { id } }', /unknown-table.*`pst`/, '"pst"'],
    ['mutation { records_delete_all { count } }', /any_table: true/, null],
    [
      'mutation { records_delete_all(table: "post", filter: { properties: [{ name: "viws", value: "1" }] }) { count } }',
      /unknown-property.*`viws`.*`views`/,
      '"viws"',
    ],
    [
      'mutation { records_update_all(table: "post", record: { properties: [{ name: "viws", value: "1" }] }) { count } }',
      /unknown-property.*`viws`/,
      '"viws"',
    ],
    [
      'mutation { records_create_rc(records: [{ table: "post", properties: { titel: "x" } }]) { id } }',
      /unknown-property.*`titel`/,
      null,
    ],
    [
      'mutation($t: String) { records_create_rc(records: [{ table: "post", properties: { titel: $t } }]) { id } }',
      /unknown-property.*`titel`/,
      null,
    ],
    [
      'mutation($t: String) { records_create_rc(records: [{ table: "post", properties: { title: $t, views: "many" } }]) { id } }',
      /property-type.*`views` is an integer and cannot hold "many"/,
      null,
    ],
    [
      'mutation { records_create_rc(records: [{ table: "post", properties: { title: "x", views: 1.5 } }]) { id } }',
      /property-type.*`views` is an integer and cannot hold 1.5/,
      null,
    ],
    ['mutation { model_create(model: { model_schema_name: "pots" }) { id } }', /unknown-table.*`pots`/, '"pots"'],
    [
      'mutation { user_create(user: { email: "a@b.c", properties: [{ name: "rolez", value_array: ["a"] }] }) { id } }',
      /unknown-property.*`rolez`.*`roles`/,
      '"rolez"',
    ],
    ['mutation { user_create(user: { first_name: "a" }) { id } }', /needs an `email`/, null],
    ['mutation { user_create(user: { email: "a" }) { id } }', /is not an e-mail address/, '"a"'],
    [
      'mutation { user_create(user: { email: "a@b.c", profiles: [{ name: "sellr", values: {} }] }) { id } }',
      /no profile type `sellr`.*`seller`/,
      '"sellr"',
    ],
    [
      'mutation { user_profile_delete(form_name: "f", user_id: 1, profile_type: "seller") { id } }',
      /cannot be sent through a form/,
      '"f"',
    ],
    [
      'mutation { record_create(record: { table: "post" }) { property(name: "titel") } }',
      /unknown-property.*`titel`/,
      '"titel"',
    ],
  ])('%s', (document, message, at) => {
    const problems = heard(document)
    expect(problems).toHaveLength(1)
    expect(problems[0]![0]).toMatch(message)
    if (at !== null) expect(problems[0]![1]).toBe(at)
  })

  it.each([
    'mutation($r: RecordInputType!) { record_create(record: $r) { id } }',
    'mutation($t: String, $n: String!, $v: String) { record_create(record: { table: $t, properties: [{ name: $n, value: $v }] }) { id } }',
    'mutation($id: ID!, $p: [PropertyInputType]) { record_update(id: $id, record: { properties: $p }) { id } }',
    'mutation($v: String, $i: Int, $by: Float) { record_create(record: { table: "post", properties: [{ name: "views", value: $v }, { name: "score", value_int: $i }, { name: "price", increment: $by }] }) { id } }',
    'mutation($id: ID, $r: [RecordsCreateInputType!]!) { a: records_create_rc(records: $r) { id } b: records_delete_all(table: "post", filter: { id: { value: $id } }) { count } }',
    'mutation($u: UserInputType!, $f: UsersFilterInput) { user_create(user: $u) { id } users_delete_all(filter: $f) { count } }',
    'mutation($f: RecordsFilterInput) { records_delete_all(table: "post", filter: $f) { count } }',
    'mutation($u: UserInputType!, $id: ID) { user_update(id: $id, user: $u) { id profiles { id } } }',
    'mutation($e: String!, $p: String) { user_create(user: { email: $e, profiles: [{ name: $p, values: {} }] }) { id } }',
    'mutation($n: String!, $v: String!) { constant_set(name: $n, value: $v) { value } }',
    'mutation($a: ID) { activity_create(payload: { actor: $a }) { uuid } activity_publish(uuid: "x", ids: ["1", $a], feed_type: "f") }',
    'query($id: ID, $k: String, $o: String = "asc") { customizations(user_id: $id, sort: [{ name: $k, order: $o }]) { results { id property(name: "x") } } }',
    'query { streams(feed_type: "f") { unread_count } feeds { name } people { results { email } } constants { results { name } } }',
    'query { admin_pages { results { slug metadata } } admin_tables { results { name properties { name } } } instance { name } }',
  ])('hears nothing of %s', (document) => {
    expect(heard(document)).toEqual([])
  })

  it('knows what comes back', () => {
    const { result } = analyze(
      'mutation { r: record_create(record: { table: "post" }) { id views: property_int(name: "views") } n: records_delete_all(table: "post") { count } }',
      DATA,
    )
    expect(result).toMatchObject({ kind: 'object' })
    const fields = result?.kind === 'object' ? result.fields : new Map()
    expect(fields.get('r')).toMatchObject({ kind: 'object' })
    expect(fields.get('r').fields.get('views')).toEqual({ kind: 'nullable', inner: { kind: 'scalar', name: 'Int' } })
    expect(fields.get('n').fields.get('count')).toEqual({ kind: 'scalar', name: 'Int' })
  })
})
