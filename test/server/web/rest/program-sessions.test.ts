/** The effects of form callbacks on the session if a program with a token has sent the form. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Render } from '../../../../runtime/page/render.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { schema } from '../graphql/served.ts'
import { page, site } from '../../../support/server/site.ts'
import { field, form, forms, group, liquid, type Sent, type ServedForms, serveForms } from './support.ts'

let database: TestDatabase
let served: ServedForms

const who = (r: Render): string => {
  const user = r.context['current_user'] as { readonly email: string } | null
  const { kept } = r.context['session'] as { readonly kept?: unknown }
  return `user=${user?.email ?? ''} kept=${String(kept ?? '')}`
}
const FORMS = forms(
  form('join', {
    resource: 'user',
    fields: group({ attributes: [field('email'), field('password')] }),
    callbackActions: liquid(async (scope, r) => {
      const { id } = scope['form'] as { readonly id: unknown }
      await r.port('sessions', 'sign_in').signIn(String(id), null)
      return ''
    }),
  }),
  form('note', {
    table: 'note',
    fields: group({ properties: [field('title')] }),
    callbackActions: liquid(async (_scope, r) => {
      r.port('sessions', 'session').set('kept', who(r))
      return ''
    }),
  }),
  form('quiet', { table: 'note', fields: group({ properties: [field('title')] }) }),
)

beforeAll(async () => {
  database = await testDatabase()
  const data = schema({ note: { title: 'string' } })
  served = await serveForms(site([page('who', { render: who })], { data, forms: FORMS }), database)
})
afterAll(async () => {
  await served?.close()
  await database?.close()
})

const cookiesOf = (sent: Sent): string =>
  sent.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ')
const seen = async (cookie: string): Promise<string> =>
  (await fetch(`${served.url}/who`, { headers: { cookie } })).text()
const join = (email: string): Promise<Sent> =>
  served.send('POST', '/api/users', { form_name: 'join', form: { email, password: 'secret-123' } })
const note = { form: { model_schema_name: 'note', properties: { title: 'x' } }, parent_resource_id: 'note' }

test('a callback that signs in is done, and the answer carries the session', async () => {
  const sent = await join('new@example.com')
  expect(sent.status).toBe(201)
  expect(await seen(cookiesOf(sent))).toBe('user=new@example.com kept=')
})

test('the session begins as nobody’s, whatever cookie comes with the token', async () => {
  const cookie = cookiesOf(await join('other@example.com'))
  const sent = await served.send(
    'POST',
    '/api/user/customizations',
    { form_name: 'note', ...note },
    { headers: { cookie } },
  )
  expect(sent.status).toBe(201)
  expect(await seen(cookiesOf(sent))).toBe('user= kept=user= kept=')
  expect(await seen(cookie)).toBe('user=other@example.com kept=')
})

test('where nothing is kept there is no cookie', async () => {
  const sent = await served.send('POST', '/api/user/customizations', { form_name: 'quiet', ...note })
  expect(sent.status).toBe(201)
  expect(sent.headers.getSetCookie()).toEqual([])
})
