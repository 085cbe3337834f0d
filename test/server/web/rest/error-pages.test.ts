/** A refused form of a page: browsers receive the site's own page for the status, and programs receive JSON. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import type { Render } from '../../../../runtime/page/render.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { schema } from '../graphql/served.ts'
import { page, site } from '../../../support/server/site.ts'
import {
  type Browser,
  field,
  form,
  forms,
  group,
  inputsOf,
  liquid,
  type ServedForms,
  serveForms,
  text,
} from './support.ts'

let database: TestDatabase
let served: ServedForms

const NOTE = { table: 'note', fields: group({ properties: [field('title')] }) }
const fails = liquid(() => {
  throw new LiquidFault('it broke by itself')
})
const FORMS = forms(
  form('closed', { ...NOTE, policies: ['nobody'] }),
  form('own', { ...NOTE, owner: 'creator' }),
  form('broken', { ...NOTE, callbackActions: fails }),
)
const POLICIES = {
  nobody: {
    name: 'nobody',
    file: 'app/authorization_policies/nobody.liquid',
    redirectTo: null,
    flashAlert: text('members only'),
    status: 403,
    render: () => 'false',
  },
} as const
const told = (status: string) => (r: Render) => {
  const { flash, params, authenticity_token: token } = r.context as Record<string, Record<string, unknown>>
  if (params?.['trap'] !== undefined) throw new LiquidFault('the page is broken as well')
  return `own ${status}: ${flash?.['alert'] ?? ''} <input name="authenticity_token" value="${String(token)}">`
}
const PAGES = [
  page('token', {
    render: (r: Render) => `<input name="authenticity_token" value="${String(r.context['authenticity_token'])}">`,
  }),
  page('403', { render: told('403') }),
  page('404', { render: told('404') }),
  page('500', { render: told('500') }),
]

beforeAll(async () => {
  database = await testDatabase()
  const data = schema({ note: { title: 'string' } })
  served = await serveForms(site(PAGES, { data, forms: FORMS, policies: POLICIES }), database)
})
afterAll(async () => {
  await served?.close()
  await database?.close()
})

async function visitor(): Promise<{ browser: Browser; authenticity_token: string }> {
  const browser = served.browser()
  const { authenticity_token = '' } = inputsOf((await browser.get('/token')).text)
  return { browser, authenticity_token }
}

test.each([
  ['a policy that sends nobody away', 'closed', '/api/customizations', 403, 'own 403: members only'],
  ['a record that is not there', 'own', '/api/customizations/999', 404, 'own 404: '],
  ['a form that is not there', 'nothing', '/api/customizations', 404, 'own 404: '],
  ['a callback that fails', 'broken', '/api/customizations', 500, 'own 500: '],
])('%s', async (_what, form_name, path, status, shown) => {
  const { browser, authenticity_token } = await visitor()
  const _method = path.endsWith('999') ? 'put' : 'post'
  const sent = await browser.post(path, { authenticity_token, form_name, _method, 'form[id]': '' })
  expect(sent.status).toBe(status)
  expect(sent.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(sent.text).toContain(shown)
  // The token on the page is valid for the next request, and the message is shown only once.
  const again = { authenticity_token: inputsOf(sent.text)['authenticity_token'] ?? '', form_name: 'nothing' }
  const next = await browser.post('/api/customizations', again)
  expect(next.text).toContain('own 404:  <')
})

test('who has no session yet gets one that fits the page', async () => {
  const browser = served.browser()
  const sent = await browser.post('/api/customizations', { form_name: 'broken', 'form[id]': '' })
  expect(sent.status).toBe(500)
  expect(browser.cookies.size).toBeGreaterThan(0)
  const { authenticity_token = '' } = inputsOf(sent.text)
  const valid = await browser.post('/api/customizations.json', {
    authenticity_token,
    form_name: 'closed',
    'form[id]': '',
  })
  expect(valid.status).toBe(403)
})

test('a page that fails itself gives way to the plain one, and both failures are logged', async () => {
  const { browser, authenticity_token } = await visitor()
  const sent = await browser.post('/api/customizations', {
    authenticity_token,
    form_name: 'broken',
    'form[id]': '',
    trap: '1',
  })
  expect(sent.status).toBe(500)
  expect(sent.text).toContain('Something went wrong on this page')
  const said = served.logged.map(({ msg }) => String(msg))
  expect(said.filter((line) => /it broke by itself/.test(line)).length).toBeGreaterThan(0)
  expect(said.filter((line) => /the page is broken as well/.test(line)).length).toBe(1)
})

test('programs and scripts get no page', async () => {
  const { browser, authenticity_token } = await visitor()
  const refused = { authenticity_token, form_name: 'closed', 'form[id]': '' }
  const script = await browser.post('/api/customizations.html', refused, { 'x-requested-with': 'XMLHttpRequest' })
  expect(script.json).toEqual({ errors: { base: ['Forbidden'] } })
  const program = await served.send('PUT', '/api/user/customizations/999', { form_name: 'own', form: {} })
  expect(program.json).toEqual({ errors: { base: ['Not Found'] } })
})

test('in development, a refusal names the policy of the form, or the scope of the token', async () => {
  const data = schema({ note: { title: 'string' } })
  const pages = PAGES.filter(({ slug }) => slug === 'token')
  const developed = await serveForms(site(pages, { data, forms: FORMS, policies: POLICIES }), database, {
    environment: 'development',
  })
  try {
    const named = 'the authorization policy nobody refused (app/authorization_policies/nobody.liquid)'
    const browser = developed.browser()
    const { authenticity_token = '' } = inputsOf((await browser.get('/token')).text)
    const refused = { authenticity_token, form_name: 'closed', 'form[id]': '' }
    const sent = await browser.post('/api/customizations', refused)
    expect([sent.status, sent.text]).toEqual([403, expect.stringContaining(named)])
    const program = await developed.send('POST', '/api/user/customizations', {
      form_name: 'closed',
      parent_resource_id: 'note',
      form: { model_schema_name: 'note', properties: {} },
    })
    expect([program.status, program.json['detail']]).toEqual([403, named])
    const scope = 'the token needs the scope write or admin, or site if it is the token of a user'
    const reader = await developed.send('POST', '/api/customizations', {}, { token: await developed.token('read') })
    expect([reader.status, reader.json['detail']]).toEqual([403, scope])
    const reasons = developed.logged.flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
    expect(reasons).toEqual([named, named, scope])
  } finally {
    await developed.close()
  }
})

test('in development, answers and the log say that a CSRF token is missing or wrong, and what to write', async () => {
  const away = { ...POLICIES.nobody, name: 'away', redirectTo: text('/token') }
  const pages = [
    ...PAGES.filter(({ slug }) => slug === 'token'),
    page('closed', { method: 'post', policies: ['nobody'], render: () => '' }),
    page('away', { method: 'post', policies: ['away'], render: () => '' }),
    page('open', { method: 'post', render: () => 'open' }),
  ]
  const data = schema({ note: { title: 'string' } })
  const developed = await serveForms(site(pages, { data, forms: FORMS, policies: { ...POLICIES, away } }), database, {
    environment: 'development',
  })
  try {
    const browser = developed.browser()
    await browser.get('/token')
    const missing = 'the request has no CSRF token'
    const wrong = 'the CSRF token of the request belongs to another session'
    const refused = await browser.post('/closed', {})
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(missing)])
    expect(refused.text).toContain('name=&#34;authenticity_token&#34;')
    const redirected = await browser.post('/away', { authenticity_token: 'x' })
    expect([redirected.status, redirected.text]).toEqual([302, expect.stringContaining(wrong)])
    expect((await browser.post('/open', {})).text).toBe('open')
    const form = await browser.post('/api/customizations', { form_name: 'closed', 'form[id]': '' })
    expect([form.status, form.text]).toEqual([403, expect.stringContaining(missing)])
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const script = await fetch(`${developed.url}/api/customizations`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: '{"form_name":"closed"}',
    })
    expect([script.status, await script.json()]).toEqual([
      401,
      { errors: { base: ['Unathorized'] }, detail: expect.stringContaining(missing) },
    ])
    const foreign = await browser.post('/open', {}, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.text).toBe('open')
    const reasons = developed.logged.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : []))
    const policy = 'the authorization policy nobody refused (app/authorization_policies/nobody.liquid); '
    const begins = [
      policy + missing,
      wrong,
      missing,
      policy + missing,
      missing,
      'the request came from a page of another',
    ]
    expect(reasons.map((reason, at) => reason.slice(0, begins[at]?.length))).toEqual(begins)
  } finally {
    await developed.close()
  }
})
