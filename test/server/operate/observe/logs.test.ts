/** Tests the log entries of requests, and of slow pages and queries. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { traceIdOf } from '../../../../server/web/http/trace-context.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'

// Several processes start and end in each test.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const FILES = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n',
  'app/graphql/notes/list.graphql': `query list {
  records(per_page: 5, filter: { table: { value: "note" } }) { results { id } }
}
`,
  'app/views/pages/index.liquid': 'home',
  'app/views/layouts/application.liquid': '{{ content_for_layout }}',
  'app/views/pages/notes.liquid': "---\nslug: notes\n---\n\n{% render 'shelf' %}",
  'app/views/partials/shelf.liquid': "{% comment %}\n{% endcomment %}\n{% function all = 'lib/all' %}{{ all }}",
  'app/lib/lib/all.liquid': "{% graphql all = 'notes/list' %}\n{% return all.records.results.size %}",
  'app/forms/sign_up.liquid':
    "---\nname: sign_up\nresource: User\nfields:\n  email:\n  password:\ncallback_actions: '{% sign_in user_id: form.id %}'\nredirect_to: /\n---\n{% form %}{% endform %}",
  'app/views/pages/sign-up.liquid': "---\nslug: sign-up\n---\n{% include_form 'sign_up' %}",
}

let ingot: Programs
let program: Program
let url: string
beforeAll(async () => {
  ingot = await programs()
  const root = await builtFolder(FILES)
  program = ingot.start(['serve', root], { INGOT_PROXIES: '1', INGOT_SLOW_QUERY: '50', INGOT_SLOW_PAGE: '60' })
  url = `http://127.0.0.1:${await program.port()}`
})
afterAll(() => ingot.clean())

/** Returns the log entry of a request. The log is written once per second. */
async function line(id: string, message = 'request'): Promise<Record<string, unknown>> {
  const found = () =>
    program
      .output()
      .split('\n')
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find((each) => each['id'] === id && each['msg'] === message)
  await expect.poll(found).toBeDefined()
  return found() ?? {}
}

test('a line has the address behind the proxy, the trace and the build', async () => {
  const headers = {
    'x-request-id': 'first',
    'x-forwarded-for': '198.51.100.7, 203.0.113.9',
    traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
  }
  await fetch(url, { headers })
  expect(await line('first')).toMatchObject({
    ip: '203.0.113.9',
    trace: TRACE,
    release: expect.stringMatching(/^\w{8,}$/),
    template: 'app/views/pages/index.liquid',
    status: 200,
  })
})

test('a line has the user who is signed in', async () => {
  const form = await fetch(`${url}/sign-up`)
  const token = /name="authenticity_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? ''
  const cookie = form.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const sent = new URLSearchParams({
    authenticity_token: token,
    form_name: 'sign_up',
    'form[email]': 'ada@example.com',
    'form[password]': 'correct horse',
  })
  const signed = await fetch(`${url}/api/users`, {
    method: 'POST',
    body: sent,
    headers: { cookie },
    redirect: 'manual',
  })
  expect(signed.status).toBe(302)
  const own = signed.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  await fetch(url, { headers: { cookie: own, 'x-request-id': 'signed' } })
  const [user] = await ingot.database.sql<{ id: string }[]>`select id::text from ingot.users`
  expect(await line('signed')).toMatchObject({ user: user?.id })
  await fetch(url, { headers: { 'x-request-id': 'nobody' } })
  expect(await line('nobody')).not.toHaveProperty('user')
})

test('a query and a page that take long are told with their templates', async () => {
  const { sql } = ingot.database
  let reply: Promise<Response> | null = null
  await sql.begin(async (held) => {
    await held`lock table ingot.records in access exclusive mode`
    reply = fetch(`${url}/notes`, { headers: { 'x-request-id': 'waiting' } })
    // The page waits for the lock, for longer than the limit of slow pages.
    const waits = async () => (await held`select 1 from pg_locks where not granted and locktype = 'relation'`).length
    await expect.poll(waits).toBe(1)
    await held`select pg_sleep(0.2)`
  })
  expect((await reply!).status).toBe(200)
  expect(await line('waiting', 'slow query')).toMatchObject({
    query: 'notes/list',
    ms: expect.any(Number),
    stack: ['app/lib/lib/all.liquid:1', 'app/views/partials/shelf.liquid:3', 'app/views/pages/notes.liquid:5'],
  })
  expect(await line('waiting', 'slow page')).toMatchObject({
    method: 'GET',
    path: '/notes',
    status: 200,
    statements: 1,
    database: expect.any(Number),
    stack: ['app/views/pages/notes.liquid', 'app/views/layouts/application.liquid'],
  })
  const kept = () => sql`select message, data->>'partial' as file from ingot.logs where type = 'slow page'`
  await expect.poll(kept).toContainEqual({
    message: expect.stringMatching(/^GET \/notes took \d+ ms, \d+ ms of them for 1 statement$/),
    file: 'app/views/pages/notes.liquid',
  })
})

test.each([
  ['', null],
  [`00-${TRACE}-b7ad6b7169203331-01`, TRACE],
  [`cc-${TRACE}-b7ad6b7169203331-01-what-comes-later`, TRACE],
  [`00-${TRACE}-b7ad6b7169203331-01-more`, null],
  [`ff-${TRACE}-b7ad6b7169203331-01`, null],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, null],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, null],
  [`00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, null],
  [`00-${TRACE}-b7ad6b7169203331-01\r\nx: y`, null],
  [`00-${TRACE}-b7ad6b7169203331-01, 00-${TRACE}-b7ad6b7169203331-01`, null],
  ['x'.repeat(100_000), null],
])('%s holds the trace %s', (header, id) => {
  expect(traceIdOf(header)).toBe(id)
})
