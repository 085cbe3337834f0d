/**
 * The key with which the processes of a user sign what they cache in the folder of a site. A site from another person may contain a cache.
 * Without a signature, that cache could add code to a build or hide mistakes.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeIfPossible } from './cache-folder.ts'
import { userCache } from './user-cache.mjs'

const KEY_LENGTH = 32

/** Returns the key, which is created on first use. Null if the user has no private cache folder, or if it cannot be written. */
export function signingKey(): Buffer | null {
  const folder = userCache()
  if (folder === null) return null
  const file = join(folder, 'key')
  return readKey(file) ?? (createKey(folder, file) ? readKey(file) : null)
}

function readKey(file: string): Buffer | null {
  try {
    const key = readFileSync(file)
    return key.length === KEY_LENGTH ? key : null
  } catch {
    return null
  }
}

/** Creates the key. If another process creates it at the same time, its key stays. Returns whether there is a key. */
function createKey(folder: string, file: string): boolean {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(draft, randomBytes(KEY_LENGTH), { mode: 0o600 })
    linkSync(draft, file)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST'
  } finally {
    removeIfPossible(draft)
  }
}
