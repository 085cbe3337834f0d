/** Signatures of addresses that are given out: to see a private file, and to send one. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /** @param use what the signature is good for, so that none serves for anything else */
  sign(use: 'see' | 'send', text: string): string
  /** In the same time wherever they differ. */
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
