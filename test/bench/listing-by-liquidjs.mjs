// A server for the listing page with fastify, postgres.js and liquidjs, with the same headers as Ingot. It runs as many processes as the
// Ingot server has workers. The template is parsed once and rendered synchronously, which is faster than asynchronously.
import cluster from 'node:cluster'
import { createHash, randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { Liquid } from 'liquidjs'
import postgres from 'postgres'

const { DATABASE_URL = '', TABLE, WORKERS = '2' } = process.env

if (cluster.isPrimary) {
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
  const query = `select id::text as id, properties->>'title' as title, (properties->>'price')::int as price from ingot.records r
    where table_id = ${TABLE} and deleted_at is null
      and left(coalesce((properties ->> 'category'::text), ''), 200) = $1::text
    order by ${process.env['PRICE']}, r.id limit 50`
  const liquid = new Liquid({ outputEscape: 'escape' })
  const template = liquid.parse(process.env['TEMPLATE'] ?? '')
  const app = fastify()
  app.get('/listing/:category', async (request, reply) => {
    const { category } = /** @type {{ category: string }} */ (request.params)
    const results = await sql.unsafe(query, [category], { prepare: true })
    /** @type {string} */
    const page = liquid.renderSync(template, { context: { params: { category } }, found: { records: { results } } })
    const etag = `W/"${createHash('sha1').update(page).digest('base64url')}"`
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-xss-protection': '0',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'max-age=0, private, must-revalidate',
      'x-request-id': randomUUID(),
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return page
  })
  await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
}
