/** A port of this machine that nobody listens on. */
import { createServer } from 'node:net'

/**
 * Asks the system for a port, and gives it back; whoever listens on it a moment later nearly always gets it.
 * @param host the address that will be listened on
 * @throws where nobody can listen on the address
 */
export function freePort(host: string): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
