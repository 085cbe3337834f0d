/** Signs URLs of private files and upload policies. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /**
   * Signs a text.
   * @param use the purpose; a signature is only valid for this purpose
   */
  sign(use: 'see' | 'send', text: string): string
  /** Compares in constant time. */
  verify(use: 'see' | 'send', text: string, signature: string): boolean
}

/**
 * Creates the signer.
 * @param secret the installation's secret
 */
export function createSigner(secret: string): Signer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot files', 32))
  const digest = (use: string, text: string): Buffer => createHmac('sha256', key).update(`${use}\n${text}`).digest()
  return {
    sign: (use, text) => digest(use, text).toString('base64url'),
    verify(use, text, signature) {
      const actual = Buffer.from(signature, 'base64url')
      const expected = digest(use, text)
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
