/** Mutations that name a form, sent by templates of a site that is served with a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PolicyEntry } from '../../../../runtime/page/site.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { property, schema } from '../graphql/served.ts'
import { field, form, forms, group, nested, rule, type ServedForms, serveForms } from '../rest/support.ts'
import { page, site } from '../../../support/server/site.ts'

let database: TestDatabase
let served: ServedForms

const NOTE = group({ properties: [field('title', 'string', rule('presence')), field('pages', 'integer')] })
const CREDENTIALS = group({
  attributes: [field('email', 'string', rule('presence')), field('password', 'string', rule('presence'))],
})
const POLICY: PolicyEntry = {
  file: 'app/authorization_policies/nobody.liquid',
  name: 'nobody',
  render: () => 'false',
  redirectTo: null,
  flashAlert: null,
  status: 403,
}

const CREATE = `mutation ($form: String, $record: RecordInputType!) {
  note: record_create(form_name: $form, record: $record) { id table properties property(name: "title") user_id } }`

beforeAll(async () => {
  database = await testDatabase()
  const data = {
    ...schema({ note: { title: 'string', pages: 'integer', secret: 'string' }, other: { title: 'string' } }),
    user: [property('about', 'string')],
    profiles: [{ name: 'author', file: 'app/user_profile_types/author.yml', properties: [property('pen', 'string')] }],
  }
  const all = forms(
    form('note', { table: 'note', fields: NOTE, requestAllowed: false }),
    form('any', { fields: NOTE }),
    form('guarded', { table: 'note', fields: NOTE, policies: ['nobody'] }),
    form('door', { resource: 'session', fields: CREDENTIALS }),
    form('guarded_door', { resource: 'session', fields: CREDENTIALS, policies: ['nobody'] }),
    form('endless', {
      table: 'note',
      fields: NOTE,
      callbackActions: {
        kind: 'liquid',
        async render(r) {
          const variables = { form: 'endless', record: { properties: [{ name: 'title', value: 'again' }] } }
          const { errors } = await r.port('graphql', 'graphql').run({ document: CREATE }, variables)
          r.context['endless'] = [...((r.context['endless'] as unknown[] | undefined) ?? []), errors]
          return ''
        },
      },
    }),
    form('user', {
      resource: 'user',
      fields: group({
        attributes: [field('email', 'string', rule('presence')), field('password', 'string'), field('first_name')],
        properties: [field('about')],
        nested: [nested('profiles', 'author', group({ properties: [field('pen', 'string', rule('presence'))] }))],
      }),
    }),
  )
  const run = page('run', {
    format: 'json',
    async render(r) {
      const { q, v } = r.context['params'] as Record<string, string>
      const variables = JSON.parse(v ?? '{}') as Record<string, unknown>
      return JSON.stringify(await r.port('graphql', 'graphql').run({ document: q ?? '' }, variables))
    },
  })
  served = await serveForms(site([run], { data, forms: all, policies: { nobody: POLICY } }), database)
})
afterAll(async () => {
  await served.close()
  await database.close()
})

type Fields = Record<string, unknown>

async function run(q: string, variables: Fields = {}): Promise<Fields> {
  const params = new URLSearchParams({ q, v: JSON.stringify(variables) })
  const { status, json } = await served.browser().get(`/run.json?${params.toString()}`)
  expect(status).toBe(200)
  return json
}

interface Refused {
  readonly message: string
  readonly path: readonly string[]
  readonly extensions: { readonly messages?: Fields }
}

async function refused(q: string, variables: Fields = {}): Promise<Refused> {
  const { errors, ...data } = await run(q, variables)
  expect(data).toEqual({})
  return (errors as Refused[])[0]!
}

async function count(): Promise<number> {
  const [row] = await database.sql`select count(*)::int as n from ingot.records`
  return Number(row?.['n'])
}

const properties = (values: Fields): unknown =>
  Object.entries(values).map(([name, value]) => ({ name, [typeof value === 'number' ? 'value_int' : 'value']: value }))

describe('a mutation that names a form', () => {
  it('stores what the form lets through, and shows it', async () => {
    const record = { properties: properties({ title: 'One', pages: 7, secret: 'of nobody' }) }
    const { note } = await run(CREATE, { form: 'note', record })
    expect(note).toMatchObject({ table: 'note', property: 'One', properties: { title: 'One', pages: 7 } })
    expect((note as { properties: Fields }).properties['secret']).toBeNull()
    const { id } = note as { id: string }
    const update = `mutation ($id: ID!, $title: String) { note: record_update(id: $id, form_name: "note",
      record: { properties: [{ name: "title", value: $title }] }) { id properties } }`
    expect(await run(update, { id, title: 'Two' })).toMatchObject({
      note: { id, properties: { title: 'Two', pages: 7 } },
    })
    const remove =
      'mutation ($id: ID!) { gone: record_delete(id: $id, table: "note", form_name: "note") { id deleted_at property(name: "title") } }'
    expect(await run(remove, { id })).toMatchObject({ gone: { id, deleted_at: expect.any(String), property: 'Two' } })
    expect((await refused(remove, { id })).message).toContain(`found no resource with id=${id}`)
  })

  it('is refused with the messages of the form, and then stores nothing', async () => {
    const before = await count()
    const record = { properties: properties({ title: '', pages: 1 }) }
    const error = await refused(CREATE, { form: 'note', record })
    expect(error).toMatchObject({
      path: ['note'],
      extensions: { messages: { 'properties.title': [expect.any(String)] } },
    })
    expect(error.message).toContain('The form `note` rejected the values: properties.title ')
    expect(await count()).toBe(before)
    // Without a form, its rules do not apply.
    expect(await run(CREATE, { form: null, record: { ...record, table: 'note' } })).toMatchObject({
      note: { table: 'note' },
    })
  })

  it('sees what the mutations before it have done, which stay', async () => {
    const before = await count()
    const q = `mutation { a: record_create(record: { table: "other", properties: [{ name: "title", value: "x" }] }) { id }
      b: record_create(form_name: "note", record: { properties: [{ name: "title", value: "" }] }) { id } }`
    await refused(q)
    expect(await count()).toBe(before + 1)
  })

  it.each([
    ['a form that is not there', { form: 'nothing', record: {} }, 'There is no form `nothing`'],
    ['a form of users', { form: 'user', record: {} }, 'does not accept records'],
    ['another table', { form: 'note', record: { table: 'other' } }, 'does not accept records of the table `other`'],
    [
      'a table that is not there',
      { form: 'any', record: { table: 'nothing' } },
      'does not accept records of the table `nothing`',
    ],
    ['no table', { form: 'any', record: { properties: properties({ title: 'x' }) } }, 'add the argument `table`'],
    [
      'a form with a policy',
      { form: 'guarded', record: { properties: properties({ title: 'x' }) } },
      'policy `nobody`',
    ],
    [
      'a change of what is stored',
      { form: 'note', record: { properties: [{ name: 'pages', increment: 1 }] } },
      '`increment` cannot be sent through a form',
    ],
  ])('is refused for %s', async (_what, variables, message) => {
    const before = await count()
    expect((await refused(CREATE, variables)).message).toContain(message)
    expect(await count()).toBe(before)
  })

  it('names the table where the form is of any', async () => {
    const record = { table: 'other', properties: properties({ title: 'x' }) }
    expect(await run(CREATE, { form: 'any', record })).toMatchObject({ note: { table: 'other', property: 'x' } })
  })

  it('cannot set another prototype', async () => {
    const record = {
      properties: [
        { name: '__proto__', value: 'x' },
        { name: 'title', value: 'kept' },
      ],
    }
    expect(await run(CREATE, { form: 'note', record })).toMatchObject({ note: { property: 'kept' } })
    expect(({} as Fields)['title']).toBeUndefined()
  })

  it('of forms that send themselves comes to an end', async () => {
    const before = await count()
    const record = { properties: properties({ title: 'once' }) }
    expect(await run(CREATE, { form: 'endless', record })).toMatchObject({ note: { property: 'once' } })
    expect(await count()).toBe(before + 10)
  })

  it('writes users with their passwords and profiles', async () => {
    const q = `mutation ($user: UserInputType!) { user: user_create(form_name: "user", user: $user) {
      id email first_name slug property(name: "about") profile(profile_type: "author") { property(name: "pen") }
      authenticate { password(password: "correct horse") } } }`
    const user = {
      email: 'Ann@example.com',
      password: 'correct horse',
      first_name: 'Ann',
      slug: 'not-in-the-form',
      properties: properties({ about: 'me' }),
      profiles: [{ name: 'author', values: { properties: properties({ pen: 'Nym' }) } }],
    }
    const { user: made } = await run(q, { user })
    expect(made).toMatchObject({
      email: 'ann@example.com',
      property: 'me',
      profile: { property: 'Nym' },
      authenticate: { password: true },
    })
    expect(made).not.toMatchObject({ slug: 'not-in-the-form' })
    const error = await refused(q, { user: { ...user, email: 'b@example.com', profiles: [{ name: 'author' }] } })
    expect(Object.keys(error.extensions.messages ?? {})).toEqual(['profiles.author.properties.pen'])
    const own = 'mutation { user_update(form_name: "user", user: { first_name: "x" }) { id } }'
    expect((await refused(own)).message).toContain('No user is signed in')
  })

  it('is refused where there is no page: programs use the REST API', async () => {
    const body = { query: CREATE, variables: { form: 'note', record: { properties: [] } } }
    const { json } = await served.send('POST', '/api/graph', body)
    expect(json).toMatchObject({ data: null, errors: [{ message: expect.stringContaining('REST API') }] })
  })
})

describe('`form_submit`', () => {
  const SUBMIT = `mutation ($form: String!, $fields: HashObject!, $id: ID) {
    sent: form_submit(form_name: $form, fields: $fields, id: $id) {
      __typename result { user { email first_name properties } changes } validation_errors } }`

  it('makes and changes what the form is for, and tells what has changed', async () => {
    const fields = {
      email: 'submit@example.com',
      password: 'long enough',
      first_name: 'Su',
      properties: { about: 'x' },
    }
    const { sent } = await run(SUBMIT, { form: 'user', fields })
    expect(sent).toMatchObject({
      __typename: 'FormSubmitPayload',
      validation_errors: null,
      result: {
        user: { email: 'submit@example.com', first_name: 'Su', properties: { about: 'x' } },
        changes: { email: { old: null, new: 'submit@example.com' }, 'properties.about': { old: null, new: 'x' } },
      },
    })
    expect(JSON.stringify(sent)).not.toContain('long enough')
    const [row] = await database.sql<
      { id: string }[]
    >`select id::text from ingot.users where email = 'submit@example.com'`
    const again = await run(SUBMIT, { form: 'user', id: row!.id, fields: { first_name: 'Sue' } })
    expect(again['sent']).toMatchObject({
      result: { user: { first_name: 'Sue' }, changes: { first_name: { old: 'Su', new: 'Sue' } } },
    })
  })

  it('stores records, too; nobody is signed in, so no user is shown', async () => {
    const { sent } = await run(SUBMIT, { form: 'note', fields: { properties: { title: 'By hand' } } })
    expect(sent).toMatchObject({ result: { user: null, changes: { 'properties.title': { new: 'By hand' } } } })
    const rows = await database.sql`select 1 from ingot.records where properties ->> 'title' = 'By hand'`
    expect(rows).toHaveLength(1)
  })

  it('gives the messages of what is wrong, and stores nothing then', async () => {
    const before = await count()
    const { sent, errors } = await run(SUBMIT, { form: 'note', fields: { properties: { title: '' } } })
    expect(errors).toBeUndefined()
    expect(sent).toEqual({
      __typename: 'FormSubmitPayload',
      result: null,
      validation_errors: { 'properties.title': ["can't be blank"] },
    })
    expect(await count()).toBe(before)
  })

  it.each([
    [{ form: 'nope', fields: {} }, /There is no form `nope`/],
    [{ form: 'guarded', fields: { properties: { title: 'x' } } }, /policy `nobody`/],
    [{ form: 'any', fields: { properties: { title: 'x' } } }, /add the argument `table`/],
    [{ form: 'note', id: '1', fields: { properties: { title: 'x' } } }, /found no resource with id=1/],
    [{ form: 'note', fields: [1] }, /must be an object/],
    [{ form: 'note', fields: { properties: 'text' } }, /cannot be submitted/],
  ])('refuses %j', async (variables, message) => {
    const before = await count()
    expect((await refused(SUBMIT, variables)).message).toMatch(message)
    expect(await count()).toBe(before)
  })

  it('has files of its own making refused', async () => {
    const record = { properties: [{ name: 'title', value_upload: { type: 'plain', content: 'x' } }] }
    expect((await refused(CREATE, { form: 'note', record })).message).toMatch(/cannot be sent through a form/)
  })
})

describe('user_session_create', () => {
  const SIGN_IN = `mutation ($form: String, $email: String, $password: String!) {
    in: user_session_create(form_name: $form, email: $email, password: $password) { email }
    me: user_update(user: { first_name: "Ann" }) { first_name } }`
  const EMAIL = 'door@example.com'

  it('goes through the form that it names: its policies, its rules, and then the password', async () => {
    await run('mutation ($email: String!) { user_create(user: { email: $email, password: "correct horse" }) { id } }', {
      email: EMAIL,
    })
    const given = { form: 'door', email: EMAIL, password: 'correct horse' }
    const signedIn = { in: { email: EMAIL }, me: { first_name: 'Ann' } }
    expect(await run(SIGN_IN, given)).toEqual(signedIn)
    expect(await run(SIGN_IN, { ...given, form: null })).toEqual(signedIn)
    const complaint = async (more: Fields): Promise<unknown> =>
      ((await run(SIGN_IN, { ...given, ...more }))['errors'] as Fields[])[0]?.['message']
    expect(await complaint({ form: 'guarded_door' })).toContain('The policy `nobody`')
    expect(await complaint({ form: 'note' })).toBe('The form `note` does not accept sessions.')
    expect(await complaint({ form: 'none' })).toContain('There is no form `none`')
    expect(await complaint({ email: '' })).toMatch(/^The form `door` rejected the values: email /)
    expect(await complaint({ password: 'wrong' })).toMatch(/^The form `door` rejected the values: password /)
  })
})
