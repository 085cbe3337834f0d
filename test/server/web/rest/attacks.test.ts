/** Attacks that involve several parts of the server: caches, CSRF tokens, and records of other users. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Render } from '../../../../runtime/page/render.ts'
import type { Scope, Setting } from '../../../../runtime/page/site.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { schema } from '../graphql/served.ts'
import { page, site } from '../../../support/server/site.ts'
import { type Browser, field, form, forms, group, nested, rule, type ServedForms, serveForms } from './support.ts'

let database: TestDatabase
let served: ServedForms

const plain = (value: unknown): Setting => ({ kind: 'plain', value })
const params = (r: Render): Record<string, unknown> => r.context['params'] as Record<string, unknown>
const said = (r: Render): string => `[${String(params(r)['q'] ?? 'nothing')}]`
const titleOf = (scope: Scope): string => {
  const builder = scope['form'] as { properties: Record<string, unknown> }
  return `title=${String(builder.properties['title'] ?? '')}`
}

const TITLE = [field('title', 'string', rule('length', { minimum: 3 }))]

const FORMS = forms(
  form('post', { table: 'post', fields: group({ properties: TITLE }), render: (_r, scope) => titleOf(scope) }),
  form('mine', {
    table: 'post',
    owner: 'creator',
    fields: group({
      attributes: [field('external_id')],
      properties: TITLE,
      nested: [nested('customizations', 'size', group({ properties: [field('width')] }))],
    }),
  }),
  form('account', {
    resource: 'user',
    owner: 'self',
    fields: group({ attributes: [field('email'), field('password'), field('first_name')] }),
  }),
  form('document', { table: 'document', fields: group({ properties: [field('file', 'upload')] }) }),
  form('log_in', { resource: 'session', fields: group({ attributes: [field('email'), field('password')] }) }),
)

const fragment = (r: Render): Promise<string> =>
  r.port('cache', 'cache').fragment('fragment', null, async () => {
    return { text: await r.port('forms', 'include_form').render('post', {}), keep: true }
  })

const PAGES = [
  page('by_url', {
    dynamicCache: { key: null, expire: 60, layout: false },
    render: async (r) => `${said(r)} ${await r.port('forms', 'include_form').render('post', {})}`,
  }),
  page('by_key', {
    dynamicCache: { key: plain('one'), expire: null, layout: true },
    render: async (r) => `${said(r)} ${await r.port('forms', 'include_form').render('post', {})}`,
  }),
  page('static', {
    staticCache: 60,
    render: async (r) => `${said(r)} ${await r.port('forms', 'include_form').render('post', {})}`,
  }),
  page('search', { dynamicCache: { key: null, expire: 60, layout: false }, render: said }),
  page('fragment', { render: fragment }),
  page('me', {
    render: (r) => `me=${(r.context['current_user'] as { email: string } | null)?.email ?? 'nobody'}`,
  }),
  page('token', { render: (r) => String(r.context['authenticity_token']) }),
  page('track', { method: 'post', render: () => 'tracked' }),
  page('members', { policies: ['signed_in'], render: () => 'for members only' }),
]

const POLICIES = {
  signed_in: {
    file: 'app/authorization_policies/signed_in.liquid',
    name: 'signed_in',
    render: (r: Render) => `${r.context['current_user'] !== null}`,
    redirectTo: null,
    flashAlert: null,
    status: 403 as const,
  },
}

beforeAll(async () => {
  database = await testDatabase()
  const data = schema({ post: { title: 'string' }, size: { width: 'string' }, document: { file: 'upload' } })
  served = await serveForms(site(PAGES, { data, forms: FORMS, policies: POLICIES }), database)
})
afterAll(async () => {
  await served.close()
  await database.close()
})

let count = 0

async function signedIn(): Promise<{ browser: Browser; email: string; id: string; token: string }> {
  const browser = served.browser()
  const email = `v${++count}@site.test`
  const made = await served.send('POST', '/api/users', { form_name: 'account', form: { email, password: 'secret-1' } })
  expect(made.status).toBe(201)
  const before = (await browser.get('/token')).text
  const fields = { form_name: 'log_in', authenticity_token: before, 'form[email]': email, 'form[password]': 'secret-1' }
  expect((await browser.post('/api/sessions', fields)).status).toBe(302)
  expect((await browser.get('/me')).text).toBe(`me=${email}`)
  return { browser, email, id: String(made.json['id']), token: (await browser.get('/token')).text }
}

describe('what one visitor sends is not shown to others', () => {
  test.each(['by_url', 'by_key', 'static', 'fragment'])('by the cache of the page %s', async (slug) => {
    const failing = {
      form_name: 'post',
      page_slug: slug,
      parent_resource_id: 'post',
      q: 'poison',
      'form[properties_attributes][title]': 'xy',
    }
    const shown = await served.browser().post('/api/customizations', failing)
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('title=xy')])
    const other = await served.browser().get(`/${slug}`)
    expect(other.text).not.toContain('xy')
    expect(other.text).not.toContain('poison')
    // The cached page does not hide the error from the visitor who caused it.
    expect((await served.browser().post('/api/customizations', failing)).text).toContain('title=xy')
  })

  test('by the cache of a page that does not even hold the form', async () => {
    const fields = { form_name: 'post', page_slug: 'search', q: 'poison', 'form[properties_attributes][title]': 'xy' }
    expect((await served.browser().post('/api/customizations', { ...fields, parent_resource_id: 'post' })).status).toBe(
      200,
    )
    expect((await served.browser().get('/search')).text).toBe('[nothing]')
  })

  test('by a page that they may not see', async () => {
    const failing = { form_name: 'post', page_slug: 'members', 'form[properties_attributes][title]': 'xy' }
    const shown = await served.browser().post('/api/customizations', failing)
    expect([shown.status, shown.text]).toEqual([403, expect.not.stringContaining('for members only')])
  })
})

describe('a page elsewhere', () => {
  test('does not sign anybody in by the password that a browser sends to a closed site', async () => {
    const { email } = await signedIn()
    const victim = served.browser()
    const fields = { form_name: 'log_in', 'form[email]': email, 'form[password]': 'secret-1' }
    const basic = { authorization: `Basic ${Buffer.from('site:open').toString('base64')}` }
    const sent = await victim.post('/api/sessions', fields, basic)
    expect(sent.headers.getSetCookie().filter((line) => line.startsWith('_pos_session=s.'))).toEqual([])
    expect((await victim.get('/me')).text).toBe('me=nobody')
  })

  test.each(['text/plain', 'application/json', 'application/csp-report', ''])(
    'has no way in by a body of the type %j',
    async (type) => {
      const { browser } = await signedIn()
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const fields = { form_name: 'mine', parent_resource_id: 'post', form: { properties: { title: 'taken' } } }
      const body = JSON.stringify(fields)
      const answer = await raw(
        'POST',
        '/api/customizations',
        { cookie, ...(type === '' ? {} : { 'content-type': type }) },
        body,
      )
      expect(answer.status).toBe(401)
    },
  )
})

describe("another user's record", () => {
  test('is not reached by ids inside of a form', async () => {
    const victim = await signedIn()
    const thief = await signedIn()
    const ours = { form_name: 'mine', parent_resource_id: 'post', 'form[properties_attributes][title]': 'victim' }
    const made = await victim.browser.post('/api/customizations.json', {
      ...ours,
      authenticity_token: victim.token,
      'form[customizations_attributes][size_attributes][properties_attributes][width]': '5',
    })
    expect(made.status).toBe(201)
    const id = String(made.json['id'])
    const [inner] =
      await database.sql`select r.id::text from ingot.records r where properties->>'width' = '5' order by id desc limit 1`
    const innerId = String(inner?.['id'])
    const theirs = {
      form_name: 'mine',
      parent_resource_id: 'post',
      authenticity_token: thief.token,
      'form[properties_attributes][title]': 'stolen',
      'form[id]': id,
      'form[user_id]': victim.id,
      'form[customizable_id]': id,
      id,
      resource_id: id,
      'form[customizations_attributes][size_attributes][id]': innerId,
      'form[customizations_attributes][size_attributes][properties_attributes][width]': 'stolen',
    }
    const sent = await thief.browser.post('/api/customizations.json', theirs)
    expect(sent.status).toBe(201)
    expect(String(sent.json['id'])).not.toBe(id)
    const rows =
      await database.sql`select properties, user_id::text as owner from ingot.records where id in (${id}, ${innerId}) order by id`
    expect(rows.map((row) => row['properties'])).toEqual(expect.arrayContaining([{ title: 'victim' }, { width: '5' }]))
    const [own] =
      await database.sql`select user_id::text as owner from ingot.records where id = ${String(sent.json['id'])}`
    expect(own?.['owner']).toBe(thief.id)
    for (const method of ['put', 'delete']) {
      const fields = { ...theirs, _method: method }
      expect((await thief.browser.post(`/api/customizations/${id}.json`, fields)).status).toBe(404)
      expect(
        (await thief.browser.post(`/api/users/${victim.id}.json`, { ...fields, form_name: 'account' })).status,
      ).toBe(404)
      expect(
        (await served.browser().post(`/api/users/${victim.id}.json`, { ...fields, form_name: 'account' })).status,
      ).toBe(404)
    }
  })
})

describe('the address of a file', () => {
  const send = (file: Record<string, string>) =>
    served
      .browser()
      .post('/api/customizations.json', { form_name: 'document', parent_resource_id: 'document', ...file })
  const at = (key = ''): string => `form[properties_attributes][file]${key}`

  test.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
  ])('is not %j', async (url) => {
    expect((await send({ [at()]: url })).status).toBe(422)
    expect((await send({ [at('[path]')]: url })).status).toBe(422)
    expect((await send({ [at('[url]')]: url })).status).toBe(422)
    expect((await send({ [at('[path]')]: '/a.png', [at('[versions][thumb]')]: url })).status).toBe(422)
  })

  test.each(['https://files.test/a.png', '/assets/a.png', 'uploads/a.png'])('may be %j', async (url) => {
    expect((await send({ [at()]: url })).status).toBe(201)
    expect((await send({ [at('[path]')]: url, [at('[versions][thumb]')]: url })).status).toBe(201)
  })
})

describe('an answer', () => {
  test.each(['evil.test', 'evil.test:80@x', 'a b', '<script>'])('to the host %j leads nowhere else', async (host) => {
    const body =
      'form_name=post&parent_resource_id=post&form[properties_attributes][title]=right&redirect_to=https://evil.test/x'
    const type = { 'content-type': 'application/x-www-form-urlencoded', host }
    const { status, location } = await raw('POST', '/api/customizations', type, body)
    if (status === 302) expect(location).toMatch(/^\/(?![/\\])/)
    else expect(status).toBe(400)
  })
})

interface RawAnswer {
  readonly status: number
  readonly location: string
}

/** Sends a request with unchanged headers. */
function raw(method: string, path: string, headers: Record<string, string>, body: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(served.url)
  return new Promise((done, fail) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => done({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '' }))
    })
    sent.on('error', fail)
    sent.end(body)
  })
}
