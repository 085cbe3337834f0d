/** Lets only one command at a time change the modules of a site, and cleans up after a killed command. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf } from '../../core/error-code.ts'
import { isRunning } from '../../core/leftovers.ts'
import { StartError } from '../../core/start-error.ts'

/** Lock file in the folder of the site. */
const LOCK_FILE = '.ingot-modules-held'
/** Prefix of staging folders in the folder of modules. The dot hides them from the site. */
export const STAGING = '.ingot-staging-'
/** Ending of replaced modules in a staging folder. */
export const REPLACED = '.old'

/** Runs `act` under the lock of a site's modules. @throws StartError when another command holds it */
export async function withModulesLock<T>(dir: string, act: () => Promise<T>): Promise<T> {
  const lockFile = join(dir, LOCK_FILE)
  await acquire(lockFile)
  try {
    await cleanUpStaging(join(dir, 'modules'))
    return await act()
  } finally {
    await rm(lockFile, { force: true })
  }
}

async function acquire(lockFile: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await writeFile(lockFile, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error
    }
    // The file may be removed meanwhile.
    const holder = await readFile(lockFile, 'utf8').catch(() => '')
    if ((Number(holder) > 0 && isRunning(Number(holder))) || !(await removeStaleLock(holder, lockFile))) break
  }
  throw new StartError('Another `ingot modules` is running in this folder: wait until it has ended.')
}

/** Removes the lock file of a process that has ended. @returns false when another process holds the lock now */
async function removeStaleLock(holder: string, lockFile: string): Promise<boolean> {
  const moved = `${lockFile}-${process.pid}`
  try {
    await rename(lockFile, moved)
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return true
    throw error
  }
  if ((await readFile(moved, 'utf8')) === holder) {
    await rm(moved)
    return true
  }
  await rename(moved, lockFile)
  return false
}

/** Restores modules that a killed command has moved away without replacing them, and removes staging folders. */
async function cleanUpStaging(modules: string): Promise<void> {
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
