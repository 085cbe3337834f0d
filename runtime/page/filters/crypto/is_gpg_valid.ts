/** `is_gpg_valid`: whether a text is a public GPG key. */
import { loadPackage } from '../../optional-package.ts'
import { str } from '../../values/text.ts'
import type { Textual } from '../types.ts'

export const dialect = 'platform'

/** Maximum length of a key in characters. A key with thousands of signatures is still shorter. */
const MAX_KEY = 1_000_000

/** Whether the text is an armored OpenPGP public key. Private keys are not valid. */
export async function is_gpg_valid(key: Textual): Promise<boolean> {
  const text = str(key)
  if (text.length > MAX_KEY || !text.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----')) return false
  // Loaded on first use: a large package that few sites need.
  const { readKey } = await loadPackage('openpgp', 'The filter `is_gpg_valid`', () => import('openpgp'))
  try {
    const parsedKey = await readKey({ armoredKey: text })
    return !parsedKey.isPrivate() && parsedKey.getUserIDs().length > 0
  } catch {
    return false
  }
}
