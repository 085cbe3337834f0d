/**
 * Measures a listing page over HTTP (one query, fifty rows) of a built site, compared with handlers that return the same bytes. Also
 * measures the time from the start of `ingot serve` to its first page, with an empty and with an existing data folder.
 */
import { sql, toStatement } from '../../runtime/data/sql/sql.ts'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent, get, request } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { propertySql } from '../../runtime/data/query/rows/property.ts'
import { freePort } from '../../server/core/free-port.ts'
import { ARTICLES } from './data-site.ts'
import { inTurns, median, peerRows } from './measure.ts'
import { printTable } from './table.ts'

// Benchmarks run from the project's folder.
export const bin = resolve('server/bin.mjs')
const byHand = resolve('test/bench/listing-by-hand.mjs')
const byLiquidjs = resolve('test/bench/listing-by-liquidjs.mjs')
/**
 * Pool size per process. It leaves five connections for queries, as many as the hand-written handlers have. Two fifths are reserved for
 * transactions.
 */
export const POOL = '8'
/** The other servers with the same listing page. */
const LISTING_PEERS = [
  { name: 'fastify and postgres.js by hand', goal: '0.95x' },
  { name: 'fastify, liquidjs and postgres.js', goal: '-' },
]

const PRODUCT = `name: product
properties:
  - name: title
  - name: category
  - name: price
    type: integer
`
const QUERY = `query listing($category: String!) {
  records(
    per_page: 50
    filter: { table: { value: "product" }, properties: [{ name: "category", value: $category }] }
    sort: [{ properties: [{ name: "price", order: ASC }] }]
  ) {
    results { id title: property(name: "title") price: property_int(name: "price") }
  }
}
`
const PAGE = `---
slug: listing/:category
layout: ''
---
{% graphql found = 'listing', category: context.params.category -%}
<!doctype html>
<title>{{ context.params.category }}</title>
<ul>
{%- for product in found.records.results %}
  <li><a href="/products/{{ product.id }}">{{ product.title }}</a> <b>{{ product.price }}</b></li>
{%- endfor %}
</ul>
`

export interface Where {
  readonly url: string
  readonly ids: ReadonlyMap<string, number>
  /** Folder for temporary files. */
  readonly home: string
}

/** Measures the listing page of all servers in turns. Leaves the site in `siteOf(home)`. */
export async function overHttp({ url, ids, home }: Where): Promise<void> {
  const site = siteOf(home)
  await writeSiteOfAll(site)
  const workers = '2'
  const env = {
    DATABASE_URL: url,
    INGOT_WORKERS: workers,
    INGOT_POOL: POOL,
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
  }
  const ours = await started([bin, 'serve', site], env)
  const asked = {
    DATABASE_URL: url,
    TABLE: String(ids.get('product')),
    WORKERS: workers,
    PRICE: toStatement(propertySql(sql`properties`, sql`'price'::text`, 'number')).text,
  }
  const servers = [ours]
  try {
    servers.push(await started([byHand], asked))
    servers.push(await started([byLiquidjs], { ...asked, TEMPLATE: PAGE.slice(PAGE.indexOf('<!doctype')) }))
    const [a = '', ...others] = await Promise.all(servers.map((each) => page(`${each.url}/listing/c7`)))
    for (const b of others)
      if (a !== b || !a.includes('<li>'))
        throw new Error(`The two pages differ:\n${a.slice(0, 400)}\n${b.slice(0, 400)}`)
    const rates = await inTurns(servers, (each, seconds) => load(each.url, seconds), { rounds: 9, seconds: 2, warm: 8 })
    console.log('\na listing page over HTTP: one query, 50 rows, 16 connections')
    printTable(['against', 'pages a second', 'ours', 'ours is', 'goal'], peerRows(rates, LISTING_PEERS))
  } finally {
    await Promise.all(servers.map((each) => each.stop()))
  }
}

/** Returns the folder of the site that has the tables and the indexes for all measured queries. */
export function siteOf(home: string): string {
  return join(home, 'site')
}

/** Writes and builds a site with the listing page and all tables of `BENCH_DATA`. */
export async function writeSiteOfAll(site: string): Promise<void> {
  await write(site, {
    'app/schema/product.yml': PRODUCT,
    // Declares the other tables too, so that their rows stay: a table without a declaration must be empty.
    ...Object.fromEntries(
      ['article', 'author', 'comment', 'reaction'].map((name) => [`app/schema/${name}.yml`, tableFile(name)]),
    ),
    'app/graphql/listing.graphql': QUERY,
    'app/graphql/articles.graphql': ARTICLES,
    'app/views/pages/listing.liquid': PAGE,
  })
  build(site)
}

/** Writes and builds a site with only the listing page. */
export async function writeListing(site: string): Promise<void> {
  await write(site, {
    'app/schema/product.yml': PRODUCT,
    'app/graphql/listing.graphql': QUERY,
    'app/views/pages/listing.liquid': PAGE,
  })
  build(site)
}

/** Measures the seconds from the command to the first page. */
export async function starts(home: string): Promise<void> {
  const site = join(home, 'start')
  await writeListing(site)
  const env = { INGOT_DATA: join(home, 'start-data'), INGOT_LOG: 'warn' }
  const seconds: number[] = []
  for (let run = 0; run < 4; run++) {
    const before = performance.now()
    const server = await started([bin, 'serve', site], env)
    seconds.push((performance.now() - before) / 1000)
    await server.stop()
  }
  const [first = 0, ...again] = seconds
  console.log('\n`ingot serve` to the first page, with a PostgreSQL of its own')
  printTable(
    ['data folder', 'time', 'goal'],
    [
      ['empty', `${first.toFixed(2)} s`, '5 s'],
      ['there', `${median(again).toFixed(2)} s`, '2 s'],
    ],
  )
}

function tableFile(name: string): string {
  const properties: Readonly<Record<string, string>> = {
    article: 'title, category, score: integer, author_id',
    author: 'name',
    comment: 'article_id, body',
    reaction: 'comment_id, kind',
  }
  const lines = (properties[name] ?? '').split(', ').map((each) => {
    const [property, type = 'string'] = each.split(': ')
    return `  - name: ${property}\n    type: ${type}\n`
  })
  return `name: ${name}\nproperties:\n${lines.join('')}`
}

/** Writes files below a folder. */
export async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** Builds a site. @throws Error with the compiler's output */
export function build(site: string): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, 'build', site], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

export interface Started {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Runs a script and waits until it responds on the given port. It must not log requests, because logging would be measured too.
 * @param path path of a page to which it responds with 200
 */
export async function started(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  path = '/listing/c1',
): Promise<Started> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended.`)
    const answers = await page(url + path).then(
      () => true,
      () => false,
    )
    if (answers) break
    await sleep(10)
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function page(url: string, agent?: Agent): Promise<string> {
  return new Promise((done, fail) => {
    get(url, agent === undefined ? {} : { agent }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.on('end', () =>
        reply.statusCode === 200 ? done(text) : fail(new Error(`${url}: ${reply.statusCode}\n${text}`)),
      )
    }).on('error', fail)
  })
}

/** Sends a form. Rejects unless the response has the status 200 and a text. */
export function post(url: string, body: string, agent: Agent): Promise<void> {
  return new Promise((done, fail) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { agent, method: 'POST', headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.once('error', fail)
      reply.once('end', () => {
        if (reply.statusCode === 200 && text.trim() !== '') done()
        else fail(new Error(`${url}: ${reply.statusCode} ${text.slice(0, 200)}`))
      })
    })
    sent.once('error', fail)
    sent.end(body)
  })
}

/** Returns the pages per second over 16 connections. */
export async function load(url: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      await page(`${url}/listing/c${count++ % 100}`, agent)
    }
  }
  await Promise.all(Array.from({ length: 16 }, ask))
  agent.destroy()
  return (count / (performance.now() - start)) * 1000
}
