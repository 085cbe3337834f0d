/** Signs URLs and policies: to see a private file, and to upload one. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /** @param use the purpose; a signature is valid for no other one */
  sign(use: 'see' | 'send', text: string): string
  /** Compares in constant time. */
  verify(use: 'see' | 'send', text: string, signature: string): boolean
}

/** @param secret of the installation */
export function createSigner(secret: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot files', 32))
  const digest = (use: string, text: string): Buffer => createHmac('sha256', key).update(`${use}\n${text}`).digest()
  return {
    sign: (use, text) => digest(use, text).toString('base64url'),
    verify(use, text, signature) {
      const given = Buffer.from(signature, 'base64url')
      const wanted = digest(use, text)
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    },
  }
}
