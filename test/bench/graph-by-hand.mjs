// A hand-written server that gives the response of `POST /api/graph` to one operation. It uses node:http and postgres.js, with one
// statement of PostgreSQL's JSON functions, and runs as many processes as the Ingot server has workers.
import cluster from 'node:cluster'
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import postgres from 'postgres'

const { DATABASE_URL = '', TABLE = '{}', WORKERS = '2', TOKEN = '' } = process.env

if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  for (let at = 0; at < Number(WORKERS); at++) cluster.fork()
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill('SIGKILL')
    process.exit(0)
  })
} else {
  const { username, pathname, searchParams } = new URL(DATABASE_URL.replace('@/', '@local/'))
  const sql = postgres({
    path: `${searchParams.get('host')}/.s.PGSQL.5432`,
    username,
    database: pathname.slice(1),
    max: 5,
    fetch_types: false,
  })
  /** @type {Readonly<Record<string, number>>} The numbers of the tables, by name. */
  const tables = JSON.parse(TABLE)
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest()
  const own = digest(TOKEN)
  const query = `select json_build_object('records', json_build_object('results', coalesce(json_agg(
      json_build_object('id', a.id::text, 'title', a.properties->>'title', 'comments', c.found)), '[]'::json))) as data
    from (
      select id, properties from ingot.records
      where table_id = ${tables['article']} and deleted_at is null
        and left(coalesce((properties ->> 'category'::text), ''), 200) = $1::text
      order by created_at desc, id limit 20 offset $2::bigint) a
    left join lateral (
      select coalesce(json_agg(json_build_object('id', c.id::text, 'body', c.properties->>'body')), '[]'::json) as found
      from (
        select id, properties from ingot.records c
        where table_id = ${tables['comment']} and deleted_at is null
          and left(coalesce((c.properties ->> 'article_id'::text), ''), 200) = a.id::text
        order by id limit 5) c) c on true`
  const headers = () => ({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-xss-protection': '0',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-request-id': randomUUID(),
  })
  const answer = async (/** @type {string | undefined} */ authorization, /** @type {string} */ body) => {
    const token = /^Token (\S+)$/.exec(authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(token), own))
      return { status: 401, text: '{"errors":[{"message":"A valid token is needed"}]}' }
    const { variables } = JSON.parse(body)
    const { category, page } = variables
    if (typeof category !== 'string' || !Number.isInteger(page) || page < 1)
      return { status: 400, text: '{"errors":[{"message":"The variables do not fit"}]}' }
    const [row] = await sql.unsafe(query, [category, String((page - 1) * 20)], { prepare: true })
    return { status: 200, text: JSON.stringify({ data: row?.['data'] }) }
  }
  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const { status, text } =
        request.method === 'GET'
          ? { status: 200, text: '"ready"' }
          : await answer(request.headers.authorization, Buffer.concat(chunks).toString())
      response.writeHead(status, { ...headers(), 'content-length': Buffer.byteLength(text) })
      response.end(text)
    })
  })
  server.listen(Number(process.env['PORT']), '127.0.0.1')
}
