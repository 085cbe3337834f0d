/**
 * Processes that have a site in memory, as an editor's or `ingot dev`, keep its findings when another process is about to look for them: it
 * takes them over where they are of the texts that it has read itself, and looks for them itself where they are not. So nothing of what
 * passes between the two has to be believed.
 */
import { readdirSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { CACHE, makeCache } from './kept-findings.ts'

/** How the socket of a process is called. */
const NAME = /^compiler-\d+\.sock$/
/** Bytes of the address of a socket; systems allow 104 and more. */
const LONGEST = 100
/** Milliseconds that an answer is waited for: a site that takes longer is found out about as fast without it. */
const PATIENCE = 5_000

/**
 * Keeps the findings of a site whenever another process asks for them.
 * @param root the folder of the site
 * @param keep resolves when the findings of the site as it is are kept, or cannot be had
 * @returns ends that
 */
export function keepWhenAsked(root: string, keep: () => Promise<void>): () => void {
  const folder = join(root, CACHE)
  const address = join(folder, `compiler-${process.pid}.sock`)
  // On Windows such addresses are those of pipes, which lie in no folder.
  if (process.platform === 'win32' || Buffer.byteLength(address) > LONGEST) return () => undefined
  const server = createServer((socket) => {
    // Whoever asked may be gone by then.
    socket.on('error', () => undefined).resume()
    void keep()
      // Why a site cannot be looked at is told where it is worked on; whoever asked finds nothing that is kept, and looks at it itself.
      .catch(() => undefined)
      .then(() => socket.end())
  })
  // A folder that cannot be written to is one in which nothing is kept.
  server.on('error', () => undefined)
  try {
    makeCache(root)
    // An earlier process of this number was killed.
    rmSync(address, { force: true })
    server.listen(address).unref()
  } catch {
    return () => undefined
  }
  return () => void server.close()
}

/** Has the processes that have the site in memory keep its findings. @returns whether there is one */
export async function askToKeep(root: string): Promise<boolean> {
  const folder = join(root, CACHE)
  const names = namesIn(folder).filter((name) => NAME.test(name))
  const answers = await Promise.all(names.map((name) => isAnswered(join(folder, name))))
  return answers.includes(true)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether a process has answered, and done what it was asked for. */
function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address)
    socket.setTimeout(PATIENCE, () => socket.destroy())
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      // Its process was killed.
      if (code === 'ECONNREFUSED') rmSync(address, { force: true })
    })
    socket.once('end', () => resolve(true)).once('close', () => resolve(false))
    socket.resume()
  })
}
