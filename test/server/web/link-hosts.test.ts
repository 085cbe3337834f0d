/** A forged `Host` header: links that outlive the response never lead to the forged host. */
import { chmodSync } from 'node:fs'
import { createServer, request as httpRequest, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { type Product, product, type Server } from '../../support/product.ts'

const EVIL = 'Evil.Example:8080'
const FILES = (port: number): Record<string, string> => ({
  'app/views/pages/reset.liquid': `---
slug: reset
---
{%- assign url = 'https://' | append: context.location.host | append: '/reset?token=1' -%}
{%- assign href = context.location.href -%}
{%- assign name = context.headers.SERVER_NAME | upcase -%}
{%- assign sent = context.headers.HTTP_HOST | split: ':' | first -%}
{%- assign data = '{}' | parse_json -%}
{%- background job = 'later', url: url, href: href, name: name, sent: sent, data: data, mail: 'boss@evil.example' -%}
{%- assign body = '<a href="' | append: url | append: '">Reset</a>' -%}
{%- assign to = 'http://127.0.0.1:${port}/hook?at=' | append: url -%}
{%- graphql mail = 'mail', body: body -%}
{%- graphql text = 'text', body: url -%}
{%- graphql call = 'call', to: to, body: url -%}
{{ job }} {{ url }} {{ mail | json }} {{ text | json }} {{ call | json }}`,
  'app/graphql/mail.graphql': `mutation mail($body: String!) {
  email_send(email: { to: ["ann@evil.example"], from: "shop@shop.example", subject: "Reset", content: $body }) { is_scheduled_to_send errors { message } }
}`,
  'app/graphql/text.graphql': `mutation text($body: String!) {
  sms_send(sms: { to: "+4912345678", content: $body }) { is_scheduled_to_send errors { message } }
}`,
  'app/graphql/call.graphql': `mutation call($to: String!, $body: String!) {
  api_call_send(api_call: { url: $to, method: "POST", body: $body }) { response { status } errors { message } }
}`,
  'app/views/pages/template.liquid': `---
slug: template
---
{%- graphql g -%}mutation { api_call_send(template: { name: "hook" }, data: { a: 1 }) { response { status } errors { message } } }{%- endgraphql -%}{{ g | json }}`,
  'app/api_calls/hook.liquid': `---
to: 'http://127.0.0.1:${port}/hook?at={{ context.location.host }}'
request_type: POST
---
{{ context.location.href }}`,
  'app/views/pages/unread.liquid': `---
slug: unread
---
{%- background job = 'later', url: context.params.url -%}{{ job }}`,
  'app/views/pages/cached.liquid': `---
slug: cached
---
{%- cache 'footer', expire: 600 -%}{{ context.location.host }}{%- endcache -%}`,
  'app/views/pages/kept.liquid': `---
slug: kept
dynamic_cache:
  key: all
  expire: 600
---
{{ context.location.host }}`,
  'app/assets/a.css': 'a { color: red }',
  'app/views/partials/later.liquid': '{{ context.location.host }}',
})

let ingot: Product
let database: TestDatabase
let hook: HttpServer
let folder = ''
const hooked: string[] = []

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  hook = createServer((message, response) => {
    let body = ''
    message.on('data', (part) => (body += String(part)))
    message.on('end', () => {
      hooked.push(`${message.url} ${body}`)
      response.end('ok')
    })
  })
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
  folder = ingot.folder(FILES((hook.address() as AddressInfo).port))
  const built = await ingot.run(['build', folder])
  if (built.code !== 0) throw new Error(built.err)
})
afterAll(async () => {
  await ingot?.clean()
  await database?.close()
  hook?.close()
})

async function serve(env: Record<string, string>): Promise<Server> {
  hooked.length = 0
  await database.sql.unsafe('truncate graphile_worker._private_jobs cascade').catch(() => undefined)
  const own = { DATABASE_URL: database.url, INGOT_OUTGOING: '127.0.0.1', ...env }
  return ingot.serve(['serve', folder], { env: own })
}

function get(
  server: Server,
  path: string,
  host: string,
  more: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((done, fail) => {
    const asking = httpRequest(new URL(path, server.url), { headers: { host, ...more } }, (response) => {
      let text = ''
      response.on('data', (part) => (text += String(part)))
      response.on('end', () => done({ status: response.statusCode ?? 0, text }))
    })
    asking.on('error', fail)
    asking.end()
  })
}

/** Returns the texts of all jobs in the queue. */
async function queued(): Promise<string> {
  const rows = await database.sql<
    { payload: string }[]
  >`select payload::text from graphile_worker._private_jobs order by id`
  return rows.map(({ payload }) => payload).join('\n')
}

test('without INGOT_HOSTS nothing takes its host from a request', async () => {
  const server = await serve({})
  const own = new URL(server.url).host
  const { text } = await get(server, '/reset', EVIL)
  // The page may print the host that its own visitor has sent.
  expect(text).toContain(`https://${EVIL}/reset`)
  expect(text.match(/"is_scheduled_to_send":true/g)).toHaveLength(2)
  const jobs = await queued()
  expect(jobs).toContain(`https://${own}/reset?token=1`)
  expect(jobs).toContain(`http://${own}/reset`)
  // Email addresses are not changed.
  expect(jobs).toContain('boss@evil.example')
  expect(jobs).toContain('ann@evil.example')
  expect(jobs.replaceAll(/(?:ann|boss)@evil\.example/g, '')).not.toMatch(/evil\.example/i)
  expect(jobs).toContain(`"host":"${own}"`)
  await get(server, '/template', EVIL)
  expect(hooked).toHaveLength(2)
  expect(hooked.join()).not.toMatch(/evil/i)
  expect(hooked[1]).toContain(`at=${own}`)
  expect(server.output()).toMatch(
    new RegExp(`INGOT_HOSTS is not set.* lead to ${own} instead of the site: set it to the host names of the site`),
  )
  await server.stop()
})

test('without INGOT_HOSTS a fragment or a body that is cached for a forged host is for that host alone', async () => {
  const server = await serve({ INGOT_ENV: 'staging' })
  for (const path of ['/cached', '/kept']) {
    expect((await get(server, path, EVIL)).text.trim(), path).toBe(EVIL)
    expect((await get(server, path, 'shop.example')).text.trim(), path).toBe('shop.example')
    expect((await get(server, path, 'shop.example')).text.trim(), path).toBe('shop.example')
  }
  // A proxy that the settings do not mention, in any process.
  expect(server.output()).not.toContain('INGOT_PROXIES')
  await get(server, '/cached', 'shop.example', { 'x-forwarded-for': '203.0.113.9' })
  await expect.poll(() => server.output()).toMatch(/Requests from 127\.0\.0\.1 .*Set INGOT_PROXIES/)
  await expect
    .poll(() => database.sql`select type from ingot.logs where type = 'unnamed_proxy'`)
    .toEqual([{ type: 'unnamed_proxy' }])
  // Arguments of jobs that do not come from the `Host` header are not changed.
  await get(server, '/unread?url=https://shop.example/a', 'shop.example')
  expect(await queued()).toContain('https://shop.example/a')
  await server.stop()
})

test('with INGOT_HOSTS links have the host of the request, which is one of them', async () => {
  const server = await serve({
    INGOT_HOSTS: 'evil.example:8080,*.shop.example',
    INGOT_PROXIES: '1',
    INGOT_RATE: '3',
    INGOT_WORKERS: '2',
  })
  await get(server, '/reset', EVIL)
  const jobs = await queued()
  expect(jobs).toContain(`https://${EVIL}/reset?token=1`)
  expect(jobs).toContain(`"host":"${EVIL}"`)
  expect(hooked.join()).toContain(`https://${EVIL}/reset`)
  expect((await get(server, '/reset', 'a.shop.example')).status).toBe(200)
  expect(await queued()).toContain('https://a.shop.example/reset')
  for (const wrong of ['evil.example:8081', 'evil.example', 'shop.example', 'x.example'])
    expect((await get(server, '/reset', wrong)).status, wrong).toBe(400)
  expect(server.output()).not.toContain('INGOT_HOSTS')
  // Requests of one visitor to all processes. Requests for assets that do not exist count towards the limit.
  const visitor = { 'x-forwarded-for': '10.0.0.1' }
  const status = async (path: string): Promise<number> => (await get(server, path, EVIL, visitor)).status
  const statuses = (path: string): Promise<readonly number[]> =>
    Promise.all(Array.from({ length: 12 }, () => status(path)))
  expect(new Set(await statuses('/assets/a.css'))).toEqual(new Set([200]))
  await expect.poll(async () => new Set(await statuses('/assets/none'))).toEqual(new Set([429]))
  expect(new Set(await statuses('/assets/a.css'))).toEqual(new Set([200]))
  await server.stop()
})

test('the start says it with the PostgreSQL that Ingot brings, too', async () => {
  const own = ingot.folder()
  chmodSync(own, 0o755)
  const server = await ingot.serve(['serve', folder], { env: { DATABASE_URL: '', INGOT_DATA: join(own, 'data') } })
  await expect.poll(() => server.output(), { timeout: 20_000 }).toMatch(/INGOT_HOSTS is not set/)
  await server.stop()
})
