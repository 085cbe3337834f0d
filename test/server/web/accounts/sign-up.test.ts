/** Sign-ups: the limit per network, for all ways to sign up on all servers. Other visitors do not have to wait for them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FairQueue } from '../../../../server/web/accounts/fair-queue.ts'
import { setMaxWaitingHashes, hashPassword } from '../../../../server/web/accounts/passwords.ts'
import { Crowded } from '../../../../server/web/site/session.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Sent, type ServedForms, serveForms } from '../rest/support.ts'

const FILES = {
  'app/forms/join.liquid':
    '---\nname: join\nresource: User\nfields:\n  email:\n  password:\nredirect_to: /in\n---\n{% form %}{% endform %}',
  'app/forms/log_in.liquid':
    '---\nname: log_in\nresource: Session\nfields:\n  email:\n  password:\nredirect_to: /in\n---\n{% form %}{% endform %}',
  'app/views/pages/in.liquid': 'in',
  'app/views/pages/sign_in.liquid': "{% include_form 'log_in' %}",
  'app/graphql/join.graphql':
    'mutation join($email: String!, $password: String!) { user_create(user: { email: $email, password: $password }) { id } }',
  'app/graphql/by_form.graphql':
    'mutation by_form($email: String!, $password: String!) { user_create(form_name: "join", user: { email: $email, password: $password }) { id } }',
  'app/graphql/session.graphql':
    'mutation session($email: String!, $password: String!) { user_session_create(email: $email, password: $password) { id } }',
  'app/views/pages/join.liquid':
    "---\nmethod: post\n---\n{% graphql r = 'join', email: context.params.email, password: context.params.password %}{{ r.user_create.id }}|{{ r.errors.first.message }}",
  'app/views/pages/by_form.liquid':
    "---\nmethod: post\n---\n{% graphql r = 'by_form', email: context.params.email, password: context.params.password %}{{ r.user_create.id }}|{{ r.errors.first.message }}",
  'app/views/pages/many.liquid':
    "---\nmethod: post\n---\n{% for n in (1..6) %}{% assign email = n | append: context.params.email %}{% graphql r = 'join', email: email, password: context.params.password %}{{ r.user_create.id }} {% endfor %}",
  'app/views/pages/session.liquid':
    "---\nmethod: post\n---\n{% graphql r = 'session', email: context.params.email, password: context.params.password %}{{ r.user_session_create.id }}",
}

const MOST = 4
const PASSWORD = 'correct horse'

let database: TestDatabase
let built: LiquidSite
/** Two servers with a limit, and one without a limit. */
let servers: readonly [ServedForms, ServedForms, ServedForms]
let ann: string

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const serve = (signUps: number) =>
    serveForms(built.loaded.site, database, { loaded: built.loaded, proxies: 1, accounts: { signUps } })
  servers = [await serve(MOST), await serve(MOST), await serve(0)]
  const [row] = await database.sql`
    insert into ingot.users (email, slug, encrypted_password)
    values ('ann@example.com', 'ann', ${await hashPassword(PASSWORD)}) returning id::text`
  ann = String(row?.['id'])
})
afterEach(() => database.sql`delete from ingot.attempts`)
afterAll(async () => {
  for (const server of servers ?? []) await server.close()
  built?.close()
  await database?.close()
})

let made = 0
const users = async (): Promise<number> => (await database.sql`select from ingot.users`).length
const from = (address: string) => ({ 'x-forwarded-for': address })
const isLimited = ({ status, text }: Sent): boolean => status === 429 || /too many (?:sign-ups|attempts)/i.test(text)

type Door = (server: ServedForms, address: string) => Promise<Sent>

const throughPage =
  (path: string): Door =>
  (server, address) =>
    server.browser().post(path, { email: `u${made++}@example.com`, password: PASSWORD }, from(address))

const DOORS: Readonly<Record<string, Door>> = {
  form: (server, address) => {
    const fields = { form_name: 'join', 'form[email]': `u${made++}@example.com`, 'form[password]': PASSWORD }
    return server.browser().post('/api/users', fields, from(address))
  },
  script: (server, address) => {
    const fields = { form_name: 'join', 'form[email]': `u${made++}@example.com`, 'form[password]': PASSWORD }
    return server.browser().post('/api/users', fields, { ...from(address), accept: 'application/json' })
  },
  user_create: throughPage('/join'),
  'user_create with a form': throughPage('/by_form'),
}

describe.each(Object.entries(DOORS))('%s', (_name, door) => {
  test('is closed to a network after some sign-ups, at every door of all servers, and to nobody else', async () => {
    const before = await users()
    for (let n = 0; n < MOST; n++) expect(isLimited(await door(servers[n % 2]!, '10.0.0.1'))).toBe(false)
    for (const other of Object.values(DOORS)) expect(isLimited(await other(servers[1], '10.0.0.1'))).toBe(true)
    expect(await users()).toBe(before + MOST)
    expect(isLimited(await door(servers[0], '10.0.0.2'))).toBe(false)
    expect(await users()).toBe(before + MOST + 1)
  })

  test('is as open as before where the limit is 0', async () => {
    for (let n = 0; n < MOST + 2; n++) expect(isLimited(await door(servers[2], '10.0.0.3'))).toBe(false)
  })
})

test('a refusal says when to come again', async () => {
  for (let n = 0; n < MOST; n++) await DOORS['form']!(servers[0], '10.0.0.4')
  const page = await DOORS['form']!(servers[0], '10.0.0.4')
  const script = await DOORS['script']!(servers[0], '10.0.0.4')
  for (const { status, headers } of [page, script]) {
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(100)
  }
  expect(page.text).toContain('Too many attempts')
  expect(script.json).toEqual({ errors: { base: ['Too Many Requests'] } })
})

test('programs with a token are not counted, nor is what they sign up counted for others', async () => {
  for (let n = 0; n < MOST + 3; n++) {
    const form = { email: `p${n}@example.com`, password: PASSWORD }
    const sent = await servers[0].send('POST', '/api/users', { form_name: 'join', form }, { headers: from('10.0.0.5') })
    expect(sent.status).toBe(201)
    const query = `mutation { user_create(user: { email: "q${n}@example.com", password: "${PASSWORD}" }) { id } }`
    const { json } = await servers[0].send('POST', '/api/graph', { query }, { headers: from('10.0.0.5') })
    expect(json['errors']).toBeUndefined()
  }
  expect(isLimited(await DOORS['form']!(servers[0], '10.0.0.5'))).toBe(false)
})

test('a token that is none does not spare a page the count', async () => {
  const authorization = 'Token made-up'
  const join = () =>
    servers[0]
      .browser()
      .post('/join', { email: `u${made++}@example.com`, password: PASSWORD }, { ...from('10.0.0.6'), authorization })
  for (let n = 0; n < MOST; n++) expect(isLimited(await join())).toBe(false)
  expect(isLimited(await join())).toBe(true)
})

test('a page that creates several users counts once', async () => {
  const before = await users()
  await servers[0].browser().post('/many', { email: '@many.example.com', password: PASSWORD }, from('10.0.0.7'))
  expect(await users()).toBe(before + 6)
  for (let n = 1; n < MOST; n++) expect(isLimited(await DOORS['form']!(servers[0], '10.0.0.7'))).toBe(false)
  expect(isLimited(await DOORS['form']!(servers[0], '10.0.0.7'))).toBe(true)
})

test('three hundred sign-ups of one address are refused after the first few', async () => {
  const before = await users()
  const doors = Object.values(DOORS)
  const sent = await Promise.all(Array.from({ length: 300 }, (_, n) => doors[n % 4]!(servers[n % 2]!, '10.0.0.8')))
  expect(sent.filter(({ status }) => status >= 500)).toEqual([])
  expect(await users()).toBeLessThanOrEqual(before + MOST)
})

// Uses the server without a limit, so that all sign-ups reach the hashing.
test.each(['form', 'user_create'])('a log-in passes a flood of sign-ups through %s', async (name) => {
  setMaxWaitingHashes(8)
  let isOver = false
  const answers: Sent[] = []
  const isRefused = ({ status, text }: Sent): boolean => status === 429 || /is checking too many passwords/.test(text)
  const flood = async (): Promise<void> => {
    while (!isOver) answers.push(await DOORS[name]!(servers[2], '10.0.0.9'))
  }
  const flooding = Array.from({ length: 12 }, flood)
  try {
    // Waits until the network has filled its share of the queue.
    await expect.poll(() => answers.some(isRefused), { timeout: 30_000 }).toBe(true)
    for (let n = 0; n < 3; n++) {
      const fields = { email: 'ann@example.com', password: PASSWORD }
      expect((await servers[2].browser().post('/session', fields, from('10.0.1.1'))).text).toBe(ann)
    }
  } finally {
    isOver = true
    await Promise.all(flooding)
    setMaxWaitingHashes(100)
  }
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
})

describe('a fair queue', () => {
  /** Returns a function that queues tasks which end on request, and the list of the started tasks. */
  function watched(queue: FairQueue) {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const refused: string[] = []
    const ask = (network: string | null, name: string): void => {
      const task = () => {
        begun.push(name)
        return new Promise<void>((end) => ends.push(end))
      }
      queue.run(network, task).catch((error: unknown) => {
        if (!(error instanceof Crowded)) throw error
        refused.push(name)
      })
    }
    const end = async (): Promise<void> => {
      ends.shift()?.()
      await new Promise((go) => setImmediate(go))
    }
    return { begun, refused, ask, end }
  }

  test('runs some at once, and takes networks in turn', async () => {
    const { begun, ask, end } = watched(new FairQueue(2, 100))
    for (let n = 1; n <= 5; n++) ask('a', `a${n}`)
    ask('b', 'b1')
    ask(null, 'import')
    ask('b', 'b2')
    expect(begun).toEqual(['a1', 'a2'])
    for (let n = 0; n < 8; n++) await end()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'import', 'a4', 'b2', 'a5'])
    // The slots of the network are free again.
    ask('c', 'c1')
    ask('c', 'c2')
    ask('c', 'c3')
    expect(begun.slice(8)).toEqual(['c1', 'c2'])
  })

  test('refuses a network that fills its share, and all when it is full', async () => {
    const { refused, ask, end } = watched(new FairQueue(1, 8))
    for (let n = 0; n < 5; n++) ask('a', `a${n}`)
    await new Promise((go) => setImmediate(go))
    expect(refused).toEqual(['a3', 'a4'])
    for (const network of ['b', 'b', 'c', 'c', 'd', 'd', 'e']) ask(network, network)
    await new Promise((go) => setImmediate(go))
    expect(refused).toEqual(['a3', 'a4', 'e'])
    // Programs and imports have separate places in the queue.
    for (let n = 0; n < 9; n++) ask(null, `own${n}`)
    await new Promise((go) => setImmediate(go))
    expect(refused).toEqual(['a3', 'a4', 'e', 'own8'])
    await end()
    ask('a', 'again')
    await new Promise((go) => setImmediate(go))
    expect(refused).toEqual(['a3', 'a4', 'e', 'own8'])
  })

  test('goes on when a task fails', async () => {
    const queue = new FairQueue(1, 8)
    const failing = queue.run('a', () => Promise.reject(new Error('as it must')))
    const next = queue.run('a', async () => 'done')
    await expect(failing).rejects.toThrow('as it must')
    expect(await next).toBe('done')
  })
})

test('the number of passwords that wait is a setting', async () => {
  setMaxWaitingHashes(4)
  try {
    const hashes = Array.from({ length: 6 }, () => hashPassword('x', '10.0.0.1'))
    const states = await Promise.allSettled(hashes)
    expect(states.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(3).fill('rejected')])
  } finally {
    setMaxWaitingHashes(100)
  }
})
