/**
 * Lets running processes share their diagnostics. A process that has the site in memory, such as an editor or `ingot dev`, caches its
 * results when another process asks. The other process reads the cache, which is keyed by the texts it has read itself. If the texts
 * differ, it analyses the site itself. So processes need not trust each other.
 *
 * The sockets are in the user's runtime folder, because sockets in the folder of a site break copies and archives of it.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'

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
  const place = socketsOf(root)
  if (place === null) return () => undefined
  const address = join(place.folder, `${place.prefix}${process.pid}.sock`)
  if (Buffer.byteLength(address) > MAX_ADDRESS_LENGTH) return () => undefined
  const server = createServer((socket) => {
    // The other process may have ended.
    socket.on('error', () => undefined).resume()
    void cacheDiagnostics()
      // The process that has the site open reports why analysis failed. The asking process finds no cached result and analyses the site
      // itself.
      .catch(() => undefined)
      .then(() => socket.end())
  })
  // Without a socket, other processes analyse the site themselves.
  server.on('error', () => undefined)
  try {
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
  const place = socketsOf(root)
  if (place === null) return false
  const names = readdirSync(place.folder).filter((name) => name.startsWith(place.prefix))
  const answers = await Promise.all(names.map((name) => sendRequest(join(place.folder, name))))
  return answers.includes(true)
}

/**
 * Returns the folder of the sockets, and how the names of those of a site begin; null when no folder belongs to this user alone.
 * @param root the folder of the site
 */
function socketsOf(root: string): { readonly folder: string; readonly prefix: string } | null {
  const uid = process.getuid?.()
  // On Windows such addresses would be named pipes, which are not in a folder.
  if (uid === undefined) return null
  const { XDG_RUNTIME_DIR: given = '' } = process.env
  const folder =
    isAbsolute(given) && isOwn(given, uid) ? join(given, 'ingot') : join(tmpdir(), `ingot-compilers-${uid}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Any user may create folders in the temporary folder.
    if (!isOwn(folder, uid)) return null
    const digest = createHash('sha256').update(realpathSync(root)).digest('hex')
    return { folder, prefix: `${digest.slice(0, 16)}-` }
  } catch {
    return null
  }
}

/** Returns whether a folder belongs to a user, and no other user can enter it. */
function isOwn(folder: string, uid: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o77) === 0
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
