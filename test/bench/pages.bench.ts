/**
 * Pages without a query over HTTP, on one processor: what every request costs. Against node:http that writes the same bytes and does
 * nothing else. Needs no database prepared.
 */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { withCluster } from './cluster.ts'
import { median } from './measure.ts'
import { childrenOf, cpuOfAll } from '../processes.ts'
import { bin, build, type Started, started, write } from './serving.ts'
import { printTable } from './table.ts'

const byHand = resolve('test/bench/plain-by-hand.mjs')
const CONNECTIONS = 10
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
/** Of one turn. */
const SECONDS = 1.5

const LONG = `---
slug: long
layout: ''
---
{% assign name = context.params.name | default: 'somebody' %}<!doctype html>
<title>{{ name }}</title>
<ul>
{%- for n in (1..150) %}
  <li><a href="/products/{{ n }}" title="Number {{ n }}">{{ name }} and the product number {{ n }}</a> <b>{{ n | times: 3 }}</b> <i>of many more</i></li>
{%- endfor %}
</ul>
`
const PAGES = [
  ['20 kB', 'long', LONG, '0.80x'],
  [
    'one line',
    'short',
    "---\nslug: short\nlayout: ''\n---\n<p>Hello {{ context.params.name | default: 'you' }}</p>\n",
    '0.60x',
  ],
  ['one line, always the same', 'fixed', "---\nslug: fixed\nlayout: ''\n---\n<p>Hello</p>\n", '0.60x'],
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
  onOneProcessor(ours)
  const rows: string[][] = []
  try {
    for (const [name, slug, , goal] of PAGES) {
      const body = join(home, slug)
      await writeFile(body, Buffer.from(await (await fetch(`${ours.url}/${slug}`)).arrayBuffer()))
      const hand = await started([byHand], { BODY: body }, '/')
      onOneProcessor(hand)
      try {
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

/** All that a server has started runs on one processor, and whoever asks has the others. */
function onOneProcessor({ pid }: Started): void {
  for (const each of [pid, ...descendantsOf(pid)]) {
    const { status, stderr } = spawnSync('taskset', ['-acp', '0', String(each)], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`taskset: ${stderr}`)
  }
}

function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
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
      const before = cpuOfAll(pid)
      const rate = await load(`${url}/${slug}`, SECONDS)
      rates[which]!.push(rate)
      costs[which]!.push(((cpuOfAll(pid) - before) / (rate * SECONDS)) * 1e6)
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

/** Answers in a second, over sockets that each wait for one answer before they ask again. */
async function load(url: string, seconds: number): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url)
  const asked = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: text/html\r\n\r\n`
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  const one = (): Promise<void> =>
    new Promise((done, fail) => {
      const socket = connect(Number(port), hostname, () => socket.write(asked))
      // Bytes of the answer that are still to come; null in front of its header.
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
        if (performance.now() < end) socket.write(asked)
        else socket.end()
      })
      socket.once('error', fail)
      // A busy process sends its visitors to the others.
      socket.once('close', () => done(left === null && performance.now() < end ? one() : undefined))
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  return (count / (performance.now() - start)) * 1000
}
