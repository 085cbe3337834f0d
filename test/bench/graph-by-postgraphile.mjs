// The same question answered by PostGraphile, over tables of its own with a column for each property, keys and indexes: what it is made
// for. In as many processes as the server has workers; it asks for no token.
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { DATABASE_URL = '', PEER = '', WORKERS = '2' } = process.env
// It is written for a Node that has this.
if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers })
// Without it, it checks what it does all the while.
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
