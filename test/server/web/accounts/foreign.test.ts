/** Requests that pages of other sites cause in a visitor's browser: they cannot sign the visitor in or end a session. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../server/web/accounts/passwords.ts'
import { createReturns } from '../../../../server/web/accounts/returns.ts'
import { isForeign } from '../../../../server/web/http/foreign.ts'
import { createRequest } from '../../../../server/web/http/message.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { ADMIN, type Browser, inputsOf, type Sent, type ServedForms, serveForms } from '../rest/support.ts'

const WHO = '{{ context.current_user.email }}'
const FILES = {
  'app/views/pages/who.liquid': WHO,
  'app/views/pages/sign_in.liquid': "{% include_form 'log_in' %}",
  'app/views/pages/link.liquid': `{% sign_in user_id: context.params.user %}${WHO}`,
  'app/views/pages/note.liquid':
    '---\nmethod: post\n---\n{% session note = "x" %}noted {{ context.authenticity_token }}',
  'app/views/pages/noted.liquid': '{{ context.session.note }}',
  'app/graphql/out.graphql': 'mutation out { user_session_destroy }',
  'app/views/pages/leave.liquid': `---\nmethod: post\n---\n{% sign_in user_id: context.params.user %}{% graphql _ = 'out' %}out:${WHO}`,
  'app/schema/thing.yml': 'name: thing\nproperties:\n  - name: title\n    type: string\n',
  'app/forms/thing.liquid':
    '---\nname: thing\nresource: thing\nfields:\n  properties:\n    title:\n      validation:\n        presence: true\n---\n{% form %}[{{ form.errors["properties.title"] }}]{% endform %}',
  'app/views/pages/thing.liquid': "{% include_form 'thing' %}",
  'app/views/pages/tag.liquid': `---\nmethod: post\n---\n{% sign_in user_id: context.params.user %}runs on:${WHO}`,
  'app/views/pages/put.liquid': `---\nmethod: put\n---\n{% sign_in user_id: context.params.user %}runs on:${WHO}`,
  'app/graphql/sign_in.graphql':
    'mutation sign_in($email: String!, $password: String!) { user_session_create(email: $email, password: $password) { id } }',
  'app/views/pages/mutation.liquid': `---\nmethod: post\n---\n{% graphql r = 'sign_in', email: context.params.email, password: context.params.password %}{{ r.errors.first.message }}:${WHO}`,
  'app/forms/log_in.liquid':
    '---\nname: log_in\nresource: Session\nfields:\n  email:\n  password:\nredirect_to: /who\n---\n{% form %}{% endform %}',
  'app/forms/join.liquid':
    '---\nname: join\nresource: User\nfields:\n  email:\n  password:\nredirect_to: /who\ncallback_actions: "{% sign_in user_id: form.id %}"\n---\n{% form %}{% endform %}',
  // Like modules that sign in with a provider, this stores the state in a table, because the browser does not send the session back.
  'app/schema/flow.yml': 'name: flow\nproperties:\n  - name: state\n    type: string\n',
  'app/graphql/begin.graphql':
    'mutation begin($state: String!) { record_create(record: { table: "flow", properties: [{ name: "state", value: $state }] }) { id } }',
  'app/graphql/flow.graphql':
    'query flow($state: String!) { records(per_page: 1, filter: { table: { value: "flow" }, properties: [{ name: "state", value: $state }] }) { total_entries } }',
  'app/views/pages/begin.liquid':
    "---\nmethod: post\n---\n{% assign state = '' | uuid %}{% if context.params.state %}{% assign state = context.params.state %}{% endif %}{% graphql _ = 'begin', state: state %}{% assign to = 'https://provider.example/authorize?response_mode=form_post&state=' | append: state %}{% redirect_to to %}",
  'app/views/pages/callback.liquid': `---\nmethod: post\n---\n{% graphql r = 'flow', state: context.params.state %}{% if r.records.total_entries == 1 %}{% sign_in user_id: context.params.code %}{% endif %}${WHO}`,
}

const RIGHT = 'correct horse'
const CROSS = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://evil.example' }

let database: TestDatabase
let built: LiquidSite
let served: ServedForms
let ann: string
let eve: string

async function user(email: string): Promise<string> {
  const [row] = await database.sql`
    insert into ingot.users (email, slug, encrypted_password) values (${email}, ${email}, ${await hashPassword(RIGHT)})
    returning id::text`
  return String(row?.['id'])
}

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const accounts = { hosts: ['www.shop.example'], limits: { address: 1000, account: 1000, within: 900 } }
  served = await serveForms(built.loaded.site, database, { loaded: built.loaded, accounts })
  ann = await user('ann@example.com')
  eve = await user('eve@example.com')
})
afterAll(async () => {
  await served?.close()
  built?.close()
  await database?.close()
})

const setCookies = (sent: Sent): readonly string[] => sent.headers.getSetCookie()
const rows = async (): Promise<number> => (await database.sql`select from ingot.sessions`).length
const who = async (browser: Browser): Promise<string> => (await browser.get('/who')).text

/** Returns a browser in which Ann has signed in with the form of the site. */
async function signedIn(): Promise<Browser> {
  const browser = served.browser()
  const inputs = inputsOf((await browser.get('/sign_in')).text)
  const fields = { ...inputs, 'form[email]': 'ann@example.com', 'form[password]': RIGHT }
  expect((await browser.post('/api/sessions', fields)).headers.get('location')).toBe('/who')
  expect(await who(browser)).toBe('ann@example.com')
  return browser
}

/** All ways to sign in. Each sends the credentials of Eve, which the page of the other site has chosen. */
const DOORS: Readonly<Record<string, (browser: Browser, headers: Record<string, string>) => Promise<Sent>>> = {
  'the tag `sign_in`': (browser, headers) => browser.post('/tag', { user: eve }, headers),
  'a page for another method': (browser, headers) => browser.post('/put', { _method: 'put', user: eve }, headers),
  'a page with a hidden method GET': (browser, headers) => browser.post('/tag', { _method: 'get', user: eve }, headers),
  user_session_create: (browser, headers) =>
    browser.post('/mutation', { email: 'eve@example.com', password: RIGHT }, headers),
  'a form of Session': async (browser, headers) => {
    // With a valid token, which the owner of the other site could have received for another session.
    const inputs = inputsOf((await served.browser().get('/sign_in')).text)
    return browser.post(
      '/api/sessions',
      { ...inputs, 'form[email]': 'eve@example.com', 'form[password]': RIGHT },
      headers,
    )
  },
  'a form with a callback that signs in': (browser, headers) => {
    const email = `new-${Math.random()}@example.com`
    return browser.post('/api/users', { form_name: 'join', 'form[email]': email, 'form[password]': RIGHT }, headers)
  },
}

const ATTACKS: Readonly<Record<string, Record<string, string>>> = {
  'by `Sec-Fetch-Site`': CROSS,
  'from a subdomain': { 'sec-fetch-site': 'same-site', origin: 'https://blog.shop.example' },
  'with no more than `Sec-Fetch-Site`': { 'sec-fetch-site': 'cross-site' },
  'by `Origin` alone': { origin: 'https://evil.example' },
  'by a hidden `Origin`': { origin: 'null' },
  'by `Referer` alone': { referer: 'https://evil.example/page' },
  'with a login of the network that browsers add': { ...CROSS, authorization: 'Negotiate YII=' },
  'with a password that browsers add': { ...CROSS, authorization: `Basic ${btoa('staging:staging')}` },
}

describe.each(Object.entries(DOORS))('%s', (_name, door) => {
  test.each(Object.entries(ATTACKS))('signs nobody in for another site, told %s', async (_told, headers) => {
    const someone = served.browser()
    const { status } = await door(someone, headers)
    expect(status).toBeLessThan(500)
    expect([...someone.cookies.keys()]).toEqual([])
    expect(await who(someone)).toBe('')
  })

  test('leaves a visitor who is signed in as she is', async () => {
    const browser = await signedIn()
    await door(browser, CROSS)
    expect(await who(browser)).toBe('ann@example.com')
  })
})

describe('a refused sign-in', () => {
  test('lets the page run on, and is logged with what to do', async () => {
    served.logged.length = 0
    const { status, text } = await DOORS['the tag `sign_in`']!(served.browser(), CROSS)
    expect([status, text]).toEqual([200, 'runs on:'])
    const lines = served.logged.map((line) => String(line['msg'])).filter((line) => line.includes('did not sign in'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/POST \/tag did not sign in: .*"https:\/\/evil\.example".*INGOT_HOSTS/)
  })

  test('is an error of the mutation', async () => {
    const { text } = await DOORS['user_session_create']!(served.browser(), CROSS)
    expect(text).toBe('The request came from a page of another site, so no one was signed in.:')
  })

  test('is 403 at a form, for a browser and for a script, and tries no password', async () => {
    const page = await DOORS['a form of Session']!(served.browser(), CROSS)
    expect(page.status).toBe(403)
    const script = await DOORS['a form of Session']!(served.browser(), { ...CROSS, accept: 'application/json' })
    expect(script.status).toBe(403)
    expect(script.json).toEqual({ errors: { base: ['Forbidden'] }, detail: expect.stringContaining('another site') })
  })
})

describe('a sign-in that is meant', () => {
  const OWN: readonly (readonly [string, (url: string) => Record<string, string>])[] = [
    ['from a page of the site', (url) => ({ 'sec-fetch-site': 'same-origin', origin: url })],
    ['typed in', () => ({ 'sec-fetch-site': 'none' })],
    ['from an older browser', (url) => ({ origin: url })],
    ['from a browser that sends a referer', (url) => ({ referer: `${url}/sign_in?x=1` })],
    ['from no browser', () => ({})],
    ['from another name', () => ({ 'sec-fetch-site': 'same-site', origin: 'https://www.shop.example' })],
  ]

  test.each(OWN)('works %s, without a token', async (_from, headersOf) => {
    const headers = headersOf(served.url)
    for (const door of ['the tag `sign_in`', 'a page for another method', 'user_session_create']) {
      const browser = served.browser()
      await DOORS[door]!(browser, headers)
      expect(await who(browser), door).toBe('eve@example.com')
    }
    const browser = served.browser()
    await DOORS['a form with a callback that signs in']!(browser, headers)
    expect(await who(browser)).toMatch(/^new-/)
  })

  test('works by a link in a mail, which is opened from another site', async () => {
    const browser = served.browser()
    expect((await browser.get(`/link?user=${eve}`, CROSS)).text).toBe('eve@example.com')
    expect(await who(browser)).toBe('eve@example.com')
  })

  test('works with the token of the session, wherever its page is', async () => {
    const browser = served.browser()
    const { authenticity_token = '' } = inputsOf((await browser.get('/sign_in')).text)
    await browser.post('/tag', { user: eve, authenticity_token }, CROSS)
    expect(await who(browser)).toBe('eve@example.com')
  })

  test('works for a program with a token', async () => {
    const body = { form_name: 'log_in', form: { email: 'eve@example.com', password: RIGHT } }
    const sent = await served.send('POST', '/api/sessions', body, { headers: CROSS })
    expect([sent.status, setCookies(sent).length > 0]).toEqual([201, true])
    const authorization = `Token ${ADMIN}`
    const page = await served.browser().post('/tag', { user: eve }, { ...CROSS, authorization })
    expect(page.text).toBe('runs on:eve@example.com')
  })
})

describe('a request of another site', () => {
  const ACTS: Readonly<Record<string, (browser: Browser, headers: Record<string, string>) => Promise<Sent>>> = {
    'to a page that writes and prints a token': (browser, headers) => browser.post('/note', {}, headers),
    'to a page that signs out': (browser, headers) => browser.post('/leave', { user: eve }, headers),
    'with a language': (browser, headers) => browser.post('/note?language=pl', {}, headers),
    'to a form that is refused': (browser, headers) =>
      browser.post('/api/customizations', { form_name: 'thing', page_slug: 'thing' }, headers),
    'to sign out by the form': (browser, headers) =>
      browser.post('/api/sessions', { form_name: 'log_in', _method: 'delete' }, headers),
  }

  // Each request is sent with cookies, as for a site with `SameSite=None`, and without them.
  test.each(Object.entries(ACTS))('%s gets no cookie, writes no row, and ends no session', async (_name, act) => {
    const browser = await signedIn()
    const before = await rows()
    const withCookies = await act(browser, CROSS)
    expect([withCookies.status < 500, setCookies(withCookies)]).toEqual([true, []])
    const without = await act(served.browser(), CROSS)
    expect([without.status < 500, setCookies(without)]).toEqual([true, []])
    expect(await rows()).toBe(before)
    expect(await who(browser)).toBe('ann@example.com')
  })

  test('is refused, but a page of the site signs out without a token too', async () => {
    const browser = await signedIn()
    const cookie = browser.cookies.get('_pos_session') ?? ''
    await browser.post('/api/sessions', { form_name: 'log_in', _method: 'delete' }, { 'sec-fetch-site': 'same-origin' })
    expect([await who(browser), browser.cookies.has('_pos_session')]).toEqual(['', false])
    browser.cookies.set('_pos_session', cookie)
    expect(await who(browser)).toBe('')
  })

  test('to a form that is refused shows the form again, since nothing can be kept for another page', async () => {
    const fields = { form_name: 'thing', page_slug: 'thing' }
    const path = '/api/customizations'
    expect(await served.browser().navigate(path, fields, '/thing')).toEqual({ status: 303, location: '/thing' })
    expect(await served.browser().navigate(path, fields, '/thing', CROSS)).toEqual({ status: 200, location: '' })
  })

  test('by GET gets the cookie of a first visit', async () => {
    const browser = served.browser()
    expect(setCookies(await browser.get('/sign_in', CROSS))).toHaveLength(2)
  })

  test('that is the site’s own gets the cookie of a first visit, and keeps what it writes', async () => {
    const browser = served.browser()
    expect(setCookies(await browser.post('/note', {}, { 'sec-fetch-site': 'same-origin' }))).toHaveLength(2)
    expect((await browser.get('/noted')).text).toBe('x')
  })

  test('that holds the token of the session writes to it', async () => {
    const browser = served.browser()
    const { authenticity_token = '' } = inputsOf((await browser.get('/sign_in')).text)
    await browser.post('/note', { authenticity_token }, CROSS)
    expect((await browser.get('/noted')).text).toBe('x')
  })

  test('that is admitted to sign in sets the cookies of the new session', async () => {
    const { browser, state } = await left()
    const names = setCookies(await posted(browser, { state, code: ann })).map((line) => line.split('=')[0])
    expect(names).toEqual(['_pos_session', 'CSRF-TOKEN', '_ingot_device', '__Host-ingot_return'])
  })
})

/** Returns a browser that was sent to the provider, and the state in the provider's address. */
async function left(fields: Record<string, string> = {}): Promise<{ browser: Browser; state: string }> {
  const browser = served.browser()
  const sent = await browser.post('/begin', fields, { 'sec-fetch-site': 'same-origin' })
  expect(sent.status).toBe(302)
  return { browser, state: new URL(sent.headers.get('location') ?? '').searchParams.get('state') ?? '' }
}

/** Sends the request that a form on the provider's page causes: without cookies that are `SameSite=Lax`. */
function posted(browser: Browser, fields: Record<string, string>): Promise<Sent> {
  for (const name of browser.cookies.keys()) if (!name.startsWith('__Host-')) browser.cookies.delete(name)
  return browser.post('/callback', fields, { ...CROSS, origin: 'https://provider.example' })
}

describe('a provider that answers by POST', () => {
  test('signs in who left with its state, in the browser that left', async () => {
    const { browser, state } = await left()
    expect((await posted(browser, { state, code: ann })).text).toBe('ann@example.com')
    expect(await who(browser)).toBe('ann@example.com')
    // The cookie works only once.
    expect(browser.cookies.has('__Host-ingot_return')).toBe(false)
    expect((await posted(browser, { state, code: eve })).text).toBe('')
  })

  test('signs in from any of several tabs', async () => {
    const { browser, state } = await left()
    await browser.post('/begin', {}, { 'sec-fetch-site': 'same-origin' })
    expect((await posted(browser, { state, code: ann })).text).toBe('ann@example.com')
  })

  test('does not sign in who never left, or left with another state', async () => {
    const { state } = await left()
    const fresh = served.browser()
    expect((await posted(fresh, { state, code: eve })).text).toBe('')
    const { browser } = await left()
    expect((await posted(browser, { state, code: eve })).text).toBe('')
    expect(await who(browser)).toBe('')
  })

  test('does not sign in by a state that the request chose', async () => {
    const { browser, state } = await left({ state: 'chosen-by-a-stranger' })
    expect(state).toBe('chosen-by-a-stranger')
    expect((await posted(browser, { state, code: eve })).text).toBe('')
  })

  test('cannot be begun by a page of another site that sends a POST', async () => {
    const browser = served.browser()
    expect(setCookies(await browser.post('/begin', {}, CROSS))).toEqual([])
  })

  test('is known by a cookie that reveals nothing, and comes with requests of other sites', async () => {
    const sent = await served.browser().post('/begin', {})
    const [cookie = ''] = setCookies(sent)
    expect(cookie).toMatch(/^__Host-ingot_return=[\w-]+; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=None$/)
  })
})

describe('a state', () => {
  let now = Date.parse('2030-01-01')
  const returns = createReturns('of these tests', () => now)
  const jar = (line: string | null): string => line?.split(';')[0] ?? ''

  test('is forgotten after an hour, and after four others', () => {
    const first = jar(returns.remember('', 'the first one'))
    expect(returns.knows(first, 'the first one')).toBe(true)
    now += 61 * 60_000
    expect(returns.knows(first, 'the first one')).toBe(false)
    let cookie = ''
    for (let n = 0; n < 6; n++) cookie = jar(returns.remember(cookie, `state number ${n}`))
    const known = Array.from({ length: 6 }, (_, n) => returns.knows(cookie, `state number ${n}`))
    expect(known).toEqual([false, true, true, true, true, true])
  })

  test.each([['short'], [''], [undefined], [['the first one']], [{ a: 'the first one' }]])('is not %j', (state) => {
    const cookie = jar(returns.remember('', 'the first one'))
    expect(returns.knows(cookie, state)).toBe(false)
    expect(returns.remember('', 'short')).toBeNull()
  })

  test('of a changed cookie, or of another installation, is unknown', () => {
    const cookie = jar(returns.remember('', 'the first one'))
    expect(createReturns('another secret', () => now).knows(cookie, 'the first one')).toBe(false)
    for (const changed of [cookie.slice(0, -1), `${cookie}.`, cookie.replace('-', '--'), `${cookie.slice(0, -1)}!`])
      expect(returns.knows(changed, 'the second one')).toBe(false)
  })
})

test.each(['GET', 'HEAD'])('a %s of another site is never one that changes something', (method) => {
  const source = { method, url: '/', protocol: 'http', host: 'a', ip: '', headers: CROSS, body: null, id: '' }
  const request = createRequest(source)
  expect(isForeign(request, () => false)).toBe(false)
  expect(isForeign({ ...request, method: 'POST' }, () => false)).toBe(true)
})
