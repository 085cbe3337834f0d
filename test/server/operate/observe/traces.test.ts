/** Tests traces of a running server with a real receiver: from the caller's trace to pages, queries, calls and jobs. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { childPids } from '../../../support/processes.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { ABI } from '../../../../runtime/page/site.ts'
import { folder, page, site } from '../../../support/server/site.ts'
import { type ReceivedSpan, type Receiver, receiver } from './receiver.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'

// Several processes start and end in each test.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const TRACE = '0af7651916cd43dd8448eb211c80319c'
/** Milliseconds from which a span counts as slow. */
const SLOW = 40
const PARENT = 'b7ad6b7169203331'

function filesOf(service: string): Record<string, string> {
  return {
    'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n',
    'app/graphql/notes/list.graphql': `query list {
  records(per_page: 5, filter: { table: { value: "note" } }) { results { id } }
}
`,
    'app/graphql/call.graphql': `mutation call($to: String!) {
  api_call_send(data: { to: $to, request_type: GET, body: "" }) { response { status body } errors { message } }
}
`,
    'app/views/pages/index.liquid': 'home',
    'app/views/pages/notes.liquid':
      "---\nslug: notes\n---\n{% graphql all = 'notes/list' %}{{ all.records.results.size }}",
    'app/views/pages/broken.liquid': '---\nslug: broken\n---\n{{ 1 | divided_by: context.params.none }}',
    'app/views/pages/fetch.liquid': `---\nslug: fetch\n---\n{{ '${service}/file' | download_file }}`,
    'app/views/pages/slow.liquid': `---\nslug: slow\n---
{% try %}{% function a = 'waits', fails: true %}{% catch e %}caught{% endtry %}{% assign name = 'waits' %}{% function b = name %}{% graphql all = 'notes/list' %}`,
    'app/views/partials/waits.liquid': `{% render 'asks' %}{% if fails %}{% assign x = 1 | divided_by: none %}{% endif %}{% return 1 %}`,
    'app/views/partials/asks.liquid': `{% graphql all = 'notes/list' %}{% assign got = '${service}/slow' | download_file %}`,
    'app/views/pages/queue.liquid':
      "---\nslug: queue\n---\n{% background job = 'tasks/look' %}{% background job = 'tasks/broken', max_attempts: 1 %}",
    'app/views/partials/tasks/look.liquid': `{% graphql all = 'notes/list' %}{% assign got = '${service}/job' | download_file %}`,
    'app/views/partials/tasks/broken.liquid': '{% assign a = 1 | divided_by: none %}',
  }
}

let ingot: Programs
let root: string
let got: Receiver
let program: Program
let url: string
/** The host and port of the other server. */
let otherHost: string
/** The headers of the requests to the other server, by path. */
const asked = new Map<string, IncomingHttpHeaders>()
const other = createServer((request, response) => {
  asked.set(request.url ?? '', request.headers)
  if (request.url !== '/file') setTimeout(() => response.end('late'), 2 * SLOW)
  else response.end('a file')
})

beforeAll(async () => {
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const place = other.address()
  const port = typeof place === 'object' && place !== null ? place.port : 0
  otherHost = `127.0.0.1:${port}`
  ingot = await programs()
  root = await builtFolder(filesOf(`http://${otherHost}`))
  got = await receiver()
  program = ingot.start(['serve', root], {
    INGOT_JOB_THREADS: '1',
    INGOT_SILENCE: '30',
    INGOT_OUTGOING: '127.0.0.1',
    // The tests send requests as the site's own proxy.
    INGOT_PROXIES: '1',
    INGOT_SLOW_PARTIAL: String(SLOW),
    OTEL_EXPORTER_OTLP_ENDPOINT: got.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'team=kitchen',
  })
  url = `http://127.0.0.1:${await program.port()}`
})
afterAll(async () => {
  program.child.kill('SIGTERM')
  await program.exitCode
  await got.close()
  await new Promise((done) => other.close(done))
  await ingot.clean()
})

async function found(about: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  await expect.poll(() => got.spans.some(about)).toBe(true)
  return got.spans.find(about) as ReceivedSpan
}

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(url + path, { headers })).text()
}

describe('a request', () => {
  test('goes on with the trace of its caller, and has its page and its query below it', async () => {
    await get('/notes', { traceparent: `00-${TRACE}-${PARENT}-01` })
    const server = await found(({ traceId, kind }) => traceId === TRACE && kind === 2)
    expect(server).toMatchObject({
      parentSpanId: PARENT,
      name: 'GET app/views/pages/notes.liquid',
      attributes: { 'http.request.method': 'GET', 'url.path': '/notes', 'client.address': '127.0.0.1' },
      resource: { 'service.name': 'shop', team: 'kitchen', 'service.version': expect.stringMatching(/^\w{8,}$/) },
    })
    const page = await found(({ parentSpanId }) => parentSpanId === server.spanId)
    expect(page).toMatchObject({ traceId: TRACE, name: 'page notes' })
    const query = await found(({ parentSpanId }) => parentSpanId === page.spanId)
    expect(query).toMatchObject({
      traceId: TRACE,
      name: 'query notes/list',
      attributes: { 'db.system.name': 'postgresql' },
    })
    await program.waitForOutput(`"trace":"${TRACE}"`)
  })

  test('has its slow partials below its page, with what they wait for below them', async () => {
    const trace = '1'.repeat(32)
    expect(await get('/slow', { traceparent: `00-${trace}-${PARENT}-01` })).toBe('caught')
    const server = await found(({ traceId, kind }) => traceId === trace && kind === 2)
    const own = got.spans.filter(({ traceId }) => traceId === trace)
    const below = (parent: string): unknown[] =>
      own
        .filter(({ parentSpanId }) => parentSpanId === parent)
        .map(({ name, spanId }) => [name, ...below(spanId)])
        .toSorted()
    const called = [
      'partial app/views/partials/waits.liquid',
      ['partial app/views/partials/asks.liquid', [`GET ${otherHost}`], ['query notes/list']],
    ]
    expect(below(server.spanId)).toEqual([['page slow', called, called, ['query notes/list']]])
  })

  test('that fails has the failure', async () => {
    await get('/broken?none=0', { 'x-request-id': 'broken' })
    const span = await found(({ attributes }) => attributes['ingot.request.id'] === 'broken')
    expect(span.status.code).toBe(2)
    expect(span.events.map(({ name }) => name)).toContain('exception')
    expect(span.attributes['http.response.status_code']).toBe(500)
  })

  test('hands its trace, state and baggage to the servers that it asks', async () => {
    const trace = '1af7651916cd43dd8448eb211c80319c'
    await get('/fetch', { traceparent: `00-${trace}-${PARENT}-01`, tracestate: 'shop=1', baggage: 'dish=soup' })
    const call = await found(({ traceId, name }) => traceId === trace && name.startsWith('GET 127.0.0.1'))
    const headers = asked.get('/file')
    expect(headers).toMatchObject({ traceparent: `00-${trace}-${call.spanId}-01`, tracestate: 'shop=1' })
    expect(headers?.['baggage']).toBe('dish=soup')
    // The path of a URL on another server may contain a secret.
    expect(JSON.stringify(call)).not.toContain('/file')
  })

  test('that its caller does not sample is not sampled, and its calls neither', async () => {
    const trace = '2af7651916cd43dd8448eb211c80319c'
    asked.delete('/file')
    await get('/fetch', { traceparent: `00-${trace}-${PARENT}-00` })
    expect(asked.get('/file')?.['traceparent']).toMatch(new RegExp(`^00-${trace}-[\\da-f]{16}-00$`))
    await get('/', { 'x-request-id': 'after' })
    await found(({ attributes }) => attributes['ingot.request.id'] === 'after')
    expect(got.spans.some(({ traceId }) => traceId === trace)).toBe(false)
  })
})

describe('a job', () => {
  test('is linked to the request that queued it, with what its thread did below it', async () => {
    await get('/queue', { 'x-request-id': 'queueing' })
    const request = await found(({ attributes }) => attributes['ingot.request.id'] === 'queueing')
    const job = await found(({ name }) => name === 'job tasks/look')
    expect(job.links.map(({ traceId }) => traceId)).toEqual([request.traceId])
    expect(job.traceId).not.toBe(request.traceId)
    expect(job.attributes['ingot.job.outcome']).toBe('done')
    const query = await found(({ traceId, name }) => traceId === job.traceId && name === 'query notes/list')
    const partial = await found(({ traceId, name }) => traceId === job.traceId && name.startsWith('partial '))
    expect(partial).toMatchObject({ name: 'partial app/views/partials/tasks/look.liquid', parentSpanId: job.spanId })
    expect(query.parentSpanId).toBe(partial.spanId)
    const call = await found(
      ({ traceId, kind, name }) => traceId === job.traceId && kind === 3 && name.startsWith('GET'),
    )
    expect(asked.get('/job')?.['traceparent']).toBe(`00-${job.traceId}-${call.spanId}-01`)
    const broken = await found(({ name }) => name === 'job tasks/broken')
    expect(broken.status).toMatchObject({ code: 2, message: expect.stringContaining('divided by 0') })
  })
})

describe('headers from outside', () => {
  const hostile = [
    { traceparent: 'nonsense' },
    { traceparent: `00-${TRACE}-${PARENT}-01-more` },
    { traceparent: `00-${'0'.repeat(32)}-${PARENT}-01` },
    { traceparent: `ff-${TRACE}-${PARENT}-01` },
    { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: `${'x'.repeat(6_000)}=1,=,,a==b,\tb=\u00ff` },
    { baggage: `a=%0d%0aX-Evil:%201,b=${'y'.repeat(6_000)},=,;;;,%zz=1` },
    { traceparent: `00-${TRACE}-${PARENT}-01`, baggage: 'a=1;b=2;\u00e9' },
  ]

  test.each(hostile)('%# are answered, and nothing of them ends a header of ours', async (headers) => {
    asked.delete('/file')
    expect(await get('/fetch', headers as Record<string, string>)).toContain('a file')
    const sent = asked.get('/file')
    expect(sent).toBeDefined()
    expect(sent?.['x-evil']).toBeUndefined()
    expect(sent?.['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-0[01]$/)
    for (const value of Object.values(sent ?? {})) expect(String(value)).not.toMatch(/[\r\n]/)
  })

  test('that are broken off leave the server as it was', async () => {
    const { port } = new URL(url)
    for (const text of [
      `GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 00-${TRACE}`,
      `GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 00-${TRACE}-${PARENT}-01\r\nbaggage: a=`,
      `GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 00-${TRACE}-${PARENT}-01\r\ntraceparent: 00-${TRACE}-${PARENT}-00\r\n\r\n`,
    ])
      await new Promise<void>((done) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(text))
        socket.on('error', () => undefined)
        socket.resume()
        socket.once('close', () => done())
      })
    expect(await get('/')).toBe('home')
  })
})

describe('metrics', () => {
  interface Point {
    readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[]
    readonly count?: number
    readonly bucketCounts?: readonly number[]
    readonly explicitBounds?: readonly number[]
    readonly asDouble?: number
  }
  interface Sent {
    readonly name: string
    readonly histogram?: { readonly aggregationTemporality: number; readonly dataPoints: readonly Point[] }
    readonly gauge?: { readonly dataPoints: readonly Point[] }
  }
  interface Body {
    readonly resourceMetrics: readonly {
      readonly resource: { readonly attributes: Point['attributes'] }
      readonly scopeMetrics: readonly { readonly metrics: readonly Sent[] }[]
    }[]
  }
  /** Returns the last received metrics. */
  const last = (): Body['resourceMetrics'][number] | undefined => {
    const bodies = got.others.filter(({ type }) => type === '/v1/metrics application/json')
    const text = bodies.at(-1)?.bytes.toString()
    return text === undefined ? undefined : (JSON.parse(text) as Body).resourceMetrics[0]
  }
  const sent = (name: string): Sent | undefined => last()?.scopeMetrics[0]?.metrics.find((each) => each.name === name)

  test('of all processes are sent to the same receiver, with the sums of each bucket', async () => {
    await get('/notes')
    const pages = (): Point | undefined =>
      sent('ingot_http_request_duration_seconds')?.histogram?.dataPoints.find(({ attributes }) =>
        attributes.some(({ value }) => value.stringValue === 'app/views/pages/notes.liquid'),
      )
    await expect.poll(() => pages()?.count ?? 0).toBeGreaterThan(0)
    const { count, bucketCounts = [], explicitBounds = [] } = pages() ?? {}
    expect(bucketCounts.reduce((all, each) => all + each, 0)).toBe(count)
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1)
    expect(last()?.resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'shop' } })
    const memory = sent('ingot_process_resident_memory_bytes')?.gauge?.dataPoints ?? []
    const names = memory.flatMap(({ attributes }) => attributes.map(({ value }) => value.stringValue))
    expect(names).toEqual(expect.arrayContaining(['supervisor', 'web-1']))
  })
})

test('what was not sent yet is sent when the server stops, as protobuf where nothing else is asked for', async () => {
  const own = await receiver()
  const server = ingot.start(['serve', root], {
    OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_METRICS_EXPORTER: 'none',
  })
  await (await fetch(`http://127.0.0.1:${await server.port()}/notes`)).text()
  expect(own.others).toEqual([])
  server.child.kill('SIGTERM')
  expect(await server.exitCode).toBe(0)
  expect(own.others.map(({ type }) => type)).toContain('/v1/traces application/x-protobuf')
  expect(Buffer.concat(own.others.map(({ bytes }) => bytes)).toString('latin1')).toContain('query notes/list')
  await own.close()
})

test('a request that is answered while the server stops is sent, too', async () => {
  const own = await receiver()
  const server = ingot.start(['serve', root], {
    OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_METRICS_EXPORTER: 'none',
  })
  const port = await server.port()
  const socket = connect(port, '127.0.0.1')
  const answer = new Promise<string>((done) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.once('close', () => done(text))
  })
  // The request begins before the stop, and ends after it.
  socket.write('GET /notes HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: late\r\n')
  // Processes accept connections in turn, and read data that has already arrived before later data.
  for (let n = 0; n < 6; n++)
    await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text()
  server.child.kill('SIGTERM')
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => 'open',
          () => 'closed',
        ),
      { timeout: 30_000 },
    )
    .toBe('closed')
  socket.write('\r\n')
  expect(await answer).toContain('200 OK')
  expect(await server.exitCode).toBe(0)
  const late = own.spans.find(({ attributes }) => attributes['ingot.request.id'] === 'late')
  expect(late?.name).toBe('GET app/views/pages/notes.liquid')
  expect(own.spans.some(({ name, traceId }) => name === 'query notes/list' && traceId === late?.traceId)).toBe(true)
  await own.close()
})

test('a process that is killed takes along what it had not handed over, and nothing else', async () => {
  const own = await receiver()
  const server = ingot.start(['serve', root], {
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: own.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_METRICS_EXPORTER: 'none',
  })
  const address = `http://127.0.0.1:${await server.port()}/notes`
  const ids = (): Set<unknown> => new Set(own.spans.map(({ attributes }) => attributes['ingot.request.id']))
  const ask = async (id: string): Promise<void> => {
    await (await fetch(address, { headers: { 'x-request-id': id, connection: 'close' } })).text()
  }
  const twenty = (word: string): string[] => Array.from({ length: 20 }, (_, at) => `${word}-${at}`)
  const missing = (word: string): string[] => twenty(word).filter((id) => !ids().has(id))
  for (const id of twenty('before')) await ask(id)
  await expect.poll(() => missing('before')).toEqual([])
  const children = (): readonly number[] => childPids(server.child.pid ?? 0)
  await expect.poll(children).toHaveLength(2)
  const [killed = 0, stays = 0] = children()
  process.kill(killed, 'SIGKILL')
  await expect.poll(children).toEqual([stays, expect.any(Number)])
  // The remaining process may not have started yet, and until then no process listens.
  const answers = async (): Promise<boolean> => (await fetch(address).catch(() => null)) !== null
  await expect.poll(answers).toBe(true)
  for (const id of twenty('after')) await ask(id)
  await expect.poll(() => missing('after')).toEqual([])
  server.child.kill('SIGTERM')
  expect(await server.exitCode).toBe(0)
  await own.close()
})

test('a receiver that is away costs no answer, and is said once', async () => {
  const server = ingot.start(['serve', root], {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  })
  const port = await server.port()
  for (let i = 0; i < 10; i++) expect((await fetch(`http://127.0.0.1:${port}/notes`)).status).toBe(200)
  await server.waitForOutput('traces could not be sent')
  server.child.kill('SIGTERM')
  expect(await server.exitCode).toBe(0)
})

/** Starts a process that serves a page with the list of its loaded CommonJS modules. Returns this list. */
async function loadedModules(
  variables: Record<string, string>,
): Promise<{ readonly cache: readonly string[]; close(): Promise<void> }> {
  const told = `{ ...${JSON.stringify(page('/'))}, render: () => JSON.stringify(Object.keys(createRequire(import.meta.url).cache)) }`
  const site_ = folder({
    '.ingot/manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', createdAt: '' }),
    '.ingot/site.mjs': `import { createRequire } from 'node:module'
export default () => ({ ...${JSON.stringify(site([]))}, pages: [${told}] })
`,
  })
  const server = ingot.start(['serve', site_], variables)
  const cache = (await (await fetch(`http://127.0.0.1:${await server.port()}/`)).json()) as string[]
  return {
    cache,
    async close() {
      server.child.kill('SIGTERM')
      await server.exitCode
    },
  }
}

test('no process that serves loads a module of the SDK', async () => {
  const own = await receiver()
  for (const variables of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: own.url, OTEL_TRACES_SAMPLER: 'always_on' }]) {
    const { cache, close } = await loadedModules(variables)
    expect(cache.filter((file) => file.includes('opentelemetry'))).toEqual([])
    await close()
  }
  // The spans were sent even so.
  expect(own.others.map(({ type }) => type)).toContain('/v1/traces application/x-protobuf')
  await own.close()
})
