/** Forms as browsers send them: the pages, the stored values and the messages, and attacks by pages of other sites. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Render } from '../../../../runtime/page/render.ts'
import type { Scope } from '../../../../runtime/page/site.ts'
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
  nested,
  rule,
  type Sent,
  type ServedForms,
  serveForms,
  text,
} from './support.ts'

let database: TestDatabase
let served: ServedForms

const escaped = (value: unknown): string => `${value ?? ''}`.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

interface Builder {
  readonly errors: Record<string, string>
  readonly fields: Record<string, Record<string, { readonly name: string; readonly value: unknown }>>
  readonly properties: Record<string, unknown>
  readonly id: unknown
}

/**
 * Returns a hand-written template in the form that the compiler emits. It prints the form with a text input for each property, and its
 * errors.
 */
const template =
  (names: readonly string[], attributes: readonly string[] = []) =>
  (r: Render, scope: Scope): string => {
    const builder = scope['form'] as Builder
    const inputs = [
      ...attributes.map((name) => builder.fields[name] as unknown as { name: string; value: unknown }),
      ...names.map((name) => builder.fields['properties']?.[name]),
    ]
    const errors = Object.entries(builder.errors).map(([path, said]) => `<p class="error">${path}: ${said}</p>`)
    const tags = inputs.map((input) => `<input name="${input?.name}" value="${escaped(input?.value)}">`)
    return `${r.port('forms', 'form').open({ 'html-class': 'edit' })}${tags.join('')}${errors.join('')}</form>`
  }

const include = (name: string, options: (r: Render) => Record<string, unknown> = () => ({})) => ({
  render: (r: Render) => r.port('forms', 'include_form').render(name, options(r)),
})

const params = (r: Render): Record<string, unknown> => r.context['params'] as Record<string, unknown>
const flash = (r: Render): string => {
  const { notice, alert } = r.context['flash'] as { notice?: string; alert?: string }
  return `notice=${notice ?? ''} alert=${alert ?? ''}`
}

const PROPERTIES = [field('title', 'string', rule('presence')), field('secret')]
const POST = {
  table: 'post',
  owner: 'creator' as const,
  fields: group({ properties: PROPERTIES.slice(0, 1) }),
  render: template(['title']),
}

const FORMS = forms(
  form('post', {
    ...POST,
    flashNotice: liquid((scope) => `saved ${(scope['form'] as Builder).properties['title']}`),
    flashAlert: text('not saved'),
    redirectTo: liquid((scope) => `/posts/${(scope['form'] as Builder).id}`),
  }),
  form('timed_post', {
    ...POST,
    redirectTo: liquid((scope) => {
      const { id, created_at: created, updated_at: updated } = scope['form'] as Record<string, unknown>
      return `/posts/${id}?created=${created}&updated=${updated}`
    }),
  }),
  form('plain_post', { table: 'post', fields: POST.fields, render: template(['title']) }),
  form('owned_post', {
    table: 'post',
    fields: group({ attributes: [field('user_id', 'integer')], properties: PROPERTIES }),
    defaultPayload: text('{"properties_attributes": {"secret": "set by the site"}}'),
    callbackActions: liquid((scope, r) => {
      r.context['exports'] = scope['changes']
      return ''
    }),
    responseHeaders: text('{"X-Form": "yes", "Location": "https://evil.test/", "Set-Cookie": "a=b"}'),
  }),
  form('slug', { table: 'unique', fields: group({ properties: [field('slug', 'string', rule('unique'))] }) }),
  form('away', { table: 'post', policies: ['signed_in'], fields: POST.fields }),
  form('sign_up', {
    resource: 'user',
    resourceName: 'User',
    owner: 'self',
    fields: group({
      attributes: [field('email'), field('password'), field('first_name')],
      nested: [nested('profiles', 'default', group())],
    }),
    render: template([], ['email', 'password', 'first_name']),
    flashNotice: liquid((scope) => {
      const { created_at: created, updated_at: updated } = scope['form'] as Record<string, unknown>
      return `welcome ${created} ${updated}`
    }),
  }),
  form('log_in', {
    resource: 'session',
    resourceName: 'Session',
    fields: group({ attributes: [field('email'), field('password')] }),
    render: template([], ['email', 'password']),
    redirectTo: text('/me'),
  }),
)

const PAGES = [
  page('posts/new', include('post')),
  page(
    'posts/:id/edit',
    include('post', (r) => ({ id: params(r)['id'] })),
  ),
  page('posts/:id', { render: flash }),
  page('timed/new', include('timed_post')),
  page(
    'timed/:id/edit',
    include('timed_post', (r) => ({ id: params(r)['id'] })),
  ),
  page('plain', include('plain_post')),
  page('join', include('sign_up')),
  page('login', include('log_in')),
  page('me', {
    render: (r) => {
      const user = r.context['current_user'] as { email: string } | null
      return `me=${user?.email ?? 'nobody'} ${flash(r)}`
    },
  }),
  page(
    'me/edit',
    include('sign_up', (r) => ({ id: (r.context['current_user'] as { id: string } | null)?.id ?? 'new' })),
  ),
]

const POLICIES = {
  signed_in: {
    file: 'app/authorization_policies/signed_in.liquid',
    name: 'signed_in',
    render: (r: Render) => `${r.context['current_user'] !== null}`,
    redirectTo: text('/login'),
    flashAlert: text('please log in'),
    status: 403 as const,
  },
}

beforeAll(async () => {
  database = await testDatabase()
  const data = schema({ post: { title: 'string', secret: 'string' }, unique: { slug: 'string' } })
  served = await serveForms(site(PAGES, { data, forms: FORMS, policies: POLICIES }), database)
})
afterAll(async () => {
  await served.close()
  await database.close()
})

let count = 0

/** Fills in the form of a page and sends it. */
async function sendForm(browser: Browser, path: string, values: Readonly<Record<string, string>>): Promise<Sent> {
  const shown = await browser.get(path)
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('<form')])
  const action = /<form[^>]*\baction="([^"]*)"/.exec(shown.text)?.[1] ?? ''
  return browser.post(action, { ...inputsOf(shown.text), ...values })
}

async function signedIn(): Promise<{ browser: Browser; email: string; id: string }> {
  const browser = served.browser()
  const email = `b${++count}@site.test`
  expect((await sendForm(browser, '/join', { 'form[email]': email, 'form[password]': 'secret-1' })).status).toBe(302)
  expect((await sendForm(browser, '/login', { 'form[email]': email, 'form[password]': 'secret-1' })).status).toBe(302)
  const [row] = await database.sql`select id::text from ingot.users where email = ${email}`
  return { browser, email, id: String(row?.['id']) }
}

async function postOf(id: string | number): Promise<Record<string, unknown>> {
  const [row] =
    await database.sql`select *, user_id::text as owner, deleted_at is not null as gone from ingot.records where id = ${id}`
  return row ?? {}
}

async function newPost(browser: Browser, title = 'mine'): Promise<string> {
  const sent = await sendForm(browser, '/posts/new', { 'form[properties_attributes][title]': title })
  expect(sent.status).toBe(302)
  return /\/posts\/(\d+)$/.exec(sent.headers.get('location') ?? '')?.[1] ?? ''
}

describe('a form of a page', () => {
  test('creates, sends on, and says so once', async () => {
    const { browser, id: owner } = await signedIn()
    const id = await newPost(browser, 'Żółw & <b>')
    expect(await postOf(id)).toMatchObject({ owner, properties: { title: 'Żółw & <b>' } })
    expect((await browser.get(`/posts/${id}`)).text).toContain('notice=saved Żółw & <b> alert=')
    expect((await browser.get(`/posts/${id}`)).text).toContain('notice= alert=')
  })

  test('that is refused shows its page again, with what was sent and what is wrong', async () => {
    const { browser } = await signedIn()
    const sent = await sendForm(browser, '/posts/new', { 'form[properties_attributes][title]': '   ' })
    expect(sent.status).toBe(200)
    expect(sent.headers.get('content-type')).toMatch(/^text\/html/)
    expect(sent.text).toContain('properties.title: can&#39;t be blank'.replace('&#39;', "'"))
    expect(inputsOf(sent.text)['form[properties_attributes][title]']).toBe('   ')
    // The response works like the page itself for the next submission.
    const again = await browser.post('/api/customizations', {
      ...inputsOf(sent.text),
      'form[properties_attributes][title]': 'now',
    })
    expect(again.status).toBe(302)
  })

  test('that is refused sends a browser back to its page, once with what was sent', async () => {
    const { browser } = await signedIn()
    const title = 'form[properties_attributes][title]'
    const inputs = inputsOf((await browser.get('/posts/new?from=a')).text)
    const sent = await browser.navigate('/api/customizations', { ...inputs, [title]: '   ' }, '/posts/new?from=a')
    expect(sent).toEqual({ status: 303, location: '/posts/new?from=a' })
    const shown = await browser.get('/posts/new?from=a')
    expect(shown.text).toContain("properties.title: can't be blank")
    expect(inputsOf(shown.text)[title]).toBe('   ')
    const later = await browser.get('/posts/new?from=a')
    expect(later.text).not.toContain("can't be blank")
    expect(inputsOf(later.text)[title]).toBe('')
  })

  test('that is refused is kept for nobody who signs in after it', async () => {
    const { email } = await signedIn()
    const browser = served.browser()
    const title = 'form[properties_attributes][title]'
    const login = inputsOf((await browser.get('/login')).text)
    const inputs = inputsOf((await browser.get('/plain')).text)
    const refused = await browser.navigate('/api/customizations', { ...inputs, [title]: '   ' }, '/plain')
    expect(refused).toEqual({ status: 303, location: '/plain' })
    const fields = { ...login, 'form[email]': email, 'form[password]': 'secret-1' }
    expect((await browser.post('/api/sessions', fields)).status).toBe(302)
    const shown = await browser.get('/plain')
    expect(shown.text).not.toContain("can't be blank")
    expect(inputsOf(shown.text)[title]).toBe('')
  })

  test('that is refused is shown where it was sent, when it is too long to be kept', async () => {
    const { browser } = await signedIn()
    const inputs = inputsOf((await browser.get('/posts/new')).text)
    const fields = { ...inputs, 'form[properties_attributes][title]': ' '.repeat(40_000) }
    expect(await browser.navigate('/api/customizations', fields, '/posts/new')).toEqual({ status: 200, location: '' })
  })

  test('that edits and is refused comes back with what was sent, beside what is stored', async () => {
    const { browser } = await signedIn()
    const id = await newPost(browser, 'before')
    const inputs = inputsOf((await browser.get(`/posts/${id}/edit`)).text)
    const fields = { ...inputs, 'form[properties_attributes][title]': '' }
    const sent = await browser.navigate(`/api/customizations/${id}`, fields, `/posts/${id}/edit`)
    expect(sent).toEqual({ status: 303, location: `/posts/${id}/edit` })
    expect(inputsOf((await browser.get(`/posts/${id}/edit`)).text)).toMatchObject({
      resource_id: id,
      'form[properties_attributes][title]': '',
    })
  })

  test('is known by its name or its number, and its page by its address or its number', async () => {
    const browser = served.browser()
    const inputs = inputsOf((await browser.get('/plain')).text)
    expect(inputs).toMatchObject({ form_name: 'plain_post', page_slug: 'plain' })
    expect([inputs['form_id'], inputs['page_id']]).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
    ])
    // The ids are the same for every visitor, but different for other forms and pages.
    const other = inputsOf((await served.browser().get('/plain')).text)
    expect([other['form_id'], other['page_id']]).toEqual([inputs['form_id'], inputs['page_id']])
    const timed = inputsOf((await browser.get('/timed/new')).text)
    expect([timed['form_id'] === inputs['form_id'], timed['page_id'] === inputs['page_id']]).toEqual([false, false])

    const { form_name: name = '', form_id: number = '', page_slug: _slug, page_id: page = '', ...rest } = inputs
    const send = (fields: Record<string, string>) =>
      browser.post('/api/customizations', { ...rest, 'form[properties_attributes][title]': 'Elm', ...fields })
    for (const known of [
      { form_id: number },
      { form_id: name },
      { form_name: name, form_id: timed['form_id'] ?? '' },
    ]) {
      const sent = await send({ ...known, page_id: page })
      expect([sent.status, sent.headers.get('location')], JSON.stringify(known)).toEqual([302, '/plain'])
    }
    expect((await send({ form_id: '5' })).status).toBe(404)
    expect((await send({ form_name: number })).status).toBe(404)
    // The address of a page with parameters is known only from the browser's headers.
    const edit = inputsOf((await browser.get('/timed/new')).text)['page_id'] ?? ''
    expect((await send({ form_id: number, page_id: edit })).headers.get('location')).toBe('/timed/new')
    for (const unknown of ['5', '//evil.test', '9'.repeat(400)])
      expect((await send({ form_id: number, page_id: unknown })).headers.get('location')).toBe('/')
    // A refused form is shown on the page with that id.
    const refused = await send({ form_id: number, page_id: page, 'form[properties_attributes][title]': ' ' })
    expect([refused.status, refused.text]).toEqual([200, expect.stringContaining("can't be blank")])
  })

  test('edits: shows what is stored, keeps what was sent, changes and deletes', async () => {
    const { browser } = await signedIn()
    const id = await newPost(browser, 'before')
    const shown = await browser.get(`/posts/${id}/edit`)
    const inputs = inputsOf(shown.text)
    expect(inputs).toMatchObject({ _method: 'put', resource_id: id, 'form[properties_attributes][title]': 'before' })
    const wrong = await sendForm(browser, `/posts/${id}/edit`, { 'form[properties_attributes][title]': '' })
    expect([wrong.status, inputsOf(wrong.text)['form[properties_attributes][title]']]).toEqual([200, ''])
    expect(await postOf(id)).toMatchObject({ properties: { title: 'before' } })
    expect(
      (await sendForm(browser, `/posts/${id}/edit`, { 'form[properties_attributes][title]': 'after' })).status,
    ).toBe(302)
    expect(await postOf(id)).toMatchObject({ properties: { title: 'after' } })
    expect((await sendForm(browser, `/posts/${id}/edit`, { _method: 'delete' })).status).toBe(302)
    expect(await postOf(id)).toMatchObject({ gone: true })
  })

  test('knows its times when it is stored, at once', async () => {
    const { browser } = await signedIn()
    const timesOf = async (table: 'records' | 'users', id: string): Promise<readonly string[]> => {
      const [row] = await database.sql`
        select to_json(created_at at time zone 'UTC')::text as created, to_json(updated_at at time zone 'UTC')::text as updated
        from ${database.sql(`ingot.${table}`)} where id = ${id}`
      return [row?.['created'], row?.['updated']].map((text) => new Date(`${JSON.parse(String(text))}Z`).toISOString())
    }
    const sent = async (path: string, title: string): Promise<readonly string[]> => {
      const { headers } = await sendForm(browser, path, { 'form[properties_attributes][title]': title })
      return /\/posts\/(\d+)\?created=(.*)&updated=(.*)$/.exec(headers.get('location') ?? '')?.slice(1) ?? []
    }
    const [id = '', ...made] = await sent('/timed/new', 'new')
    expect(made).toEqual(await timesOf('records', id))
    const [same, created, updated = ''] = await sent(`/timed/${id}/edit`, 'changed')
    expect([same, created]).toEqual([id, made[0]])
    expect(updated > made[1]!).toBe(true)
    expect([created, updated]).toEqual(await timesOf('records', id))
    // The same for a user, whose row also needs a free slug.
    const email = `timed${++count}@site.test`
    const other = served.browser()
    await sendForm(other, '/join', { 'form[email]': email, 'form[password]': 'secret-1' })
    const [row] = await database.sql`select id::text from ingot.users where email = ${email}`
    const text = (await other.get('/me')).text
    expect(text).toContain(`notice=welcome ${(await timesOf('users', String(row?.['id']))).join(' ')} alert=`)
  })

  test('works for scripts: JSON where they ask for it, the target where they send `.html`', async () => {
    const { browser } = await signedIn()
    const inputs = inputsOf((await browser.get('/posts/new')).text)
    const json = await browser.post(
      '/api/customizations',
      { ...inputs, 'form[properties_attributes][title]': 'x' },
      { accept: 'application/json' },
    )
    expect([json.status, json.json]).toEqual([201, { id: expect.any(Number), errors: {} }])
    const wrong = await browser.post('/api/customizations.json', {
      ...inputs,
      'form[properties_attributes][title]': '',
    })
    expect([wrong.status, wrong.json]).toEqual([422, { id: null, errors: { 'properties.title': ["can't be blank"] } }])
    const script = { 'x-requested-with': 'XMLHttpRequest' }
    const html = await browser.post(
      '/api/customizations.html',
      { ...inputs, 'form[properties_attributes][title]': 'x' },
      script,
    )
    expect([html.status, html.json]).toEqual([
      200,
      expect.objectContaining({ redirect_to: expect.stringMatching(/^\/posts\/\d+$/) }),
    ])
    const again = await browser.post(
      '/api/customizations.html',
      { ...inputs, 'form[properties_attributes][title]': '' },
      script,
    )
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('<form')])
  })

  test('adds the payload of the site, which wins, and calls back', async () => {
    const { status, json, headers } = await served.send('POST', '/api/customizations', {
      form_name: 'owned_post',
      parent_resource_id: 'post',
      form: { model_schema_name: 'post', user_id: 12, properties: { title: 'x', secret: 'mine' } },
    })
    expect(status).toBe(201)
    expect(headers.get('x-form')).toBe('yes')
    expect([headers.get('location'), headers.getSetCookie()]).toEqual([null, []])
    expect(await postOf(json['id'] as number)).toMatchObject({
      owner: '12',
      properties: { title: 'x', secret: 'set by the site' },
    })
  })
})

describe('signing in', () => {
  test('a wrong password keeps the address, not the password', async () => {
    const { email } = await signedIn()
    const browser = served.browser()
    const sent = await sendForm(browser, '/login', { 'form[email]': email, 'form[password]': 'wrong-one' })
    expect(sent.status).toBe(200)
    expect(inputsOf(sent.text)['form[email]']).toBe(email)
    expect(sent.text).not.toContain('wrong-one')
    expect(sent.text).toContain('password: ')
    expect((await browser.get('/me')).text).toContain('me=nobody')
  })

  test('makes another session: an id from before is worth nothing', async () => {
    const { email } = await signedIn()
    const victim = served.browser()
    await victim.get('/login')
    const before = victim.cookies.get('_pos_session') ?? ''
    expect(before).not.toBe('')
    await sendForm(victim, '/login', { 'form[email]': email, 'form[password]': 'secret-1' })
    expect(victim.cookies.get('_pos_session')).not.toBe(before)
    const attacker = served.browser()
    attacker.cookies.set('_pos_session', before)
    expect((await attacker.get('/me')).text).toContain('me=nobody')
    expect((await victim.get('/me')).text).toContain(`me=${email}`)
  })

  test('ends with the form', async () => {
    const { browser } = await signedIn()
    const inputs = inputsOf((await browser.get('/login')).text)
    const sent = await browser.post('/api/sessions', { ...inputs, _method: 'delete' })
    expect(sent.status).toBe(302)
    expect((await browser.get('/me')).text).toContain('me=nobody')
  })

  test('is not done for a page elsewhere, which has no token', async () => {
    const { email } = await signedIn()
    const victim = served.browser()
    const sent = await victim.post('/api/sessions', {
      form_name: 'log_in',
      'form[email]': email,
      'form[password]': 'secret-1',
      page_slug: 'login',
    })
    expect(sent.status).toBe(200)
    expect((await victim.get('/me')).text).toContain('me=nobody')
  })

  test('a changed password ends the other sessions of the user', async () => {
    const { browser, email } = await signedIn()
    const other = served.browser()
    await sendForm(other, '/login', { 'form[email]': email, 'form[password]': 'secret-1' })
    expect((await sendForm(browser, '/me/edit', { 'form[password]': 'secret-2' })).status).toBe(302)
    expect((await browser.get('/me')).text).toContain(`me=${email}`)
    expect((await other.get('/me')).text).toContain('me=nobody')
  })
})

describe('what belongs to somebody else', () => {
  test('is not there, whoever asks', async () => {
    const owner = await signedIn()
    const id = await newPost(owner.browser)
    const thief = await signedIn()
    const inputs = inputsOf((await thief.browser.get('/posts/new')).text)
    for (const _method of ['put', 'patch', 'delete']) {
      const sent = await thief.browser.post(`/api/customizations/${id}`, {
        ...inputs,
        _method,
        'form[properties_attributes][title]': 'stolen',
      })
      expect(sent.status, _method).toBe(404)
      const nobody = await served.browser().post(`/api/customizations/${id}`, {
        form_name: 'post',
        _method,
        'form[properties_attributes][title]': 'stolen',
      })
      expect(nobody.status, _method).toBe(404)
    }
    expect(await postOf(id)).toMatchObject({ gone: false, properties: { title: 'mine' } })
    const user = await thief.browser.post(`/api/users/${owner.id}`, {
      ...inputs,
      form_name: 'sign_up',
      _method: 'put',
      'form[first_name]': 'X',
    })
    expect(user.status).toBe(404)
  })

  test('stays as it is without the token of the form', async () => {
    const { browser } = await signedIn()
    const id = await newPost(browser)
    for (const authenticity_token of [undefined, '', 'x'.repeat(88), '__proto__']) {
      const fields = {
        form_name: 'post',
        _method: 'delete',
        ...(authenticity_token === undefined ? {} : { authenticity_token }),
      }
      const copy = served.browser()
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      expect((await copy.post(`/api/customizations/${id}`, fields)).status).toBe(404)
    }
    expect(await postOf(id)).toMatchObject({ gone: false })
  })

  test('is no use to JSON of another page', async () => {
    const { browser } = await signedIn()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = {
      form_name: 'plain_post',
      parent_resource_id: 'post',
      form: { model_schema_name: 'post', properties: { title: 'x' } },
    }
    const { status, json } = await served.send('POST', '/api/customizations', body, {
      token: null,
      headers: { cookie },
    })
    expect([status, json]).toEqual([401, { errors: { base: ['Unathorized'] } }])
  })
})

describe('mass assignment', () => {
  test('what the form does not name gets nowhere', async () => {
    const { browser, id: owner } = await signedIn()
    const inputs = inputsOf((await browser.get('/posts/new')).text)
    const sent = await browser.post('/api/customizations.json', {
      ...inputs,
      'form[properties_attributes][title]': 'x',
      'form[properties_attributes][secret]': 'mine',
      'form[properties][secret]': 'mine',
      'form[user_id]': '1',
      'form[id]': '77',
      'form[external_id]': 'x',
      'form[deleted_at]': '2020-01-01',
      'form[customizable_id]': '1',
      'form[table_id]': '2',
      'form[__proto__][secret]': 'x',
      'form[properties_attributes][__proto__]': 'x',
      'form[constructor][prototype][secret]': 'x',
    })
    expect(sent.status).toBe(201)
    expect(sent.json['id']).not.toBe(77)
    expect(await postOf(sent.json['id'] as number)).toMatchObject({
      owner,
      gone: false,
      external_id: null,
      customizable_id: null,
      properties: { title: 'x' },
    })
    expect(Object.keys((await postOf(sent.json['id'] as number))['properties'] as object)).toEqual(['title'])
    expect(({} as Record<string, unknown>)['secret']).toBe(undefined)
  })
})

describe('where a form leads', () => {
  const leads = async (more: Record<string, string>): Promise<string | null> => {
    const browser = served.browser()
    const sent = await sendForm(browser, '/plain', { 'form[properties_attributes][title]': 'x', ...more })
    expect(sent.status).toBe(302)
    return sent.headers.get('location')
  }

  test('back to its page, or to where the request asks for on this site', async () => {
    expect(await leads({})).toBe('/plain')
    expect(await leads({ redirect_to: '/me?a=1' })).toBe('/me?a=1')
    expect(await leads({ return_to: '/me' })).toBe('/me')
  })

  test.each([
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '\\/evil.test',
    'javascript:alert(1)',
    '/\r\nset-cookie: a=b',
    '/.//evil.test',
    '\t//evil.test',
  ])('never to %j', async (redirect_to) => {
    expect(await leads({ redirect_to })).toBe('/plain')
    expect(await leads({ return_to: redirect_to, page_slug: redirect_to })).toMatch(/^\/(?!\/)[^\\\r\n]*$/)
  })

  test('a policy sends to its page, and back afterwards', async () => {
    const browser = served.browser()
    const sent = await sendForm(browser, '/plain', { form_name: 'away', 'form[properties_attributes][title]': 'x' })
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '/login?return_to=%2Fplain'])
    expect((await browser.get('/me')).text).toContain('alert=please log in')
  })
})

describe('unique values', () => {
  test('stay unique when many are sent at once', async () => {
    const send = (slug: string) =>
      served.send('POST', '/api/customizations', {
        form_name: 'slug',
        parent_resource_id: 'unique',
        form: { model_schema_name: 'unique', properties: { slug } },
      })
    for (const slug of ['a', 'b', `${'x'.repeat(300)}1`]) {
      const sent = await Promise.all(Array.from({ length: 8 }, () => send(slug)))
      expect(sent.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422])
      expect(sent.find(({ status }) => status === 422)?.json['errors']).toEqual({
        'properties.slug': ['has already been taken'],
      })
    }
    // Two values with the same beginning are different.
    expect((await send(`${'x'.repeat(300)}2`)).status).toBe(201)
    const { json } = await send('own')
    const own = await served.send('PUT', `/api/customizations/${json['id'] as number}`, {
      form_name: 'slug',
      form: { properties: { slug: 'own' } },
    })
    expect(own.status).toBe(204)
  })
})

test('nothing went wrong on our side', () => {
  expect(served.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
})
