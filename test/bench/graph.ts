/**
 * Measures `POST /api/graph` over HTTP: a page of rows with one relation, compared with a hand-written handler that returns the same bytes,
 * and with PostGraphile.
 */
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { connect } from '../../server/data/store/connection.ts'
import { COMMENTED } from './data-site.ts'
import { inTurns, peerRows } from './measure.ts'
import { installed } from './peers.ts'
import { bin, POOL, siteOf, type Started, started, type Where } from './serving.ts'
import { printTable } from './table.ts'

const byHand = resolve('test/bench/graph-by-hand.mjs')
const byPeer = resolve('test/bench/graph-by-postgraphile.mjs')
const TOKEN = 'the-token-of-the-benchmark'
const CONNECTIONS = 16
const WORKERS = '2'
const ROUNDS = 9
/** Duration of one turn. */
const SECONDS = 2

const PEER = { name: 'postgraphile', version: '5.1.5' } as const

/** The query in the schema of PostGraphile. */
const COMMENTED_PEER = `query commented($category: String!, $page: Int!) {
  records: allArticles(condition: { category: $category }, orderBy: [CREATED_AT_DESC], first: 20, offset: $page) {
    results: nodes {
      id: rowId
      title
      comments: commentsByArticleId(first: 5, orderBy: [ROW_ID_ASC]) { nodes { id: rowId body } }
    }
  }
}`

interface Asked extends Started {
  readonly query: string
  /** The value of the variable `page` for the first page. */
  readonly first: number
}

/** Measures all servers in turns. `overHttp` has already built the site. */
export async function graphOverHttp({ url, ids, home }: Where): Promise<void> {
  const env = {
    DATABASE_URL: url,
    INGOT_LOG: 'warn',
    INGOT_ENV: 'production',
    INGOT_WORKERS: WORKERS,
    INGOT_POOL: POOL,
  }
  const servers: Asked[] = []
  const begin = async (query: string, first: number, ...how: Parameters<typeof started>): Promise<void> =>
    void servers.push({ ...(await started(...how)), query, first })
  try {
    await begin(COMMENTED, 1, [bin, 'serve', siteOf(home)], { ...env, INGOT_API_TOKEN: TOKEN })
    const TABLE = JSON.stringify(Object.fromEntries(ids))
    await begin(COMMENTED, 1, [byHand], { DATABASE_URL: url, TABLE, WORKERS, TOKEN }, '/')
    const peers = [{ name: 'node:http and postgres.js by hand', goal: '0.95x' }]
    const folder = installed(PEER.name, PEER.version)
    if (folder !== null) {
      await fillPeer(url, ids)
      await begin(COMMENTED_PEER, 0, [byPeer], { DATABASE_URL: url, WORKERS, PEER: folder }, '/')
      peers.push({ name: `PostGraphile ${PEER.version}, over tables of its own`, goal: '-' })
    }
    const [a = '', ...others] = await Promise.all(servers.map((each) => ask(each, 'c7')))
    for (const b of others)
      if (a !== plain(b) || !a.includes('A comment on'))
        throw new Error(`The two answers differ:\n${a.slice(0, 400)}\n${b.slice(0, 400)}`)
    const rates = await inTurns(servers, load, { rounds: ROUNDS, seconds: SECONDS, warm: 8 })
    console.log(`\nPOST /api/graph: a page of 20 with a relation of 100,000 rows, ${CONNECTIONS} connections`)
    printTable(['against', 'answers a second', 'ours', 'ours is', 'goal'], peerRows(rates, peers))
  } finally {
    await Promise.all(servers.map((each) => each.stop()))
  }
}

/** Returns a response of PostGraphile without the level (`nodes`) that it has between a row and the related rows. */
function plain(answer: string): string {
  return answer.replace(/"comments":\{"nodes":(\[[^\]]*\])\}/g, '"comments":$1')
}

/** Stores the same rows in tables that are designed for PostGraphile. */
async function fillPeer(url: string, ids: ReadonlyMap<string, number>): Promise<void> {
  const sql = await connect(url, 'DATABASE_URL', { pool: 1, name: 'bench' })
  const property = (name: string): string => `properties ->> '${name}'`
  const rows = (table: string): string => `from ingot.records where table_id = ${ids.get(table)} and deleted_at is null`
  await sql.unsafe(`create schema peer;
    create table peer.article (id bigint primary key, title text not null, category text not null, created_at timestamptz not null);
    create table peer.comment (id bigint primary key, article_id bigint not null references peer.article, body text not null);
    insert into peer.article select id, ${property('title')}, ${property('category')}, created_at ${rows('article')};
    insert into peer.comment select id, (${property('article_id')})::bigint, ${property('body')} ${rows('comment')};
    create index on peer.article (category, created_at desc, id);
    create index on peer.article (created_at);
    create index on peer.comment (article_id, id);
    analyze peer.article, peer.comment`)
  await sql.end()
}

function ask({ url, query, first }: Asked, category: string, agent?: Agent): Promise<string> {
  const body = JSON.stringify({ query, variables: { category, page: first } })
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

/** Returns the responses per second. */
async function load(server: Asked, seconds: number): Promise<number> {
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
