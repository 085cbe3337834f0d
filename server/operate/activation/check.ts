/** Checks a release before it is activated. */
import { spawn } from 'node:child_process'
import { type Releases, shortId } from '../releases/model.ts'
import { StartError } from '../../core/start-error.ts'

/** Milliseconds that a release may take to load. */
const LONGEST = 60_000
/** What is shown of the reason. */
const MOST = 2_000

/**
 * Holds every file against its digest, and loads the build in a process of its own.
 * @param trial path of the program that loads it
 * @throws StartError when it cannot be served
 */
export async function checkRelease(releases: Releases, id: string, root: string, trial: string): Promise<void> {
  const damage = await releases.damage(id)
  if (damage !== null) throw refusedRelease(id, `${damage}: push it again.`)
  const { folder } = await releases.built(id, root)
  const problem = await loadApart(trial, root, folder)
  if (problem !== null) throw refusedRelease(id, problem)
}

/** The sentence about a release that cannot be served. */
export function refusedRelease(id: string, why: string): StartError {
  return new StartError(`The release ${shortId(id)} cannot be served: ${why}`)
}

function loadApart(trial: string, root: string, folder: string): Promise<string | null> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [trial, root, folder], { stdio: ['ignore', 'pipe', 'pipe'], env: {} })
    let said = ''
    const hear = (data: unknown): void => {
      said = (said + String(data)).slice(0, MOST)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    const late = setTimeout(() => {
      said = `it did not load within ${LONGEST / 1000} seconds.`
      child.kill('SIGKILL')
    }, LONGEST)
    child.once('error', (error) => {
      clearTimeout(late)
      done(error.message)
    })
    child.once('close', (code, signal) => {
      clearTimeout(late)
      if (code === 0) done(null)
      else done(said.trim() === '' ? `the process that loaded it ended (${signal ?? `code ${code}`}).` : said.trim())
    })
  })
}
