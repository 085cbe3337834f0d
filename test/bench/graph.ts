/** `POST /api/graph` over HTTP: a page of rows with one relation, against a handler written by hand that gives the same bytes. */
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { COMMENTED } from './data-site.ts'
import { median } from './measure.ts'
import { bin, siteOf, type Started, started, type Where } from './serving.ts'
import { printTable } from './table.ts'

const TOKEN = 'the-token-of-the-benchmark'
const CONNECTIONS = 16
const WORKERS = '2'
const ROUNDS = 9
/** Of one turn. */
const SECONDS = 2

/** Both in turns. `overHttp` has built the site. */
export async function graphOverHttp({ url, ids, home }: Where): Promise<void> {
  // As many connections a process as the handler by hand has.
  const env = { DATABASE_URL: url, INGOT_LOG: 'warn', INGOT_ENV: 'production', INGOT_WORKERS: WORKERS, INGOT_POOL: '5' }
  const ours = await started([bin, 'serve', siteOf(home)], { ...env, INGOT_API_TOKEN: TOKEN })
  const TABLE = JSON.stringify(Object.fromEntries(ids))
  const hand = await started(
    [resolve('test/bench/graph-by-hand.mjs')],
    { DATABASE_URL: url, TABLE, WORKERS, TOKEN },
    '/',
  )
  try {
    const [a = '', b] = await Promise.all([ours, hand].map((each) => ask(each, 'c7')))
    if (a !== b || !a.includes('A comment on'))
      throw new Error(`The two answers differ:\n${a.slice(0, 400)}\n${b?.slice(0, 400)}`)
    const rates: [number[], number[]] = [[], []]
    for (const each of [ours, hand]) await load(each, 8)
    for (let round = 0; round < ROUNDS; round++) {
      rates[0].push(await load(ours, SECONDS))
      rates[1].push(await load(hand, SECONDS))
    }
    const ratio = median(rates[0].map((rate, at) => rate / rates[1][at]!))
    console.log(`\nPOST /api/graph: a page of 20 with a relation of 100,000 rows, ${CONNECTIONS} connections`)
    printTable(
      ['against', 'answers a second', 'ours', 'ours is', 'goal'],
      [
        [
          'node:http and postgres.js by hand',
          median(rates[1]).toFixed(0),
          median(rates[0]).toFixed(0),
          `${ratio.toFixed(2)}x`,
          '0.95x',
        ],
      ],
    )
  } finally {
    await Promise.all([ours.stop(), hand.stop()])
  }
}

function ask({ url }: Started, category: string, agent?: Agent): Promise<string> {
  const body = JSON.stringify({ query: COMMENTED, variables: { category, page: 1 } })
  const headers = {
    authorization: `Token ${TOKEN}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((done, fail) => {
    const how = { method: 'POST', headers, ...(agent !== undefined && { agent }) }
    const sent = request(`${url}/api/graph`, how, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.on('end', () => (reply.statusCode === 200 ? done(text) : fail(new Error(`${reply.statusCode} ${text}`))))
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

/** Answers in a second. */
async function load(server: Started, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  const one = async (): Promise<void> => {
    while (performance.now() < end) await ask(server, `c${count++ % 50}`, agent)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  agent.destroy()
  return (count / (performance.now() - start)) * 1000
}
