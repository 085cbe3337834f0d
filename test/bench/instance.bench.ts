/**
 * Measures a server that receives deployments, with a generated site of 700 templates: the time until a deployment is served, and until a
 * synced file is served; the memory of the processes after many deployments; and whether visitors notice them. Needs no prepared database.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { siteZip } from '../server/tools/instance/zip.ts'
import { childPids } from '../support/processes.ts'
import { withCluster } from './cluster.ts'
import { median } from './measure.ts'
import { freePort } from '../../server/core/free-port.ts'
import { bin } from './serving.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const TEMPLATES = 700
const DEPLOYS = 10
const SYNCS = 60
/** Milliseconds between two requests of a visitor. */
const PAUSE = 20
/** Milliseconds that the server has been running before the first deployment. */
const STOOD = 5_000
/** Milliseconds between two status requests for a deployment. The platform's client sends one each second. */
const LOOK_EVERY = 50
const TOKEN = 'token-of-the-benchmark'

/** A page added to the generated ones. Its text shows which version of the site is served. */
const PAGE = 'app/views/pages/shown.liquid'
const page = (version: string) => `---\nslug: shown\nlayout: ''\n---\nversion {% render 'shown/inner' %} ${version}`
const OWN = (version: string) => ({
  [PAGE]: page(version),
  'app/views/partials/shown/inner.liquid': 'of',
  'app/views/pages/sent.liquid': "---\nslug: sent\nmethod: post\nlayout: ''\n---\nversion {{ context.params.text }}",
  'app/assets/shown.css': `a { order: 1 }`,
})

const site = Object.fromEntries(generateSite(TEMPLATES).map(({ path, text }) => [path, text]))

await withCluster('256MB', measured)

async function measured(url: string, home: string): Promise<void> {
  await mkdir(join(home, 'site'))
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: url,
    PORT: String(port),
    HOST: '127.0.0.1',
    INGOT_DATA: join(home, 'data'),
    INGOT_API_TOKEN: TOKEN,
    INGOT_SECRET: 'the secret of the benchmark',
    INGOT_WORKERS: '2',
    INGOT_LOG: 'error',
  }
  const child = spawn(process.execPath, [bin, 'serve', '--instance', join(home, 'site')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((done) => child.once('close', done))
  const server = `http://127.0.0.1:${port}`
  try {
    while ((await status(`${server}/`).catch(() => 0)) === 0) await sleep(20)
    await rows(server, child)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function rows(server: string, child: ChildProcess): Promise<void> {
  await sleep(STOOD)
  const first = await deploy(server, '0')
  const second = await deploy(server, '1')
  const syncs: number[] = []
  for (let n = 0; n < SYNCS; n++) syncs.push(await synced(server, `sync-${n}`))
  const early = memoryOf(child.pid ?? 0)
  const others: number[] = []
  const paths = Object.keys(site).filter((path) => path.endsWith('.liquid'))
  for (let n = 0; n < SYNCS; n++) {
    const path = paths[(n * 61 + 7) % paths.length]!
    const begun = performance.now()
    await sync(server, path.slice('app/'.length), `${site[path]}\n<b>${n}</b>`)
    others.push(performance.now() - begun)
  }
  const late = memoryOf(child.pid ?? 0)
  const visits = await during(server, async () => {
    for (let n = 0; n < DEPLOYS; n++) await deploy(server, `again-${n}`)
  })
  console.log(`a site of ${TEMPLATES} templates on a server that is deployed to`)
  const ms = (times: readonly number[]) => [`${median(times).toFixed(0)} ms`, `${Math.max(...times).toFixed(0)} ms`]
  printTable(
    ['what', 'median', 'at worst', 'bar'],
    [
      ['first deploy, from a zip to served', ...ms([first.served]), '4,000 ms'],
      ['first deploy, with its warnings', ...ms([first.ended]), ''],
      ['second deploy, one change', ...ms([second.served]), '1,000 ms'],
      ['second deploy, with its warnings', ...ms([second.ended]), ''],
      [`one file to served, of ${SYNCS} syncs`, ...ms(syncs), '100 ms'],
      [`one file to the answer, of ${SYNCS} other files`, ...ms(others), '100 ms'],
    ],
  )
  console.log(`memory after these: ${describe(late, early)}`)
  console.log(
    `visitors during ${DEPLOYS} deploys: ${visits.count} requests, a third of them posts, ${visits.failed.length} failed (bar: 0)`,
  )
  for (const reason of visits.failed.slice(0, 5)) console.log(`  ${reason}`)
}

/** Milliseconds from the last byte of a deployment to a page that shows it, and to the deployment's end, when its warnings are known. */
interface Deployed {
  readonly served: number
  readonly ended: number
}

/** @throws Error if the deployment is refused */
async function deploy(server: string, version: string): Promise<Deployed> {
  const archive = siteZip({ ...site, ...OWN(version) })
  const form = new FormData()
  form.append('marketplace_builder[partial_deploy]', 'false')
  form.append('marketplace_builder[zip_file]', new Blob([new Uint8Array(archive)]), 'release.zip')
  const begun = performance.now()
  const { id } = JSON.parse(await told(server, 'POST', 'marketplace_releases', form)) as { id: number }
  let served: number | null = null
  for (;;) {
    await sleep(LOOK_EVERY)
    const shown = served === null ? await text(`${server}/shown`).catch(() => '') : ''
    if (shown.endsWith(version)) served = performance.now() - begun
    const { status: state, error } = JSON.parse(await told(server, 'GET', `marketplace_releases/${id}`)) as {
      status: string
      error?: unknown
    }
    if (state === 'error') throw new Error(JSON.stringify(error))
    if (state === 'success' && served !== null) return { served, ended: performance.now() - begun }
  }
}

/** Returns the milliseconds from the last byte of a synced file to a page that shows it. */
async function synced(server: string, version: string): Promise<number> {
  const begun = performance.now()
  await sync(server, PAGE.slice('app/'.length), page(version))
  // Two processes serve pages, so the page is requested several times.
  for (let n = 0; n < 4; n++) {
    const shown = await text(`${server}/shown`)
    if (!shown.endsWith(` ${version}`)) throw new Error(`the page shows '${shown}' after ${version}`)
  }
  return performance.now() - begun
}

async function sync(server: string, path: string, content: string): Promise<void> {
  const form = new FormData()
  form.append('path', path)
  form.append('marketplace_builder_file_body', new Blob([content]), 'file')
  await told(server, 'PUT', 'marketplace_releases/sync', form)
}

/** @throws Error if the response reports a failure */
async function told(server: string, method: string, path: string, body: FormData | null = null): Promise<string> {
  const headers = { authorization: `Token ${TOKEN}` }
  const answer = await fetch(`${server}//api/app_builder/${path}`, { method, headers, body })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`)
  return said
}

async function status(url: string): Promise<number> {
  return (await fetch(url)).status
}

async function text(url: string): Promise<string> {
  return (await (await fetch(url)).text()).trim()
}

interface Visits {
  readonly count: number
  readonly failed: readonly string[]
}

/** Sends requests at a constant rate, whether or not responses arrive, while `work` runs. */
async function during(server: string, work: () => Promise<void>): Promise<Visits> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const failed: string[] = []
  const open: Promise<void>[] = []
  let going = true
  const done = work().finally(() => {
    going = false
  })
  for (let n = 0; going; n++) {
    open.push(visit(server, n, agent).catch((error: unknown) => void failed.push(String(error))))
    await sleep(PAUSE)
  }
  await Promise.all([...open, done])
  agent.destroy()
  return { count: open.length, failed }
}

/** Rejects unless the response is a version of the page. */
function visit(server: string, n: number, agent: Agent): Promise<void> {
  const body = n % 3 === 0 ? new URLSearchParams({ text: `note ${n}` }).toString() : null
  const headers =
    body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }
  return new Promise((done, fail) => {
    const path = body === null ? '/shown' : '/sent'
    const asked = request(server + path, { agent, headers, method: body === null ? 'GET' : 'POST' }, (reply) => {
      let said = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        said += data
      })
      reply.once('error', fail)
      reply.once('end', () => {
        if (reply.statusCode === 200 && said.trim().startsWith('version ')) done()
        else fail(new Error(`${path}: ${reply.statusCode} ${said.slice(0, 200)}`))
      })
    })
    asked.once('error', fail)
    asked.end(body)
  })
}

/** Returns the memory in megabytes of a process and all of its descendants, by what they run. */
function memoryOf(root: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  const add = (pid: number): void => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const file = words.find((word) => word.endsWith('.mjs')) ?? ''
    const name = file.split('/').at(-1) + (words.includes('service') ? ' service' : '')
    const kb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    sums.set(name, (sums.get(name) ?? 0) + kb / 1024)
    for (const child of childPids(pid)) add(child)
  }
  add(root)
  return sums
}

function describe(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): string {
  return [...now]
    .map(([name, mb]) => `${name} ${mb.toFixed(0)} MB (${(mb / (before.get(name) ?? mb)).toFixed(2)}x)`)
    .join(', ')
}
