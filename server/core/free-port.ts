/** Finds a free port of this machine. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { errorCodeOf } from './error-code.ts'

/** First port to try, and the port after the last one. Systems assign higher ports themselves: from 32,768 or 49,152 on. */
const [FIRST, PAST] = [20_000, 32_768]

/** Maximum number of ports to try before the system chooses one. */
const MAX_ATTEMPTS = 20

/**
 * Returns a port that is free now, for a listener that opens later. The system does not assign such a port to a
 * connection, or to a listener without a fixed port.
 * @param host the address that will be listened on
 * @throws when listening on the address is impossible
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    try {
      return await tryPort(host, randomInt(FIRST, PAST))
    } catch (error) {
      // Windows reserves some ports and refuses them.
      const code = errorCodeOf(error)
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    }
  }
  return tryPort(host, 0)
}

/**
 * Listens on a port for a moment and returns the port.
 * @param port 0 for any
 */
function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
