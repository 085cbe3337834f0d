/** Encrypts files for the owner of an OpenPGP key. */
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { loadPackage } from '../../../runtime/page/optional-package.ts'
import { FileRefused, type Recipient } from './model.ts'

/** Maximum length of a key in characters. Even a key with thousands of signatures is shorter. */
const MAX_KEY = 1_000_000

/** Returns the name of an encrypted file, which ends in `.asc` or `.gpg`. */
export function encryptedName(name: string, { armor }: Recipient): string {
  return `${name}.${armor ? 'asc' : 'gpg'}`
}

/**
 * Streams an encrypted copy of a file.
 * @param targetPath path of the copy, which must not exist yet
 * @throws FileRefused for a key that cannot encrypt
 */
export async function encryptFile(sourcePath: string, targetPath: string, { key, armor }: Recipient): Promise<void> {
  if (key.length > MAX_KEY) throw new FileRefused('file_encryption', 'cannot be encrypted: the key is too long')
  // Loaded on first use, because this large package is rarely needed.
  const { createMessage, encrypt, readKey } = await loadPackage('openpgp', 'Encrypting a file', () => import('openpgp'))
  const source = createReadStream(sourcePath)
  try {
    const encryptionKeys = await readKey({ armoredKey: key })
    if (encryptionKeys.isPrivate()) throw new Error('it is a private key')
    // Throws when the key has expired, was revoked, or can only sign.
    await encryptionKeys.getEncryptionKey()
    const message = await createMessage({
      binary: Readable.toWeb(source) as ReadableStream<Uint8Array>,
      format: 'binary',
    })
    const encrypted: ReadableStream<string | Uint8Array> = armor
      ? await encrypt({ message, encryptionKeys, format: 'armored' })
      : await encrypt({ message, encryptionKeys, format: 'binary' })
    await pipeline(Readable.fromWeb(encrypted), createWriteStream(targetPath, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new FileRefused('file_encryption', `cannot be encrypted: ${reason}`)
  } finally {
    source.destroy()
  }
}
