/** Checks a release before it is activated. */
import { spawn } from 'node:child_process'
import { type Releases, shortId } from '../releases/model.ts'
import { StartError } from '../../core/start-error.ts'

/** Milliseconds that a release may take to load. */
const LOAD_TIMEOUT = 60_000
/** Maximum length of the shown reason in characters. */
const MAX_REASON_LENGTH = 2_000

/**
 * Checks the digest of every file, and loads the build in a child process.
 * @param trial path of the program that loads the build
 * @throws StartError when it cannot be served
 */
export async function checkRelease(releases: Releases, id: string, root: string, trial: string): Promise<void> {
  const damage = await releases.damage(id)
  if (damage !== null) throw refusedRelease(id, `${damage}: push it again.`)
  const { folder } = await releases.openBuild(id, root)
  const problem = await loadInChild(trial, root, folder)
  if (problem !== null) throw refusedRelease(id, problem)
}

/** Creates the error for a release that cannot be served. */
export function refusedRelease(id: string, reason: string): StartError {
  return new StartError(`The release ${shortId(id)} cannot be served: ${reason}`)
}

/** Loads a build in a child process. Resolves to the reason why it cannot be loaded; null when it can. */
function loadInChild(trial: string, root: string, folder: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [trial, root, folder], { stdio: ['ignore', 'pipe', 'pipe'], env: {} })
    let output = ''
    const collect = (data: unknown): void => {
      output = (output + String(data)).slice(0, MAX_REASON_LENGTH)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const timeout = setTimeout(() => {
      output = `it did not load within ${LOAD_TIMEOUT / 1000} seconds.`
      child.kill('SIGKILL')
    }, LOAD_TIMEOUT)
    child.once('error', (error) => {
      clearTimeout(timeout)
      resolve(error.message)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timeout)
      if (code === 0) resolve(null)
      else
        resolve(
          output.trim() === '' ? `the process that loaded it ended (${signal ?? `code ${code}`}).` : output.trim(),
        )
    })
  })
}
