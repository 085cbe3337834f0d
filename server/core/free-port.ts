/** A port of this machine that nobody listens on. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { codeOf } from './error-code.ts'

/** Below the ports that Linux (32,768 on), macOS and Windows (49,152 on) give away by themselves. */
const [FIRST, PAST] = [20_000, 32_768]

/** How often another port is tried before one is left to the system. */
const TRIES = 20

/**
 * Finds a port that can be listened on, and gives it back for whoever listens on it later. It is none that the system
 * would meanwhile give to a connection, or to somebody who listens on any port.
 * @param host the address that will be listened on
 * @throws where nobody can listen on the address
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await listensOn(host, randomInt(FIRST, PAST))
    } catch (error) {
      // Windows sets ports aside, and refuses those.
      const code = codeOf(error)
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    }
  }
  return listensOn(host, 0)
}

/** The port that was listened on for a moment. @param port 0 for any */
function listensOn(host: string, port: number): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
