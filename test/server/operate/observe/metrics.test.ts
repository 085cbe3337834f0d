/** Tests the metrics page of a running server: one page for all processes, exact after restarts, and protected by a token. */
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDoor } from '../../web/graphql/door.ts'
import { childPids } from '../../../support/processes.ts'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'
import { samplesOf, type Sample, sumOf } from './metrics-page.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'
import { urlOfDoor } from './door-url.ts'

const TOKEN = 'a-token-of-this-test'
const REQUESTS = 'ingot_http_request_duration_seconds_count'
const FILES = {
  'app/schema/note.yml': 'name: note\nproperties:\n  - name: text\n',
  'app/graphql/notes/list.graphql': `query list {
  records(per_page: 5, filter: { table: { value: "note" } }) { results { id } }
}
`,
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/item.liquid': '---\nslug: items/:id\n---\nitem',
  'app/views/pages/any.liquid': '---\nslug: any\n---\n{% response_status 418 %}teapot',
  'app/views/pages/notes.liquid':
    "---\nslug: notes\n---\n{% graphql all = 'notes/list' %}{{ all.records.results.size }}",
  'app/views/pages/kept.liquid': '---\nslug: kept\n---\n{% cache "name", expire: 600 %}text{% endcache %}',
  'app/views/pages/queue.liquid':
    "---\nslug: queue\n---\n{% background job = 'chores/fine' %}{% background job = 'chores/broken', max_attempts: 1 %}{% background job = 'chores/fine', delay: 60 %}",
  'app/views/partials/chores/fine.liquid': "{% graphql all = 'notes/list' %}",
  'app/views/partials/chores/broken.liquid': '{% assign a = 1 | divided_by: none %}',
}

// Several processes start and end in each test.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let ingot: Programs
let root: string
beforeAll(async () => {
  ingot = await programs()
  root = await builtFolder(FILES)
})
afterAll(() => ingot.clean())

interface Watched {
  readonly program: Program
  readonly url: string
  /** Returns the metrics from their separate port. */
  metrics(): Promise<readonly Sample[]>
  get(path: string): Promise<number>
}

async function watched(variables: Record<string, string> = {}, command = 'serve'): Promise<Watched> {
  const program = ingot.start([command, root], { INGOT_METRICS_PORT: '0', ...variables })
  await program.waitForOutput(/metrics are on port \d+/)
  const own = `http://127.0.0.1:${/metrics are on port (\d+)/.exec(program.output())?.[1]}`
  const url = command === 'serve' ? `http://127.0.0.1:${await program.port()}` : own
  return {
    program,
    url,
    metrics: async () => samplesOf(await (await fetch(`${own}/metrics`)).text()),
    async get(path) {
      const reply = await fetch(url + path, { headers: { connection: 'close' } })
      await reply.arrayBuffer()
      return reply.status
    },
  }
}

async function stop({ program }: Watched): Promise<void> {
  program.child.kill('SIGTERM')
  await program.exitCode
}

describe('a server with jobs', () => {
  let server: Watched
  beforeAll(async () => {
    server = await watched({
      INGOT_WORKERS: '2',
      INGOT_JOB_THREADS: '2',
      INGOT_METRICS_TOKEN: '',
      INGOT_SILENCE: '30',
    })
  })
  afterAll(() => stop(server))

  test('counts each request once, by what answered and with which status', async () => {
    await Promise.all(Array.from({ length: 40 }, () => server.get('/')))
    for (const id of ['1', '2', '3']) await server.get(`/items/${id}`)
    await server.get('/any')
    const samples = await server.metrics()
    const template = (file: string) => ({ template: `app/views/pages/${file}.liquid` })
    expect(sumOf(samples, REQUESTS, { ...template('index'), status: '200' })).toBe(40)
    expect(sumOf(samples, REQUESTS, { ...template('item'), status: '200' })).toBe(3)
    expect(sumOf(samples, REQUESTS, { ...template('any'), status: '418' })).toBe(1)
    const name = 'ingot_http_request_duration_seconds_bucket'
    const buckets = samples.filter(
      ({ name: each, labels }) => each === name && labels['template'] === template('index').template,
    )
    expect(buckets.map(({ value }) => value)).toEqual(buckets.map(({ value }) => value).toSorted((a, b) => a - b))
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: 40 })
  })

  test('has no label of what visitors make up', async () => {
    const made = Array.from({ length: 60 }, (_, at) => `/made-up-${at}/%22%7D%0Aevil%20${at}`)
    for (const path of made) await server.get(path)
    for (const path of [
      '/assets/made-up.css',
      '/uploads/made-up',
      '/api/made-up',
      '/items/made-up',
      '/notes?q=made-up',
    ]) {
      await server.get(path)
    }
    await fetch(`${server.url}/made-up`, { method: 'PROPFIND', headers: { 'x-request-id': 'made-up' } })
    const all = await server.metrics()
    expect(JSON.stringify(all)).not.toMatch(/made-up|evil|PROPFIND/)
    const templates = new Set(all.filter(({ name }) => name === REQUESTS).map(({ labels }) => labels['template']))
    expect(templates.size).toBeLessThan(10)
    expect(sumOf(all, REQUESTS, { status: '404' })).toBeGreaterThanOrEqual(60)
  })

  test('tells statements by their query, the pool, the processes and the database', async () => {
    await server.get('/notes')
    // The job process starts after the page processes.
    const up = async () => sumOf(await server.metrics(), 'ingot_process_up', { process: 'jobs-1' })
    await expect.poll(up).toBe(1)
    const samples = await server.metrics()
    const query = { query: 'notes/list', outcome: 'ok' }
    expect(sumOf(samples, 'ingot_db_statement_duration_seconds_count', query)).toBeGreaterThan(0)
    for (const process of ['web-1', 'web-2', 'jobs-1']) {
      expect(sumOf(samples, 'ingot_process_up', { process }), process).toBe(1)
      expect(sumOf(samples, 'ingot_process_resident_memory_bytes', { process }), process).toBeGreaterThan(1e7)
      expect(sumOf(samples, 'ingot_process_cpu_seconds_total', { process }), process).toBeGreaterThan(0)
    }
    const web = { process: 'web-1' }
    expect(sumOf(samples, 'ingot_db_pool_connections', { ...web, pool: 'statements', state: 'limit' })).toBe(6)
    expect(sumOf(samples, 'ingot_db_pool_connections', { ...web, pool: 'transactions', state: 'limit' })).toBe(4)
    expect(sumOf(samples, 'ingot_db_pool_waiting', web)).toBe(0)
    expect(samples.filter(({ name }) => name === 'ingot_event_loop_delay_seconds').length).toBe(12)
    expect(sumOf(samples, 'ingot_db_up')).toBe(1)
    expect(sumOf(samples, 'ingot_job_threads', { state: 'limit' })).toBe(2)
  })

  test('tells where fragments were found', async () => {
    for (let i = 0; i < 5; i++) await server.get('/kept')
    const samples = await server.metrics()
    const found = (result: string) => sumOf(samples, 'ingot_cache_requests_total', { cache: 'fragments', result })
    expect(found('computed')).toBe(1)
    expect(found('computed') + found('store') + found('memory')).toBe(5)
  })

  test('tells the attempts at jobs by what they run, what their threads asked, and what waits', async () => {
    await server.get('/queue')
    const jobs = 'ingot_job_duration_seconds_count'
    const done = async () => sumOf(await server.metrics(), jobs, { job: 'chores/fine', outcome: 'done' })
    const failed = async () => sumOf(await server.metrics(), jobs, { job: 'chores/broken', outcome: 'failed' })
    await expect.poll(done).toBe(1)
    await expect.poll(failed).toBe(1)
    const samples = await server.metrics()
    expect(sumOf(samples, 'ingot_queue_jobs', { state: 'delayed' })).toBe(1)
    expect(sumOf(samples, 'ingot_queue_jobs', { state: 'dead' })).toBe(1)
    expect(sumOf(samples, 'ingot_queue_oldest_seconds')).toBe(0)
  })

  test('does not show them on the port of the site without a token', async () => {
    expect(await server.get('/_ingot/metrics')).toBe(404)
  })
})

test('a process that dies takes no count along, and none is counted twice', async () => {
  const server = await watched({ INGOT_WORKERS: '2' })
  const { program } = server
  const counted = async () => sumOf(await server.metrics(), REQUESTS, { template: 'app/views/pages/index.liquid' })
  // The second process starts when the first one serves.
  await expect.poll(async () => sumOf(await server.metrics(), 'ingot_process_up', { process: 'web-2' })).toBe(1)
  try {
    for (let i = 0; i < 30; i++) await server.get('/')
    expect(await counted()).toBe(30)
    // The log is written once per second.
    await program.waitForOutput(/"path":"\/"/)
    const victim = /"pid":(\d+)[^\n]*"path":"\/"/.exec(program.output())?.[1]
    process.kill(Number(victim), 'SIGKILL')
    await program.waitForOutput(/worker \d+ ended \(SIGKILL\)/)
    expect(await counted()).toBe(30)
    for (let i = 0; i < 20; i++) await server.get('/')
    expect(await counted()).toBe(50)
    program.child.kill('SIGHUP')
    await program.waitForOutput('the site was reloaded')
    expect(await counted()).toBe(50)
    await server.get('/')
    const samples = await server.metrics()
    expect(await counted()).toBe(51)
    expect(sumOf(samples, 'ingot_process_exits_total', { kind: 'web' })).toBe(1)
  } finally {
    await stop(server)
  }
})

test('when no process listens, what comes next listens at the same port', async () => {
  const program = ingot.start(['serve', root])
  const url = `http://127.0.0.1:${await program.port()}/`
  for (const victim of childPids(program.child.pid ?? 0)) process.kill(victim, 'SIGKILL')
  await program.waitForOutput(/worker \d+ ended \(SIGKILL\)/)
  const status = (): Promise<number> =>
    fetch(url).then(
      (reply) => reply.status,
      () => 0,
    )
  await expect.poll(status).toBe(200)
  program.child.kill('SIGTERM')
  await program.exitCode
})

test('a server that only runs jobs is watched at the port of the metrics', async () => {
  const server = await watched({ INGOT_JOB_THREADS: '1' }, 'worker')
  try {
    await server.program.waitForOutput('running the jobs of')
    expect(await server.get('/_ingot/up')).toBe(200)
    expect(await server.get('/_ingot/ready')).toBe(200)
    expect(await server.get('/')).toBe(404)
    expect(sumOf(await server.metrics(), 'ingot_process_up', { process: 'jobs-1' })).toBe(1)
  } finally {
    await stop(server)
  }
})

test('without its database the page still comes, and says that the database is away', async () => {
  const door = await openDoor(ingot.database.url)
  const server = await watched({ DATABASE_URL: urlOfDoor(door) })
  try {
    expect(sumOf(await server.metrics(), 'ingot_db_up')).toBe(1)
    await door.shut()
    await expect.poll(async () => sumOf(await server.metrics(), 'ingot_db_up')).toBe(0)
    expect((await server.metrics()).some(({ name }) => name === 'ingot_queue_jobs')).toBe(false)
    await door.open()
    await expect.poll(async () => sumOf(await server.metrics(), 'ingot_db_up')).toBe(1)
  } finally {
    await stop(server)
    await door.close()
  }
})

describe('behind a token', () => {
  let program: Program
  let url: string
  beforeAll(async () => {
    program = ingot.start(['serve', root], {
      INGOT_METRICS_TOKEN: TOKEN,
      INGOT_HOSTS: 'shop.example',
      INGOT_WORKERS: '2',
    })
    url = `http://127.0.0.1:${await program.port()}/_ingot/metrics`
  })
  afterAll(async () => {
    program.child.kill('SIGTERM')
    await program.exitCode
  })

  test.each([
    {},
    { authorization: '' },
    { authorization: TOKEN },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { authorization: `Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}` },
    { cookie: `token=${TOKEN}` },
  ])('%o shows nothing', async (headers) => {
    const reply = await fetch(url, { headers })
    expect(reply.status).toBe(401)
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expect(await reply.text()).not.toContain('ingot_')
    expect((await fetch(`${url}?token=${TOKEN}`)).status).toBe(401)
  })

  test('the page of all processes is shown, and kept by no cache', async () => {
    const reply = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toContain('text/plain')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('etag')).toBeNull()
    await reply.text()
    // The port is open as soon as one of the two processes serves.
    const processes = async (): Promise<number> => {
      const text = await (await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
      return samplesOf(text).filter(({ name }) => name === 'ingot_process_up').length
    }
    await expect.poll(processes).toBe(2)
  })
})

test('a port that is taken is said with its variable, and nothing goes on running', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  const place = taken.address()
  const port = typeof place === 'object' && place !== null ? place.port : 0
  const program = ingot.start(['serve', root], { INGOT_METRICS_PORT: String(port) })
  expect(await program.exitCode).toBe(2)
  expect(program.output()).toContain(`Port ${port} is in use already`)
  expect(program.output()).toContain('INGOT_METRICS_PORT')
  await new Promise((done) => taken.close(done))
})
