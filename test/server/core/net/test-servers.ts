/** Loopback servers for tests of outgoing requests. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'

export interface TestServers {
  /** Starts an HTTP server and returns its origin. */
  http(listener: RequestListener, address?: string): Promise<string>
  /** Starts a TCP server and returns its port. */
  tcp(listener: (socket: Socket) => void): Promise<number>
  close(): Promise<void>
}

export function createTestServers(): TestServers {
  const servers: (Server | TcpServer)[] = []
  const sockets = new Set<Socket>()
  const listening = (server: Server | TcpServer, address: string): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    return new Promise((done, failed) => {
      server.once('error', failed)
      server.listen(0, address, () => done((server.address() as AddressInfo).port))
    })
  }
  return {
    async http(listener, address = '127.0.0.1') {
      return `http://${address}:${await listening(createServer(listener), address)}`
    },
    tcp: (listener) => listening(createTcp(listener), '127.0.0.1'),
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))))
    },
  }
}

/** Reads the body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
