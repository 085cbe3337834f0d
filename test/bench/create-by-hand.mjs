// A hand-written server that creates a record, with fastify, zod and postgres.js. It runs as many processes as the Ingot server has
// workers.
import cluster from 'node:cluster'
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import fastify from 'fastify'
import postgres from 'postgres'
import { z } from 'zod'

const { DATABASE_URL = '', TABLE, WORKERS = '2', TOKEN = '' } = process.env

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
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest()
  const own = digest(TOKEN)
  const body = z.object({
    form_name: z.literal('create_product'),
    parent_resource_id: z.literal('product'),
    form: z.object({
      model_schema_name: z.literal('product'),
      properties: z.object({
        title: z.string().trim().min(3, 'is too short').max(100, 'is too long'),
        category: z.enum(['c1', 'c2', 'c3'], 'is not included in the list'),
        price: z.coerce.number('is not a number').int('must be an integer').gt(0, 'must be greater than 0'),
      }),
    }),
  })
  const headers = () => ({
    'content-type': 'application/vnd.api+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-xss-protection': '0',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-request-id': randomUUID(),
  })
  const app = fastify()
  app.get('/', () => 'ready')
  app.post('/api/user/customizations', async (request, reply) => {
    const token = /^Token token=(\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!timingSafeEqual(digest(token), own)) {
      return reply
        .code(401)
        .headers(headers())
        .send(JSON.stringify({ errors: { base: ['Unathorized'] } }))
    }
    const read = body.safeParse(request.body)
    if (!read.success) {
      /** @type {Record<string, string[]>} */
      const errors = {}
      for (const { path, message } of read.error.issues) (errors[path.slice(1).join('.')] ??= []).push(message)
      return reply
        .code(422)
        .headers(headers())
        .send(JSON.stringify({ id: null, errors }))
    }
    const [row] = await sql.unsafe(
      `insert into ingot.records (table_id, properties) values (${TABLE}, $1::text::jsonb) returning id::text`,
      [JSON.stringify(read.data.form.properties)],
      { prepare: true },
    )
    return reply
      .code(201)
      .headers(headers())
      .send(JSON.stringify({ id: Number(row?.id), errors: {} }))
  })
  await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
}
