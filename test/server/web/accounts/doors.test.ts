/**
 * Wrong passwords have one limit for all ways to sign in, on all servers of a database: forms, REST, and GraphQL in pages and from
 * programs.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../server/web/accounts/passwords.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Browser, inputsOf, type ServedForms, serveForms } from '../rest/support.ts'

const FILES = {
  'app/views/pages/sign_in.liquid': "{% include_form 'log_in' %}",
  'app/views/pages/in.liquid': 'in',
  'app/forms/log_in.liquid':
    '---\nname: log_in\nresource: Session\nfields:\n  email:\n  password:\nredirect_to: /in\n---\n{% form %}{{ form.errors.password }}{% endform %}',
  'app/graphql/check.graphql':
    'query check($email: String!, $password: String!) { users(per_page: 1, filter: { email: { value: $email } }) { results { authenticate { password(password: $password) } } } }',
  'app/graphql/sign_in.graphql':
    'mutation sign_in($email: String!, $password: String!) { user_session_create(email: $email, password: $password) { id } }',
  'app/views/pages/check.liquid':
    "---\nmethod: post\n---\n{% graphql r = 'check', email: context.params.email, password: context.params.password %}{{ r.users.results.first.authenticate.password }}|{{ r.errors.first.message }}",
  'app/views/pages/mutation.liquid':
    "---\nmethod: post\n---\n{% graphql r = 'sign_in', email: context.params.email, password: context.params.password %}{{ r.user_session_create.id }}|{{ r.errors.first.message }}",
  'app/views/pages/tag.liquid': '---\nmethod: post\n---\n{% sign_in user: context.params.user %}in',
}

const ANN = 'ann@example.com'
const RIGHT = 'correct horse'
const CHECK = `query { users(per_page: 1, filter: { email: { value: "${ANN}" } }) { results { authenticate { ALIASES } } } }`

let database: TestDatabase
let built: LiquidSite
/** Two servers of one database, behind a proxy that adds the addresses of visitors. */
let servers: readonly [ServedForms, ServedForms]
let ann: string

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const options = { loaded: built.loaded, proxies: 1 }
  servers = [
    await serveForms(built.loaded.site, database, options),
    await serveForms(built.loaded.site, database, options),
  ]
  const [row] = await database.sql`
    insert into ingot.users (email, slug, encrypted_password) values (${ANN}, 'ann', ${await hashPassword(RIGHT)})
    returning id::text`
  ann = String(row?.['id'])
})
afterEach(() => database.sql`delete from ingot.attempts`)
afterAll(async () => {
  for (const server of servers ?? []) await server.close()
  built?.close()
  await database?.close()
})

type Outcome = 'in' | 'wrong' | 'limited'
type Door = (server: ServedForms, password: string, address: string, browser?: Browser) => Promise<Outcome>

const from = (address: string) => ({ 'x-forwarded-for': address })

/** Returns the outcome from the text of a test page, which prints the result and the error. */
function printed(text: string, right: string): Outcome {
  if (/too many attempts/i.test(text)) return 'limited'
  return text.startsWith(`${right}|`) ? 'in' : 'wrong'
}

const throughPage =
  (path: string, right: () => string): Door =>
  async (server, password, address, browser = server.browser()) => {
    const inputs = inputsOf((await browser.get('/sign_in', from(address))).text)
    const token = inputs['authenticity_token'] ?? ''
    const fields = { authenticity_token: token, email: ANN, password }
    return printed((await browser.post(path, fields, from(address))).text, right())
  }

const DOORS: Readonly<Record<string, Door>> = {
  async form(server, password, address, browser = server.browser()) {
    const inputs = inputsOf((await browser.get('/sign_in', from(address))).text)
    const fields = { ...inputs, 'form[email]': ANN, 'form[password]': password }
    const { status, headers } = await browser.post('/api/sessions', fields, from(address))
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    return status === 302 ? 'in' : status === 429 ? 'limited' : 'wrong'
  },
  async rest(server, password, address) {
    const body = { form_name: 'log_in', form: { email: ANN, password } }
    const { status } = await server.send('POST', '/api/sessions', body, { headers: from(address) })
    return status === 201 ? 'in' : status === 429 ? 'limited' : 'wrong'
  },
  authenticate: throughPage('/check', () => 'true'),
  user_session_create: throughPage('/mutation', () => ann),
}

async function fail(door: Door, times: number, address: string, server = servers[0]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (let n = 0; n < times; n++) outcomes.push(await door(server, `wrong ${n}`, address))
  return outcomes
}

describe.each(Object.entries(DOORS))('%s', (_name, door) => {
  test('lets in who knows the password', async () => {
    expect(await door(servers[0], RIGHT, '10.0.0.1')).toBe('in')
  })

  test('is closed to a stranger after ten wrong ones, at every door of every server, and to nobody else', async () => {
    const outcomes = await fail(door, 11, '10.0.0.2')
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => 'wrong'), 'limited'])
    for (const other of Object.values(DOORS)) {
      expect(await other(servers[1], RIGHT, '10.0.0.2')).toBe('limited')
      expect(await other(servers[1], RIGHT, '10.0.0.3')).toBe('in')
    }
  })

  test('knows a device that was signed in, also in the network of the stranger', async () => {
    const browser = servers[0].browser()
    expect(await DOORS['form']!(servers[0], RIGHT, '10.0.0.4', browser)).toBe('in')
    const device = browser.cookies.get('_ingot_device') ?? ''
    expect(device).toMatch(/^[\w-]+\.[\w-]+$/)
    await fail(door, 11, '10.0.0.4')
    const again = servers[1].browser()
    again.cookies.set('_ingot_device', device)
    const isKnown = door !== DOORS['rest']
    expect(await door(servers[1], RIGHT, '10.0.0.4', again)).toBe(isKnown ? 'in' : 'limited')
    const thief = servers[1].browser()
    thief.cookies.set('_ingot_device', `${device.slice(0, -1)}${device.endsWith('A') ? 'B' : 'A'}`)
    expect(await door(servers[1], RIGHT, '10.0.0.4', thief)).toBe('limited')
  })
})

test('a hundred tries in one query are ten', async () => {
  const aliases = Array.from({ length: 100 }, (_, n) => `p${n}: password(password: "wrong ${n}")`).join(' ')
  const { json } = await servers[0].send('POST', '/api/graph', { query: CHECK.replace('ALIASES', aliases) })
  expect(JSON.stringify(json)).toMatch(/too many attempts/)
  const right = CHECK.replace('ALIASES', `password(password: "${RIGHT}")`)
  expect(JSON.stringify((await servers[1].send('POST', '/api/graph', { query: right })).json)).toMatch(/too many/)
  expect(await DOORS['form']!(servers[1], RIGHT, '10.0.0.5')).toBe('in')
})

test('tries at once, at all doors of both servers, do not pass the limit together', async () => {
  const doors = Object.values(DOORS).filter((door) => door !== DOORS['rest'])
  const tries = Array.from({ length: 30 }, (_, n) => doors[n % doors.length]!(servers[n % 2]!, `no ${n}`, '10.0.0.6'))
  const outcomes = await Promise.all(tries)
  expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(10)
})

test('codes of six digits are not tried through either', async () => {
  const aliases = Array.from({ length: 100 }, (_, n) => `c${n}: otp_code(code: "${100_000 + n}")`).join(' ')
  const { json } = await servers[0].send('POST', '/api/graph', { query: CHECK.replace('ALIASES', aliases) })
  expect(JSON.stringify(json)).toMatch(/too many attempts/)
})
