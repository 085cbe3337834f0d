/**
 * Measures pages without a query over HTTP, on one processor: the fixed cost of every request. They are compared with node:http, which
 * either only writes the same bytes or builds them from template literals. Needs no prepared database.
 */
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { withCluster } from './cluster.ts'
import { median } from './measure.ts'
import { limitToOneProcessor, totalCpuSeconds } from '../support/processes.ts'
import { bin, build, type Started, started, write } from './serving.ts'
import { printTable } from './table.ts'

/** The server that writes the bytes of a file. */
const plain = resolve('test/bench/plain-by-hand.mjs')
/** The server that builds the page for each visitor. */
const varying = resolve('test/bench/varying-by-hand.mjs')
const CONNECTIONS = 10
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
/** Duration of one turn. */
const SECONDS = 1.5

/** Returns a page of 20 kB that prints a name. `from` is the Liquid expression of the name. */
function long(slug: string, from: string): string {
  return `---
slug: ${slug}
layout: ''
---
{% assign name = ${from} | default: 'somebody' %}<!doctype html>
<title>{{ name }}</title>
<ul>
{%- for n in (1..150) %}
  <li><a href="/products/{{ n }}" title="Number {{ n }}">{{ name }} and the product number {{ n }}</a> <b>{{ n | times: 3 }}</b> <i>of many more</i></li>
{%- endfor %}
</ul>
`
}

function short(slug: string, name: string): string {
  return `---\nslug: ${slug}\nlayout: ''\n---\n<p>Hello${name}</p>\n`
}

/**
 * The pages, with their titles in the table. Pages that depend only on the address are cached; the others are rendered for each visitor.
 */
const PAGES = [
  ['20 kB', 'long', long('long', 'context.params.name'), plain, '0.80x'],
  ['one line', 'short', short('short', " {{ context.params.name | default: 'you' }}"), plain, '0.60x'],
  ['one line, always the same', 'fixed', short('fixed', ''), plain, '0.60x'],
  ['20 kB for each visitor', 'varying', long('varying', 'context.cookies.name'), varying, '-'],
  [
    'one line for each visitor',
    'greeting',
    short('greeting', " {{ context.cookies.name | default: 'you' }}"),
    varying,
    '-',
  ],
] as const

await withCluster('256MB', pages)

async function pages(url: string, home: string): Promise<void> {
  const site = join(home, 'site')
  await write(site, Object.fromEntries(PAGES.map(([, slug, text]) => [`app/views/pages/${slug}.liquid`, text])))
  build(site)
  const env = {
    DATABASE_URL: url,
    INGOT_DATA: join(home, 'data'),
    INGOT_WORKERS: '2',
    INGOT_JOB_THREADS: '0',
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
  }
  const ours = await started([bin, 'serve', site], env, '/short')
  limitToOneProcessor(ours.pid)
  const rows: string[][] = []
  try {
    for (const [name, slug, , peer, goal] of PAGES) {
      const body = join(home, slug)
      const text = await pageFor(ours.url, slug)
      await writeFile(body, text)
      const hand = await started([peer], { BODY: body }, `/${slug}`)
      limitToOneProcessor(hand.pid)
      try {
        if ((await pageFor(hand.url, slug)) !== text) throw new Error(`The two pages of ${slug} differ.`)
        rows.push(await turns(name, slug, goal, ours, hand))
      } finally {
        await hand.stop()
      }
    }
  } finally {
    await ours.stop()
  }
  console.log(`\npages without a query, on one processor, ${CONNECTIONS} connections`)
  printTable(
    ['page', 'by hand a second', 'ours', 'ours is', 'by processor time', 'goal', 'microseconds by hand', 'ours '],
    rows,
  )
}

async function pageFor(url: string, slug: string): Promise<string> {
  return (await fetch(`${url}/${slug}`, { headers: { cookie: 'name=Anna' } })).text()
}

async function turns(name: string, slug: string, goal: string, ours: Started, hand: Started): Promise<string[]> {
  const both = [ours, hand]
  const rates: number[][] = [[], []]
  const costs: number[][] = [[], []]
  for (const { url } of both) await load(`${url}/${slug}`, 4)
  for (let round = 0; round < ROUNDS; round++)
    for (let turn = 0; turn < both.length; turn++) {
      const which = (turn + round) % both.length
      const { url, pid } = both[which]!
      const before = totalCpuSeconds(pid)
      const rate = await load(`${url}/${slug}`, SECONDS)
      rates[which]!.push(rate)
      costs[which]!.push(((totalCpuSeconds(pid) - before) / (rate * SECONDS)) * 1e6)
    }
  const [own, other] = rates as [number[], number[]]
  const [ownCost, otherCost] = costs as [number[], number[]]
  return [
    name,
    median(other).toFixed(0),
    median(own).toFixed(0),
    `${median(own.map((rate, at) => rate / other[at]!)).toFixed(2)}x`,
    `${median(ownCost.map((cost, at) => otherCost[at]! / cost)).toFixed(2)}x`,
    goal,
    median(otherCost).toFixed(0),
    median(ownCost).toFixed(0),
  ]
}

/** Returns the responses per second over several sockets. Each waits for a response before it sends the next request. */
async function load(url: string, seconds: number): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url)
  let visitors = 0
  // Each request comes from another visitor, which makes no difference for cached pages.
  const asked = (): string =>
    `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: text/html\r\ncookie: name=visitor${visitors++ % 1000}\r\n\r\n`
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  const one = (): Promise<void> =>
    new Promise((done, fail) => {
      const socket = connect(Number(port), hostname, () => socket.write(asked()))
      // The bytes of the response that have not arrived yet; null before the header is complete.
      let left: number | null = null
      socket.on('data', (data) => {
        if (left === null) {
          const behind = data.indexOf('\r\n\r\n') + 4
          const header = data.toString('latin1', 0, behind)
          const [, length] = /^content-length: (\d+)/im.exec(header) ?? []
          if (length === undefined || !header.startsWith('HTTP/1.1 200 ')) return fail(new Error(`${url}: ${header}`))
          left = Number(length) + behind
        }
        left -= data.length
        if (left > 0) return
        left = null
        count++
        if (performance.now() < end) socket.write(asked())
        else socket.end()
      })
      socket.once('error', fail)
      // A busy process closes the connection, so that the visitor connects to another process.
      socket.once('close', () => done(left === null && performance.now() < end ? one() : undefined))
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  return (count / (performance.now() - start)) * 1000
}
