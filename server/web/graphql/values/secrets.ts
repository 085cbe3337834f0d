/**
 * Encrypts the site's constants with AES-256-GCM. The key comes from the environment, or from a file that only the
 * server's user can read.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodeOf } from '../../../core/error-code.ts'
import { StartError } from '../../../core/start-error.ts'

export interface Seal {
  /**
   * Encrypts a text.
   * @returns one line of text
   */
  seal(plainText: string): string
  /**
   * Decrypts a text.
   * @throws Error when the text was encrypted with another key or is damaged
   */
  open(sealed: string): string
}

const VERSION = 'v1.'
const IV = 12
const TAG = 16
const FILE = 'secret'

/**
 * Reads the installation's secret.
 * @param environmentSecret the value of `INGOT_SECRET`. When null, the secret is created once in the data folder and then
 * read from there
 * @param folder the data folder
 * @throws StartError when the file can neither be read nor written
 */
export function readSecret(environmentSecret: string | null, folder: string): string {
  if (environmentSecret !== null) return environmentSecret
  const path = join(folder, FILE)
  try {
    return readSecretFile(path) ?? createSecretFile(path, folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The secret file '${path}' cannot be used (${reason}). Set the secret in INGOT_SECRET, or a writable folder in INGOT_DATA.`,
    )
  }
}

function readSecretFile(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text.length < 32) throw new Error('it is too short')
    return text
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw error
  }
}

// Creates the file with a random secret. When several processes start at once, one of them creates the link, and all
// read the linked file.
function createSecretFile(path: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const secret = readSecretFile(path)
  if (secret === null) throw new Error('the file was removed')
  return secret
}

/**
 * Creates the encryption functions.
 * @param secret any text; longer is safer
 */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot constants', 32))
  return {
    seal(plainText) {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const body = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      if (!sealed.startsWith(VERSION) || bytes.length < IV + TAG) throw new Error('it is damaged')
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV))
      cipher.setAuthTag(bytes.subarray(IV, IV + TAG))
      return Buffer.concat([cipher.update(bytes.subarray(IV + TAG)), cipher.final()]).toString('utf8')
    },
  }
}
