/** The studio in development: for the developer's machine only, without a setting and without a user. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Product, product, type Server } from '../../../support/product.ts'
import { Visitor } from './visitor.ts'

let ingot: Product
let database: TestDatabase
let server: Server
let folder: string

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  folder = ingot.folder({
    'app/config.yml': 'studio:\n  path: /internal\n  policy: nobody\n',
    'app/authorization_policies/nobody.liquid': 'false',
    'app/views/pages/index.liquid': 'home',
    'app/views/pages/mails.liquid':
      '{% graphql r %}mutation { email_send(template: { name: "hello" }) { is_scheduled_to_send } }{% endgraphql %}{{ r.errors }}',
    'app/emails/hello.liquid': '---\nto: a@b.example\nfrom: a@site.example\nsubject: Hello\n---\n<p>hello</p>',
    'app/emails/held.liquid':
      '---\nto: a@b.example\nfrom: a@site.example\nsubject: Held\ntrigger_condition: "{{ 1 | plus: 1 }} <no>"\n---\nheld',
    'app/views/pages/held.liquid':
      '{% graphql r %}mutation { email_send(template: { name: "held" }) { is_scheduled_to_send } }{% endgraphql %}{{ r }}',
    'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n',
  })
  server = await ingot.serve(['dev', folder], { env: { DATABASE_URL: database.url, INGOT_JOB_THREADS: '1' } })
})
afterAll(async () => {
  await ingot?.clean()
  await database?.close()
})

test('answers at its own path, with the tools of development', async () => {
  const visitor = new Visitor(server.url)
  await expect.poll(async () => (await visitor.ask('/_ingot/data')).status, { timeout: 60_000 }).toBe(200)
  expect((await visitor.ask('/_ingot/data')).text).toMatch(
    /href="\/_ingot\/data\/rows\?table=item".*GraphiQL|GraphiQL.*rows\?table=item/s,
  )
  expect((await visitor.ask('/internal')).status).toBe(404)
})

test.each([
  ['another host', { host: 'evil.example' }, [400, 403]],
  ['a proxy', { 'x-forwarded-for': '9.9.9.9' }, [403]],
])('is not shown through %s', async (_, headers, statuses) => {
  const visitor = new Visitor(server.url)
  for (const path of ['/_ingot/data', '/_ingot/data/export.csv?table=item', '/_ingot/assets/studio.css']) {
    const { status, text } = await visitor.ask(path, { headers })
    expect(statuses).toContain(status)
    expect(text).not.toMatch(/external_id|rows\?table/)
  }
})

test('imports and exports, with the token of its own forms', async () => {
  const visitor = new Visitor(server.url)
  const file = { name: 'items.csv', text: 'external_id,title\na,"=1"\n' }
  const fields = { table: 'item', act: 'import' }
  expect((await visitor.upload('/_ingot/data/import', fields, file)).status).toBe(403)
  const authenticity_token = await visitor.token('/_ingot/data/import?table=item')
  expect(
    (await new Visitor(server.url).upload('/_ingot/data/import', { ...fields, authenticity_token }, file)).status,
  ).toBe(403)
  const { status, text } = await visitor.upload('/_ingot/data/import', { ...fields, authenticity_token }, file)
  expect([status, text]).toEqual([200, expect.stringContaining('<dt>Created</dt><dd>1</dd>')])
  expect(await database.sql`select actor, actor_id, action from ingot.changes`).toEqual([
    { actor: 'development', actor_id: null, action: 'create' },
  ])
  expect((await visitor.ask('/_ingot/data/export.csv?table=item')).text).toContain(`,"'=1"`)
})

test('lists what the check reports, and follows the files', async () => {
  const visitor = new Visitor(server.url)
  const list = async (query = ''): Promise<string> => (await visitor.ask(`/_ingot/problems/list${query}`)).text
  await expect.poll(() => list(), { timeout: 60_000 }).toContain('finds no problem')
  const file = join(folder, 'app/views/pages/bad.liquid')
  writeFileSync(file, "{% render '<i>' %}\n{{ 'a' | upcas }}\n{% assign unused = 1 %}")
  await expect.poll(() => list(), { timeout: 60_000 }).toMatch(/filter named <code>upcas<\/code>/)
  const text = await list()
  expect(text).toMatch(/data-file="app\/views\/pages\/bad.liquid" data-line="2"/)
  expect(text).toContain('href="/_ingot/source?file=app%2Fviews%2Fpages%2Fbad.liquid&amp;line=2"')
  expect(text).toContain('href="/_ingot/docs/diagnostics/unknown-filter.html"')
  const source = await visitor.ask('/_ingot/source?file=app%2Fviews%2Fpages%2Fbad.liquid&line=2')
  expect(source.text).toMatch(/aria-label="Studio".*<mark>2 \| \{\{ &#39;a&#39; \| upcas \}\}<\/mark>/s)
  expect(source.headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'")
  expect(text).toContain('&lt;i&gt;')
  expect(text).not.toContain('<i>')
  expect(await list('?code=unknown-filter')).toMatch(/1 problem<.*Did you mean <code>upcase<\/code>/s)
  expect(await list('?severity=warning&q=bad.liquid')).toMatch(/<code>unused<\/code> is set here but never read/)
  expect(await list('?severity=warning')).not.toContain('upcas')
  const total = /(\d+) problems/.exec(text)?.[1]
  expect((await visitor.ask('/_ingot/problems/count')).text).toContain(`class="tag wrong">${total}<`)
  const fix = /data-fix="([\da-f]{64})" data-base="\/_ingot">Write <code>upcase<\/code>/.exec(text)?.[1]
  const ask = async (path: string, body: object, headers: Record<string, string>) =>
    fetch(`${server.url}/_ingot/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    })
  expect((await ask('fix', { fix }, {})).status).toBe(401)
  const { token } = z.object({ token: z.string() }).parse(await (await ask('open/token', {}, {})).json())
  expect((await ask('fix', { fix }, { 'x-ingot-token': token })).status).toBe(200)
  expect(readFileSync(file, 'utf8')).toContain("{{ 'a' | upcase }}")
  await expect.poll(() => list(), { timeout: 60_000 }).not.toContain('upcas<')
  rmSync(file)
  await expect.poll(() => list(), { timeout: 60_000 }).toContain('finds no problem')
  expect((await visitor.ask('/_ingot/problems/count')).text.trim()).toBe('')
})

test('runs templates that the developer types, only with the token of its own form', async () => {
  const visitor = new Visitor(server.url)
  const form = { content: '{{ 1 | plus: 41 }} <b>' }
  expect((await visitor.post('/_ingot/console', form)).status).toBe(403)
  const authenticity_token = await visitor.token('/_ingot/console')
  const run = (content: string, headers = {}) =>
    visitor.post('/_ingot/console', { content, authenticity_token }, headers)
  expect((await run('x', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await run('x', { 'x-forwarded-for': '9.9.9.9' })).status).toBe(403)
  expect((await new Visitor(server.url).post('/_ingot/console', { ...form, authenticity_token })).status).toBe(403)
  expect(await run(form.content)).toMatchObject({
    status: 200,
    text: expect.stringContaining('<pre>42 &lt;b&gt;</pre>'),
  })
  const query =
    '{% graphql g %}{ records(per_page: 1, filter: { table: { value: "item" } }) { total_entries } }{% endgraphql %}'
  expect((await run(`${query}{% log 'told <i>', type: 'kind' %}{{ g.records.total_entries }}`)).text).toMatch(
    /<pre>\d+<\/pre>.*kind<.*told &lt;i&gt;/s,
  )
  expect((await run("\n{{ 'a' | upcas }}")).text).toMatch(/role="alert">Line 2: There is no filter named <code>upcas</)
  // A saved file counts at once, and a template that never ends is ended.
  const file = join(folder, 'app/views/partials/later.liquid')
  mkdirSync(dirname(file))
  writeFileSync(file, 'one')
  await expect
    .poll(async () => (await run("{% render 'later' %}")).text, { timeout: 60_000 })
    .toContain('<pre>one</pre>')
  // Edits replace the threads while templates wait for them.
  for (const word of ['two', 'three', 'four', 'five', 'six']) {
    writeFileSync(file, word)
    for (let pause = 0; pause < 3; pause++) {
      expect((await run("{{ 6 | times: 7 }}{% render 'later' %}")).text).toMatch(/<pre>42\w+<\/pre>/)
      await sleep(pause * 150)
    }
  }
  expect((await run('{% for i in (1..1000000000) %}{% endfor %}')).text).toMatch(/role="alert">/)
  expect((await visitor.ask('/_ingot')).status).toBe(200)
  rmSync(file)
})

test('serves the documentation, only to this machine', async () => {
  const visitor = new Visitor(server.url)
  expect((await visitor.ask('/_ingot/docs')).headers['location']).toBe('/_ingot/docs/index.html')
  expect((await visitor.ask('/_ingot/docs/guides/')).headers['location']).toBe('/_ingot/docs/index.html')
  const { status, text, headers } = await visitor.ask('/_ingot/docs/index.html')
  expect([status, text]).toEqual([
    200,
    expect.stringMatching(/<title>Ingot documentation<\/title>.*<a href="\/_ingot">Studio<\/a>/s),
  ])
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'sha256-[\w+/=]+'; style-src/)
  const style = await visitor.ask('/_ingot/docs/reference.css')
  expect([style.status, style.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/css/)])
  for (const path of ['../package.json', '%2e%2e/package.json', 'guides/../../x.html', 'nothing.html', '.html'])
    expect([path, (await visitor.ask(`/_ingot/docs/${path}`)).status]).toEqual([path, expect.toBeOneOf([400, 404])])
  const elsewhere = { headers: { 'x-forwarded-for': '9.9.9.9' } }
  expect((await visitor.ask('/_ingot/docs/index.html', elsewhere)).status).toBe(403)
})

test('frames the outbox and GraphiQL', async () => {
  const visitor = new Visitor(server.url)
  const outbox = await visitor.ask('/_ingot/outbox')
  expect(outbox.text).toMatch(
    /<nav aria-label="Studio">.*aria-current="page">Outbox<.*<h1>Outbox<\/h1>.*No messages were sent/s,
  )
  expect(outbox.headers['content-security-policy']).toContain("script-src 'self'")
  expect((await visitor.ask('/_ingot/graphql')).text).toMatch(
    /<nav aria-label="Studio">.*<iframe [^>]*src="\/_ingot\/graphql\/page"/s,
  )
  const page = await visitor.ask('/_ingot/graphql/page')
  expect([page.headers['x-frame-options'], page.headers['content-security-policy']]).toEqual([
    'SAMEORIGIN',
    expect.stringContaining("frame-ancestors 'self'"),
  ])
})

test('a message and its job lead to each other, to the template and to the request that queued the job', async () => {
  const visitor = new Visitor(server.url)
  const shown = async (path: string): Promise<string> => (await visitor.ask(`/_ingot${path}`)).text
  await visitor.ask('/mails')
  await expect.poll(() => shown('/messages?q=hello'), { timeout: 60_000 }).toContain('>hello</a>')
  const id = /messages\/message\?id=(\d+)">hello</.exec(await shown('/messages?q=hello'))?.[1]
  const page = await shown(`/messages/message?id=${id}`)
  expect(page).toContain('data-file="app/emails/hello.liquid"')
  const job = /jobs\/job\?id=(\d+)"/.exec(page)?.[1]
  await expect
    .poll(() => shown(`/jobs/job?id=${job}`), { timeout: 60_000 })
    .toMatch(
      /data-settled.*Done in [\d.]+ ms, in attempt 1.*The job is finished.*Queued by.*GET \/mails.*Recorded attempts.*requests\/request\?id=job-/s,
    )
  const run = /requests\/request\?id=(job-[\w-]+)/.exec(await shown(`/jobs/job?id=${job}`))?.[1]
  expect(await shown(`/requests/request?id=${run}`)).toMatch(/<dt>Queued by<\/dt><dd><a [^>]*>GET \/mails</)
})

test('says why a template kept its message from being sent', async () => {
  const visitor = new Visitor(server.url)
  const shown = async (path: string): Promise<string> => (await visitor.ask(`/_ingot${path}`)).text
  expect((await visitor.ask('/held')).text).toContain('false')
  await expect.poll(() => shown('/messages'), { timeout: 20_000 }).toContain('<strong>held</strong>')
  const said =
    /<code>trigger_condition<\/code> printed <code>2 &lt;no&gt;<\/code> instead.*data-file="app\/emails\/held.liquid" data-line="5"/s
  const list = await shown('/messages')
  expect(list).toMatch(said)
  expect(await shown('/messages?type=SMS')).not.toContain('<strong>held</strong>')
  const id = /requests\/request\?id=([^"]+)">GET \/held</.exec(list)?.[1]
  expect(await shown(`/requests/request?id=${id}`)).toMatch(new RegExp(`>Messages</h2>.*not sent.*${said.source}`, 's'))
})

test('a request shows its queries as groups and what the check reports, and a plan names its file', async () => {
  const visitor = new Visitor(server.url)
  const shown = async (path: string): Promise<string> => (await visitor.ask(`/_ingot${path}`)).text
  const files = {
    'app/graphql/loose.graphql':
      'query loose($x: String) {\n  records(per_page: 1, filter: { properties: [{ name: "title", contains: $x }] }) { results { id } }\n}\n',
    'app/views/pages/loose.liquid':
      "{% assign forgotten = 1 %}{% for n in (1..4) %}{% assign x = n | append: '' %}{% graphql r = 'loose', x: x %}{{ r }}{% endfor %}\n{% graphql s %}{ users(per_page: 1) { total_entries } }{% endgraphql %}{{ s }}",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  await expect.poll(async () => (await visitor.ask('/loose')).status, { timeout: 60_000 }).toBe(200)
  await expect.poll(() => shown('/requests?path=loose'), { timeout: 20_000 }).toContain('>200<')
  const id = /request\?id=([\w-]+)/.exec(await shown('/requests?path=loose'))?.[1]
  const page = `/requests/request?id=${id}`
  await expect
    .poll(() => shown(page), { timeout: 60_000 })
    .toMatch(/<h2 id="checked">.*data-file="app\/views\/pages\/loose.liquid" data-line="1".*<code>forgotten<\/code>/s)
  const groups = await shown(page)
  expect(groups).toMatch(
    /<strong>loose<\/strong>.*4 runs.*data-file="app\/graphql\/loose.graphql".* SQL, .* waiting, .* rest/s,
  )
  expect(groups.match(/<strong>loose<\/strong>/g)).toHaveLength(1)
  expect(groups).toContain('Slowest first')
  expect(await shown(`${page}&order=time`)).toContain('In the order in which they began')
  expect(await shown(`/requests/plan?id=${id}&query=0`)).toMatch(
    /No index can serve line 2: .*data-file="app\/graphql\/loose.graphql" data-line="2"/s,
  )
  for (const path of Object.keys(files)) rmSync(join(folder, path))
})
