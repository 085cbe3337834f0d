/**
 * Lets running processes share their diagnostics. A process that has the site in memory, such as an editor or `ingot dev`, caches its
 * results when another process asks. The other process reads the cache, which is keyed by the texts it has read itself. If the texts
 * differ, it analyses the site itself. So processes need not trust each other.
 */
import { readdirSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { CACHE, createCacheFolder } from './cache-folder.ts'

/** Matches the names of the sockets. */
const SOCKET_NAME = /^compiler-\d+\.sock$/
/** Maximum length of a socket address in bytes. Systems allow 104 and more. */
const MAX_ADDRESS_LENGTH = 100
/** Milliseconds to wait for another process. After that time it is faster to analyse the site here. */
const TIMEOUT = 5_000

/**
 * Caches the diagnostics of a site whenever another process asks.
 * @param root the folder of the site
 * @param cacheDiagnostics resolves when the current diagnostics are cached, or cannot be determined
 * @returns a function that stops this
 */
export function answerCacheRequests(root: string, cacheDiagnostics: () => Promise<void>): () => void {
  const folder = join(root, CACHE)
  const address = join(folder, `compiler-${process.pid}.sock`)
  // On Windows such addresses would be named pipes, which are not in a folder.
  if (process.platform === 'win32' || Buffer.byteLength(address) > MAX_ADDRESS_LENGTH) return () => undefined
  const server = createServer((socket) => {
    // The other process may have ended.
    socket.on('error', () => undefined).resume()
    void cacheDiagnostics()
      // The process that has the site open reports why analysis failed. The asking process finds no cached result and analyses the site
      // itself.
      .catch(() => undefined)
      .then(() => socket.end())
  })
  // In a read-only folder nothing is cached anyway.
  server.on('error', () => undefined)
  try {
    createCacheFolder(root)
    // A killed process with this process id left its socket.
    rmSync(address, { force: true })
    server.listen(address).unref()
  } catch {
    return () => undefined
  }
  return () => void server.close()
}

/** Asks the running processes to cache their diagnostics of a site. Returns true if a process has done so. */
export async function requestCaching(root: string): Promise<boolean> {
  const folder = join(root, CACHE)
  const names = namesIn(folder).filter((name) => SOCKET_NAME.test(name))
  const answers = await Promise.all(names.map((name) => sendRequest(join(folder, name))))
  return answers.includes(true)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns true if a process has answered and completed the request. */
function sendRequest(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address)
    socket.setTimeout(TIMEOUT, () => socket.destroy())
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      // The process of this socket was killed.
      if (code === 'ECONNREFUSED') rmSync(address, { force: true })
    })
    socket.once('end', () => resolve(true)).once('close', () => resolve(false))
    socket.resume()
  })
}
