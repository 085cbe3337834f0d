/** One command at a time works on the modules of a site; what one has left that was killed is mended by the next. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../core/error-code.ts'
import { isRunning } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'

/** In the folder of the site. */
const HELD = '.ingot-modules-held'
/** In that of the modules, where the dot keeps a site from reading them: folders in which modules wait to be put in their places, and the endings of those that they replace. */
export const STAGING = '.ingot-staging-'
export const REPLACED = '.old'

/** Runs `act` while no other command works on the modules of a site. @throws StartError where one does */
export async function withModulesLock<T>(dir: string, act: () => Promise<T>): Promise<T> {
  const held = join(dir, HELD)
  await hold(held)
  try {
    await mendLeft(join(dir, 'modules'))
    return await act()
  } finally {
    await rm(held, { force: true })
  }
}

async function hold(held: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(held, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    // It may be given back meanwhile.
    const holder = await readFile(held, 'utf8').catch(() => '')
    if ((Number(holder) > 0 && isRunning(Number(holder))) || !(await takenFrom(holder, held))) break
  }
  throw new StartError('Another `ingot modules` works in this folder: wait until it has ended.')
}

/** Takes away what a process that is gone has left. @returns false where another one has done so before, and holds it now */
async function takenFrom(holder: string, held: string): Promise<boolean> {
  const taken = `${held}-${process.pid}`
  try {
    await rename(held, taken)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
  if ((await readFile(taken, 'utf8')) === holder) {
    await rm(taken)
    return true
  }
  await rename(taken, held)
  return false
}

/** Puts back what was taken out of its place by a command that was killed before the next one stood there. */
async function mendLeft(modules: string): Promise<void> {
  for (const name of existsSync(modules) ? await readdir(modules) : []) {
    if (!name.startsWith(STAGING)) continue
    const staging = join(modules, name)
    for (const entry of await readdir(staging)) {
      const place = join(modules, entry.slice(0, -REPLACED.length))
      if (entry.endsWith(REPLACED) && !existsSync(place)) await rename(join(staging, entry), place)
    }
    await rm(staging, { recursive: true, force: true })
  }
}
