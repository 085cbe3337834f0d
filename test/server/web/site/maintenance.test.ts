/** A site in maintenance mode: visitors see its partial, and users with the password see the site. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '../../../../server/core/settings.ts'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import type { Reply } from '../../../../server/web/http/message.ts'
import { openGraphql } from '../../../../server/web/graphql/process.ts'
import { bodyText } from '../../../support/built-site.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const SECRET = 'the secret of all servers'
const PAGES = {
  'app/views/pages/index.liquid': 'home of {{ context.session.cart }}',
  'app/views/pages/kept.liquid': '---\nstatic_cache:\n  expire: 60\n---\nkept',
  'app/views/pages/items.json.liquid': '[1]',
  'app/views/pages/save.liquid': "---\nmethod: post\n---\nsaved{% session cart = 'full' %}",
  'app/views/pages/404.liquid': 'nothing here',
  'app/views/partials/closed.liquid':
    '{% response_status 503 %}{% response_headers \'{ "Retry-After": "60" }\' %}<h1>Back soon</h1>{{ context.location.pathname }}',
}
const closed = (more = ''): Record<string, string> => ({
  ...PAGES,
  'app/config.yml': `maintenance:\n  enabled: true\n  password_constant: DOOR\n${more}`,
})

const logged: string[] = []
const closing: (() => Promise<void>)[] = []
let database: TestDatabase
let make: (site: LiquidSite, constants: Record<string, string>, environment?: Environment) => App

beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: null, logger })
  closing.push(() => graphql.close())
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  make = (site, constants, environment = 'production') => {
    closing.push(async () => site.close())
    return createApp(site.loaded, {
      environment,
      version: '0.1.0',
      logger,
      constants: () => constants,
      graphql,
      accounts,
    })
  }
})
afterAll(async () => {
  for (const close of closing) await close()
  await database?.close()
})

const PARTIAL = '  partial: closed\n'
const shown = ({ status, ...reply }: Reply): string => `${status} ${bodyText({ status, ...reply })}`

/** Sends the password from an address and returns the response. */
async function send(app: App, password: string, ip: string, more = ''): Promise<Reply> {
  const body = Buffer.from(`password=${encodeURIComponent(password)}${more}`)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.handler(request('/_maintenance', { method: 'POST', body, headers, ip }))
}

function cookiesOf(reply: Reply): string {
  return (reply.cookies ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
}

test('visitors see the partial in the place of pages, with its status and headers', async () => {
  const app = make(await liquidSite(closed(PARTIAL)), { DOOR: 'open sesame' })
  const get = (url: string, method = 'GET') => app.handler(request(url, { method }))
  for (const url of ['/', '/kept', '/kept', '/items.json']) {
    const reply = await get(url)
    expect(shown(reply)).toBe(`503 <h1>Back soon</h1>${url}`)
    expect(reply.headers['retry-after']).toBe('60')
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  }
  expect(shown(await get('/', 'HEAD'))).toContain('Back soon')
  // Other methods and error pages work as usual.
  expect(shown(await get('/save', 'POST'))).toBe('200 saved')
  expect(shown(await get('/nowhere'))).toBe('404 nothing here')
  expect(shown(await get('/404'))).toBe('404 nothing here')
})

test('the password opens the site to one visitor, whose session goes on', async () => {
  const app = make(await liquidSite(closed(PARTIAL)), { DOOR: 'open sesame' })
  const form = await app.handler(request('/_maintenance/new'))
  expect(shown(form)).toMatch(/^200 [^]*action="\/_maintenance" method="post"[^]*name="password"/)
  const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(bodyText(form)) ?? []
  const cookie = cookiesOf(form)
  const body = Buffer.from(
    `password=open+sesame&return_to=%2Fkept%3Fa%3D1&authenticity_token=${encodeURIComponent(token)}`,
  )
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
  const reply = await app.handler(request('/_maintenance', { method: 'POST', body, headers, ip: '192.0.2.1' }))
  expect([reply.status, reply.headers['location']]).toEqual([302, '/kept?a=1'])
  const mine = cookiesOf(reply) === '' ? cookie : cookiesOf(reply)
  expect(shown(await app.handler(request('/', { headers: { cookie: mine } })))).toBe('200 home of ')
  expect(shown(await app.handler(request('/kept', { headers: { cookie: mine } })))).toBe('200 kept')
  // Responses cached for a user with the password are not shown to others.
  expect(shown(await app.handler(request('/kept')))).toContain('Back soon')
})

test('a form of the partial itself needs no token, and leads nowhere else', async () => {
  const app = make(await liquidSite(closed(PARTIAL)), { DOOR: 'open sesame' })
  const reply = await send(app, 'open sesame', '192.0.2.2', '&return_to=https%3A%2F%2Fevil.example%2F')
  expect([reply.status, reply.headers['location']]).toEqual([302, '/'])
  const cookie = cookiesOf(reply)
  expect(shown(await app.handler(request('/', { headers: { cookie } })))).toBe('200 home of ')
})

test('wrong passwords are refused, and limited as those of sign-ins', async () => {
  const app = make(await liquidSite(closed(PARTIAL)), { DOOR: 'open sesame' })
  for (const wrong of ['', 'open sesam', 'open sesame ', 'x'.repeat(5000)]) {
    const reply = await send(app, wrong, '192.0.2.3')
    expect(shown(reply)).toMatch(/^403 [^]*The password is wrong/)
    expect(shown(await app.handler(request('/', { headers: { cookie: cookiesOf(reply) } })))).toContain('Back soon')
  }
  const more = '&password[]=open+sesame'
  expect((await send(app, 'x', '192.0.2.3', more)).status).toBe(403)
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) statuses.push((await send(app, 'guess', '192.0.2.3')).status)
  expect(statuses.at(-1)).toBe(429)
  const late = await send(app, 'open sesame', '192.0.2.3')
  expect(late.status).toBe(429)
  expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
  expect((await send(app, 'open sesame', '198.51.100.1')).status).toBe(302)
  await database.sql`delete from ingot.attempts`
})

test('without a password that is set nobody gets in, and the log says why', async () => {
  const app = make(await liquidSite(closed(PARTIAL)), { DOOR: ' ' })
  logged.length = 0
  expect((await send(app, ' ', '192.0.2.4')).status).toBe(403)
  expect((await send(app, '', '192.0.2.4')).status).toBe(403)
  expect(logged.join('')).toContain('its constant DOOR is not set')
})

test('a site without that partial is closed in plain words', async () => {
  const app = make(await liquidSite(closed()), { DOOR: 'open sesame' })
  const reply = await app.handler(request('/'))
  expect(shown(reply)).toMatch(/^503 [^]*The site is not available right now/)
  expect(shown(reply)).not.toContain('maintenance')
  expect(reply.reason).toBe('the site is closed by `maintenance` in app/config.yml')
})

test('in development, a closed site names the setting that closes it', async () => {
  const app = make(await liquidSite(closed()), { DOOR: 'open sesame' }, 'development')
  expect(shown(await app.handler(request('/')))).toContain('the site is closed by `maintenance` in app/config.yml')
})

test('a site that is open has no door', async () => {
  const app = make(await liquidSite({ ...PAGES, 'app/config.yml': 'maintenance: { enabled: false }\n' }), {})
  expect(shown(await app.handler(request('/')))).toBe('200 home of ')
  expect((await app.handler(request('/_maintenance/new'))).status).toBe(404)
  expect((await send(app, 'open sesame', '192.0.2.5')).status).toBe(404)
})
