// A PostGraphile server that answers the same query over its own tables, which have keys, indexes and a column for each property, as
// PostGraphile is designed for. It runs as many processes as the Ingot server has workers and requires no token.
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { DATABASE_URL = '', PEER = '', WORKERS = '2' } = process.env
// PostGraphile needs `Promise.withResolvers`, which older versions of Node lack.
if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers })
// Otherwise, PostGraphile runs extra checks for development all the time.
process.env['GRAPHILE_ENV'] = 'production'

if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  for (let at = 0; at < Number(WORKERS); at++) cluster.fork()
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.kill('SIGKILL')
    process.exit(0)
  })
} else {
  const brought = createRequire(join(PEER, 'package.json'))
  const { postgraphile } = brought('postgraphile')
  const { PostGraphileAmberPreset } = brought('postgraphile/presets/amber')
  const { makePgService } = brought('postgraphile/adaptors/pg')
  const { grafserv } = brought('postgraphile/grafserv/node')
  const connectionString = DATABASE_URL.replace('@/', '@local/')
  const answering = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ connectionString, schemas: ['peer'], poolConfig: { max: 5 } })],
    grafserv: { graphqlPath: '/api/graph', graphiql: false, watch: false, websockets: false },
    grafast: { explain: false },
  }).createServ(grafserv)
  await answering.ready()
  const handle = answering.createHandler()
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end('"ready"')
    else handle(request, response)
  })
  server.listen(Number(process.env['PORT']), '127.0.0.1')
}

function withResolvers() {
  /** @type {Record<string, unknown>} */
  const parts = {}
  const promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return { ...parts, promise }
}
