/**
 * Measures the REST API: the records per second that are validated and stored, by a built site and by a handler written by hand with
 * fastify, zod and postgres.js. Needs no prepared database.
 */
import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'
import type { DataSchema } from '../../runtime/page/compiled.ts'
import { connect } from '../../server/data/store/connection.ts'
import { migrate } from '../../server/data/store/migrate.ts'
import { applySchema } from '../../server/data/store/tables.ts'
import { withCluster } from './cluster.ts'
import { median } from './measure.ts'
import { bin, build, started, write } from './serving.ts'
import { printTable } from './table.ts'

const TABLE = `name: product
properties:
  - name: title
  - name: category
  - name: price
    type: integer
`
const FORM = `---
name: create_product
resource: product
resource_owner: anyone
fields:
  properties:
    title:
      validation: { presence: true, length: { minimum: 3, maximum: 100 } }
    category:
      validation: { inclusion: { in: [c1, c2, c3] } }
    price:
      validation: { numericality: { only_integer: true, greater_than: 0 } }
---
`
const DATA: DataSchema = {
  tables: [
    {
      name: 'product',
      file: 'app/schema/product.yml',
      properties: (['title', 'category', 'price'] as const).map((name) => {
        const type = name === 'price' ? 'integer' : 'string'
        return { name, type, default: null, belongsTo: null, options: null }
      }),
    },
  ],
  user: [],
  profiles: [],
}
const TOKEN = 'the-token-of-the-benchmark'
const CONNECTIONS = 16
const WORKERS = '2'

await withCluster('256MB', creating)

/** Measures both servers in turns. */
async function creating(url: string, home: string): Promise<void> {
  const sql = await connect(url, 'DATABASE_URL', { pool: 2, name: 'bench' })
  await migrate(sql)
  const ids = await applySchema(sql, DATA)
  const site = join(home, 'site')
  await write(site, {
    'app/schema/product.yml': TABLE,
    'app/forms/create_product.liquid': FORM,
    'app/views/pages/index.liquid': 'ready',
  })
  build(site)
  // As many connections per process as the hand-written handler has.
  const common = { DATABASE_URL: url, INGOT_DATA: join(home, 'data'), INGOT_LOG: 'warn', INGOT_ENV: 'production' }
  const env = { ...common, INGOT_WORKERS: WORKERS, INGOT_POOL: '5', INGOT_API_TOKEN: TOKEN }
  const ours = await started([bin, 'serve', site], env, '/')
  const table = String(ids.get('product'))
  const hand = await started(
    [resolve('test/bench/create-by-hand.mjs')],
    { DATABASE_URL: url, TABLE: table, WORKERS, TOKEN },
    '/',
  )
  try {
    await compare(ours.url, hand.url)
    const rates: { ours: number[]; hand: number[] } = { ours: [], hand: [] }
    await load(ours.url, 8)
    await load(hand.url, 8)
    for (let round = 0; round < 9; round++) {
      rates.ours.push(await load(ours.url, 2))
      rates.hand.push(await load(hand.url, 2))
    }
    const ratio = median(rates.ours.map((rate, at) => rate / rates.hand[at]!))
    console.log(`\nPOST /api/user/customizations: validated and stored, ${CONNECTIONS} connections`)
    printTable(
      ['against', 'records a second', 'ours', 'ours is', 'goal'],
      [
        [
          'fastify, zod and postgres.js by hand',
          median(rates.hand).toFixed(0),
          median(rates.ours).toFixed(0),
          `${ratio.toFixed(2)}x`,
          '0.90x',
        ],
      ],
    )
  } finally {
    await Promise.all([ours.stop(), hand.stop()])
    await sql.end()
  }
}

/** Checks that both servers respond in the same way. */
async function compare(ours: string, hand: string): Promise<void> {
  const bodies = [
    { title: 'A title', category: 'c1', price: '12' },
    { title: 'A', category: 'c9', price: 0 },
  ]
  for (const [at, properties] of bodies.entries()) {
    const answers = await Promise.all([ours, hand].map((base) => send(base, properties)))
    const paths = answers.map(({ status, text }) => [
      status,
      Object.keys((JSON.parse(text) as { errors: object }).errors).sort(),
    ])
    if (JSON.stringify(paths[0]) !== JSON.stringify(paths[1]) || paths[0]?.[0] !== (at === 0 ? 201 : 422))
      throw new Error(`The two answer differently:\n${answers.map(({ text }) => text).join('\n')}`)
  }
}

function send(base: string, properties: object, agent?: Agent): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({
    form_name: 'create_product',
    parent_resource_id: 'product',
    form: { model_schema_name: 'product', properties },
  })
  const headers = {
    authorization: `Token token=${TOKEN}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((done, fail) => {
    const how = { method: 'POST', headers, ...(agent === undefined ? {} : { agent }) }
    const sent = request(`${base}/api/user/customizations`, how, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (data: string) => {
        text += data
      })
      reply.on('end', () => done({ status: reply.statusCode ?? 0, text }))
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

/** Returns the created records per second. */
async function load(base: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const start = performance.now()
  const end = start + seconds * 1000
  let count = 0
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const n = count++
      const { status, text } = await send(
        base,
        { title: `Title ${n}`, category: `c${1 + (n % 3)}`, price: 1 + n },
        agent,
      )
      if (status !== 201) throw new Error(`${status} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  agent.destroy()
  return (count / (performance.now() - start)) * 1000
}
