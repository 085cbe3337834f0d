/**
 * Time-based one-time passwords (RFC 6238) with the parameters that authenticator apps support: SHA-1, six digits,
 * thirty seconds.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { renderSVG } from 'uqr'
import { replaceLoneSurrogates } from '../../../../runtime/page/values/well-formed.ts'

const STEP = 30
const DIGITS = 6
/** Largest accepted clock drift in seconds; more would keep old codes valid for long. */
const MAX_DRIFT = 600
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a random secret of 160 bits in base32. */
export function newSecret(): string {
  return base32(randomBytes(20))
}

/** Encodes bytes in base32 (RFC 4648) without padding. @internal Exported for tests. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let buffer = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(buffer >>> (bits - 5)) & 31]
    buffer &= 255
  }
  return bits === 0 ? text : text + ALPHABET[(buffer << (5 - bits)) & 31]
}

function decodeBase32(secret: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let buffer = 0
  for (const letter of secret) {
    buffer = ((buffer << 5) | ALPHABET.indexOf(letter)) & 4095
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >>> bits) & 255)
    }
  }
  return Buffer.from(bytes)
}

function computeCode(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export interface CodeTime {
  /** In milliseconds. */
  readonly now: number
  /** In seconds; null allows one time step. */
  readonly drift: number | null
  /** Whether the code of a step may still be used; null allows every step. */
  readonly isUsable?: ((step: number) => boolean) | null
}

/**
 * Returns the code that is valid at a time.
 * @param now milliseconds
 */
export function codeAt(secret: string, now: number): string {
  return computeCode(decodeBase32(secret), Math.floor(now / 1000 / STEP))
}

/**
 * Finds the time step of a code: the current step or one within the drift. Of several matches, returns the earliest.
 * @returns null when the code matches no such step
 */
export function findCodeStep(
  secret: string,
  code: string,
  { now, drift, isUsable: counts = null }: CodeTime,
): number | null {
  const text = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(text)) return null
  const maxDrift = Math.min(MAX_DRIFT, Math.max(0, drift ?? STEP))
  const stepAt = (seconds: number): number => Math.max(0, Math.floor(seconds / STEP))
  const first = stepAt(now / 1000 - maxDrift)
  const last = stepAt(now / 1000 + maxDrift)
  const key = decodeBase32(secret)
  const codeBytes = Buffer.from(text)
  let matching: number | null = null
  // All steps are compared, so that the time does not reveal which one matched.
  for (let step = last; step >= first; step--) {
    const matches = timingSafeEqual(codeBytes, Buffer.from(computeCode(key, step)))
    if (matches && (counts === null || counts(step))) matching = step
  }
  return matching
}

/**
 * Returns the QR code of a secret as SVG.
 * @param issuer the site that the account belongs to
 * @param label name of the account in the app
 */
export function qrCode(secret: string, issuer: string, label: string): string {
  // A QR code holds 2,331 bytes, and one character can take nine bytes in a URL. Cutting may leave a lone surrogate,
  // which a URL cannot contain.
  const [by, name] = [issuer.slice(0, 60), label.slice(0, 100)].map((text) =>
    encodeURIComponent(replaceLoneSurrogates(text)),
  )
  const uri = `otpauth://totp/${by}:${name}?secret=${secret}&issuer=${by}&algorithm=SHA1&digits=${DIGITS}&period=${STEP}`
  return renderSVG(uri, { ecc: 'M', border: 2 })
}
