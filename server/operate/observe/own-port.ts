/** A separate port for monitoring: metrics and health, also of a server that only runs jobs. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Reply, Request } from '../../web/http/message.ts'
import type { ObserveSettings } from '../../core/settings.ts'
import { readyReply, UP } from './health.ts'
import type { Hub } from './hub.ts'
import { isRead, metricsReply } from './probes.ts'

export interface MonitoringPort {
  readonly port: number
  close(): Promise<void>
}

/** Milliseconds within which a request must arrive. */
const REQUEST_TIMEOUT = 10_000

/**
 * Opens the port.
 * @throws NodeJS.ErrnoException with the system's code
 */
export async function openMonitoringPort(
  host: string,
  port: number,
  settings: ObserveSettings,
  hub: Hub,
): Promise<MonitoringPort> {
  const times = { requestTimeout: REQUEST_TIMEOUT, headersTimeout: REQUEST_TIMEOUT, keepAliveTimeout: REQUEST_TIMEOUT }
  const server = createServer({ ...times, maxHeaderSize: 8_192 }, (incoming, outgoing) => {
    void respond(incoming, outgoing, settings, hub)
  })
  server.maxConnections = 100
  await waitUntilListening(server, port, host)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function waitUntilListening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  settings: ObserveSettings,
  hub: Hub,
): Promise<void> {
  const { method = 'GET', url = '/' } = incoming
  const { status, headers, body } = await replyTo({ method, url, headers: incoming.headers }, settings, hub)
  const text = typeof body === 'string' ? body : ''
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) })
  outgoing.end(method === 'HEAD' ? '' : text)
}

async function replyTo(
  request: Pick<Request, 'method' | 'url' | 'headers'>,
  { upPath, readyPath, metrics }: ObserveSettings,
  hub: Hub,
): Promise<Reply> {
  if (isRead(request, upPath)) return UP
  if (isRead(request, readyPath)) return readyReply(await hub.ready())
  if (!isRead(request, metrics.path) && !isRead(request, '/metrics')) return NOT_FOUND
  // An error becomes a reply with the status 503, which the monitoring system reports.
  return metricsReply(request, metrics.token, { printMetrics: () => hub.printMetrics().catch(() => null) })
}

const NOT_FOUND: Reply = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'Not found. The metrics are at /metrics.\n',
}
