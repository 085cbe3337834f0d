/** New sessions of visitors who keep no cookies: a row is written only if there is something to store, and only up to the limit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Browser, inputsOf, type Sent, type ServedForms, serveForms } from '../rest/support.ts'

const FILES = {
  'app/views/pages/write.liquid': '{% session seen = "x" %}seen:{{ context.session.seen }}',
  'app/views/pages/both.liquid':
    '{% session seen = "x" %}<input name="authenticity_token" value="{{ context.authenticity_token }}">',
  'app/views/pages/back.liquid': '{% session seen = "x" %}{% session seen = null %}{% session never = "" %}nothing',
  'app/views/pages/token.liquid': '<input name="authenticity_token" value="{{ context.authenticity_token }}">',
  'app/views/pages/post.liquid':
    '---\nmethod: post\n---\n{% session seen = "x" %}valid:{{ context.csrf_request_valid }}',
  'app/views/pages/read.liquid': 'read:{{ context.session.seen }}{{ context.flash.alert }}',
  'app/views/pages/out.liquid': "---\nmethod: post\n---\n{% graphql _ = 'out' %}out",
  'app/graphql/out.graphql': 'mutation out { user_session_destroy }',
  'app/authorization_policies/members.liquid':
    '---\nname: members\nredirect_to: /read\nflash_alert: Members only\n---\n{% if context.current_user %}true{% endif %}',
  'app/views/pages/members.liquid': '---\nauthorization_policies:\n  - members\n---\nmembers',
  'app/schema/thing.yml': 'name: thing\nproperties:\n  - name: title\n    type: string\n',
  'app/forms/thing.liquid':
    '---\nname: thing\nresource: thing\nfields:\n  properties:\n    title:\n      validation:\n        presence: true\n---\n{% form %}{% endform %}',
  'app/views/pages/thing.liquid': "{% include_form 'thing' %}",
  'app/views/pages/in.liquid': '{% sign_in user_id: context.params.user %}in',
  'app/translations/en.yml': 'en:\n  a: a\n',
  'app/translations/pl.yml': 'pl:\n  a: a\n',
}

const MOST = 3

let database: TestDatabase
let built: LiquidSite
let served: ServedForms
let ann: string

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  served = await serveForms(built.loaded.site, database, {
    ...{ loaded: built.loaded, proxies: 1 },
    accounts: { newSessions: MOST },
  })
  const [row] = await database.sql`
    insert into ingot.users (email, slug) values ('ann@example.com', 'ann') returning id::text`
  ann = String(row?.['id'])
})
afterAll(async () => {
  await served?.close()
  built?.close()
  await database?.close()
})

const rows = async (): Promise<number> => (await database.sql`select from ingot.sessions`).length
const from = (address: string) => ({ 'x-forwarded-for': address })
const setCookies = (sent: Sent): readonly string[] => sent.headers.getSetCookie()

/** Requests that store something for a visitor's next request. */
const WRITES: Readonly<Record<string, (browser: Browser, headers: Record<string, string>) => Promise<Sent>>> = {
  'a field': (browser, headers) => browser.get('/write', headers),
  'a language': (browser, headers) => browser.get('/read?language=pl', headers),
  'a message': (browser, headers) => browser.get('/members', headers),
  'a request without a token': (browser, headers) => browser.post('/post', {}, headers),
  'a field beside a token': (browser, headers) => browser.get('/both', headers),
}

describe.each(Object.entries(WRITES))('%s', (name, write) => {
  const address = `10.1.${Object.keys(WRITES).indexOf(name)}.1`

  test('begins no more rows than the limit, and the page is answered still', async () => {
    const before = await rows()
    const answers: Sent[] = []
    for (let n = 0; n < MOST * 3; n++) answers.push(await write(served.browser(), from(address)))
    expect(await rows()).toBe(before + MOST)
    for (const each of answers) expect([each.status, each.text]).toEqual([answers[0]?.status, expect.any(String)])
    expect(answers[0]?.status).toBeLessThan(400)
    // No cookie refers to a row that does not exist.
    for (const each of answers.slice(MOST)) expect(setCookies(each).filter((line) => /=s\./.test(line))).toEqual([])
    // Other addresses have a separate limit.
    await write(served.browser(), from(`${address}1`))
    expect(await rows()).toBe(before + MOST + 1)
  })
})

describe('beyond the limit', () => {
  const address = '10.2.0.1'
  const fill = async (): Promise<void> => {
    for (let n = 0; n < MOST + 1; n++) await served.browser().get('/write', from(address))
  }

  test('is one line in the log, with what to do', async () => {
    served.logged.length = 0
    await fill()
    await fill()
    const lines = served.logged.map((line) => String(line['msg'])).filter((line) => line.includes('sessions'))
    expect(lines).toEqual([
      expect.stringMatching(/New sessions from 10\.2\.0\.1 .* more than 3 in five.*GET \/write.*INGOT_NEW_SESSIONS/),
    ])
  })

  test('a page reads what it has written, and prints a token that counts', async () => {
    await fill()
    const browser = served.browser()
    expect((await browser.get('/write', from(address))).text).toBe('seen:x')
    const { authenticity_token = '' } = inputsOf((await browser.get('/both', from(address))).text)
    expect((await browser.post('/post', { authenticity_token }, from(address))).text).toBe('valid:true')
    expect((await browser.get('/read', from(address))).text).toBe('read:x')
  })

  test('a refused form is shown at once, because it is not kept for its page', async () => {
    await fill()
    const post = (headers: Record<string, string>) =>
      served.browser().navigate('/api/customizations', { form_name: 'thing', page_slug: 'thing' }, '/thing', headers)
    expect(await post(from('10.2.0.2'))).toEqual({ status: 303, location: '/thing' })
    expect(await post(from(address))).toEqual({ status: 200, location: '' })
  })

  test('who has a stored session keeps it, and who signs in gets one', async () => {
    const known = served.browser()
    await known.get('/write', from('10.2.0.3'))
    await fill()
    expect((await known.get('/read', from(address))).text).toBe('read:x')
    const before = await rows()
    await known.get('/both', from(address))
    expect(await rows()).toBe(before)
    const browser = served.browser()
    await browser.get(`/in?user=${ann}`, from(address))
    expect(browser.cookies.get('_pos_session')).toMatch(/^s\./)
    expect(await rows()).toBe(before + 1)
  })
})

test('visitors who bring a cookie of ours have ten times as many, and no more', async () => {
  const before = await rows()
  for (let n = 0; n < MOST * 10 + 5; n++) {
    const browser = served.browser()
    await browser.get('/token', from('10.3.0.1'))
    await browser.get('/write', from('10.3.0.1'))
  }
  expect(await rows()).toBe(before + MOST * 10)
})

test.each([['/back'], ['/token'], ['/read'], ['/thing'], ['/read?language=en']])(
  'no row is begun by %s, which has nothing to keep',
  async (path) => {
    const before = await rows()
    const browser = served.browser()
    expect((await browser.get(path, from('10.4.0.1'))).status).toBe(200)
    expect((await browser.get(path, from('10.4.0.1'))).status).toBe(200)
    expect(await rows()).toBe(before)
  },
)

test('no row is begun by who signs out without a session', async () => {
  const before = await rows()
  expect((await served.browser().post('/out', {}, from('10.4.0.2'))).text).toBe('out')
  expect(await rows()).toBe(before)
})
