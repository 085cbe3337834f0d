/** A proxy for the database that a test can close, break and freeze. */
import { connect as dial, createServer, type Server, type Socket } from 'node:net'
import { readDatabaseUrl } from '../../../../server/data/store/database-url.ts'

export interface Door {
  readonly address: ReturnType<typeof readDatabaseUrl>
  /** Breaks all connections. */
  cut(): void
  shut(): Promise<void>
  open(): Promise<void>
  /** Silently holds all data back, in both directions. */
  freeze(on: boolean): void
  /** Connects to another server from now on. With null, new connections are refused. */
  lead(url: string | null): void
  close(): Promise<void>
}

/** Starts a proxy for a database. @param folder folder for its socket; null for a TCP port */
export async function openDoor(url: string, folder: string | null = null): Promise<Door> {
  const address = readDatabaseUrl(url, 'DATABASE_URL')
  let behind: typeof address | null = address
  const sockets = new Set<Socket>()
  let port = folder === null ? 0 : address.port
  let isFrozen = false
  let server: Server
  const open = (): Promise<void> =>
    new Promise((done, fail) => {
      server = createServer((client) => {
        if (behind === null) return void client.destroy()
        const { host, port } = behind
        const there = host.startsWith('/') ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host)
        for (const socket of [client, there]) {
          sockets.add(socket)
          socket.on('error', () => undefined)
          socket.on('close', () => {
            client.destroy()
            there.destroy()
            sockets.delete(socket)
          })
        }
        client.pipe(there)
        there.pipe(client)
        if (isFrozen) for (const socket of [client, there]) socket.pause()
      })
      server.once('error', fail)
      server.listen(folder === null ? { port, host: '127.0.0.1' } : { path: `${folder}/.s.PGSQL.${port}` }, () => {
        const place = server.address()
        if (typeof place === 'object' && place !== null) port = place.port
        done()
      })
    })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const shut = (): Promise<void> => {
    const ended = new Promise<void>((done) => server.close(() => done()))
    cut()
    return ended
  }
  await open()
  return {
    address: { ...address, host: folder ?? '127.0.0.1', port },
    cut,
    shut,
    open,
    freeze(on) {
      isFrozen = on
      for (const socket of sockets) {
        if (on) socket.pause()
        else socket.resume()
      }
    },
    lead(url) {
      behind = url === null ? null : readDatabaseUrl(url, 'DATABASE_URL')
      cut()
    },
    close: shut,
  }
}
