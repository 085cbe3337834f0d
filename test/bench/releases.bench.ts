/**
 * Measures what visitors notice of a release. Requests (pages, posts, uploads) are sent at a constant rate while another version of the
 * site is built, pushed into the database, activated and rolled back. They are compared with the same requests without a release, with one
 * server and with three servers on one database. Needs no prepared database.
 */
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withCluster } from './cluster.ts'
import { bin, started, write } from './serving.ts'
import { printTable } from './table.ts'
import { percentile, ran, type Visits, visits } from './visits.ts'

const REQUESTS = 2_000
/** Requests per second to all servers together. */
const RATE = 50
/** How many of every ten requests are posts and uploads. */
const [POSTS, UPLOADS] = [2, 1]
const UPLOAD = 'x'.repeat(50_000)
const BOUNDARY = 'boundary'

const files = (version: string): Readonly<Record<string, string>> => ({
  'app/schema/note.yml': `name: note\nproperties:\n  - name: text\n  - name: in_${version}\n    type: integer\n`,
  'app/graphql/notes.graphql': `query notes {
  records(per_page: 20, sort: [{ id: { order: DESC } }], filter: { table: { value: "note" } }) { results { id text: property(name: "text") } }
}
`,
  'app/graphql/add.graphql': `mutation add($text: String!) {
  record_create(record: { table: "note", properties: [{ name: "text", value: $text }] }) { id }
}
`,
  'app/views/pages/index.liquid': `version ${version} {{ 'a.css' | asset_url }}
{% graphql notes = 'notes' %}<ul>{% for note in notes.records.results %}<li>{{ note.id }} {{ note.text }}</li>{% endfor %}</ul>`,
  'app/views/pages/add.liquid': `---\nslug: add\nmethod: post\n---\n{% graphql made = 'add', text: context.params.text %}version ${version} {{ made.record_create.id }}`,
  'app/views/pages/take.liquid': `---\nslug: take\nmethod: post\n---\nversion ${version} {{ context.params.file.size }}`,
  'app/assets/a.css': `a { order: ${version} }`,
})

await withCluster('256MB', measured)

async function measured(url: string, home: string): Promise<void> {
  const versions = ['1', '2'].map((version) => ({ version, site: join(home, `site-${version}`) }))
  for (const { version, site } of versions) await write(site, files(version))
  const env = {
    DATABASE_URL: url,
    INGOT_RELEASES: 'database',
    INGOT_SECRET: 'the secret of the benchmark',
    INGOT_HOSTS: '127.0.0.1',
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '0',
    INGOT_POOL: '5',
    INGOT_LOG: 'error',
    INGOT_ENV: 'production',
  }
  const [first = '', second = ''] = versions.map(({ site }) => site)
  const ingot = (...words: string[]) => ran(words, { ...env, INGOT_DATA: join(home, 'data-of-ci') })
  const deploy = async (site: string): Promise<void> => {
    await ingot('build', site, '--pack', `${site}.tgz`)
    const id = (await ingot('release', 'push', `${site}.tgz`, home)).trim()
    await ingot('release', 'activate', id, home)
  }
  const rows: string[][] = []
  for (const count of [1, 3]) {
    await deploy(first)
    const servers = await Promise.all(
      Array.from({ length: count }, (_, at) => {
        const own = { ...env, INGOT_DATA: join(home, `data-${count}-${at}`) }
        return started([bin, 'serve', home], own, '/')
      }),
    )
    try {
      const agent = new Agent({ keepAlive: true, maxSockets: 32 })
      const visit = (n: number): Promise<void> => answer(servers[n % servers.length]!.url, n, agent)
      await visits(visit, RATE, sleep(5_000), 0)
      const idle = await visits(visit, RATE, Promise.resolve(), REQUESTS)
      const begun = performance.now()
      const changes = deploy(second).then(() => ingot('release', 'rollback', home))
      const seconds = changes.then(() => (performance.now() - begun) / 1000)
      const busy = await visits(visit, RATE, changes, REQUESTS)
      agent.destroy()
      rows.push(row(count, idle, busy, await seconds))
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  console.log(
    `requests while a release is built, activated and rolled back, ${RATE} in a second (bar: none failed, p99 within 3x of idle)`,
  )
  const heads = [
    'servers',
    'requests',
    'failed',
    'changes',
    'idle p50',
    'idle p99',
    'busy p50',
    'busy p99',
    'p99, ratio',
  ]
  printTable(heads, rows)
}

function row(count: number, idle: Visits, busy: Visits, seconds: number): string[] {
  for (const reason of busy.failed.slice(0, 5)) console.log(`failed: ${reason}`)
  return [
    String(count),
    String(busy.times.length),
    String(idle.failed.length + busy.failed.length),
    `${seconds.toFixed(1)} s`,
    ...[idle, busy].flatMap(({ times }) => [0.5, 0.99].map((share) => `${percentile(times, share).toFixed(1)} ms`)),
    `${(percentile(busy.times, 0.99) / percentile(idle.times, 0.99)).toFixed(2)}x`,
  ]
}

/** Rejects unless the response is a version of the site. */
function answer(url: string, n: number, agent: Agent): Promise<void> {
  const turn = n % 10
  const [path, body, type] =
    turn < UPLOADS
      ? ['/take', upload(), `multipart/form-data; boundary=${BOUNDARY}`]
      : turn < UPLOADS + POSTS
        ? ['/add', new URLSearchParams({ text: `note ${n}` }).toString(), 'application/x-www-form-urlencoded']
        : ['/', null, '']
  return new Promise((done, fail) => {
    const headers = body === null ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
    const asked = request(url + path, { agent, headers, method: body === null ? 'GET' : 'POST' }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.once('error', fail)
      reply.once('end', () => {
        if (reply.statusCode === 200 && /^version \d/.test(text.trim())) done()
        else fail(new Error(`${path}: ${reply.statusCode} ${text.slice(0, 200)}`))
      })
    })
    asked.once('error', fail)
    asked.end(body)
  })
}

function upload(): string {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n`
  return `${head}${UPLOAD}\r\n--${BOUNDARY}--\r\n`
}
