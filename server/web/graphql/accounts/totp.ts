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

/** A random secret of 160 bits in base32. */
export function newSecret(): string {
  return base32(randomBytes(20))
}

/** RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >>> (bits - 5)) & 31]
    held &= 255
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31]
}

function bytesOf(secret: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of secret) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 4095
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >>> bits) & 255)
    }
  }
  return Buffer.from(bytes)
}

function codeOfStep(key: Buffer, step: number): string {
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
  readonly counts?: ((step: number) => boolean) | null
}

/**
 * The code at a time.
 * @param now milliseconds
 */
export function codeAt(secret: string, now: number): string {
  return codeOfStep(bytesOf(secret), Math.floor(now / 1000 / STEP))
}

/**
 * The time step of a code: the current one or one within the drift; the earliest of several.
 * @returns null when the code matches no such step
 */
export function stepOfCode(secret: string, code: string, { now, drift, counts = null }: CodeTime): number | null {
  const text = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(text)) return null
  const far = Math.min(MAX_DRIFT, Math.max(0, drift ?? STEP))
  const [first, last] = [now / 1000 - far, now / 1000 + far].map((at) => Math.max(0, Math.floor(at / STEP))) as [
    number,
    number,
  ]
  const key = bytesOf(secret)
  const given = Buffer.from(text)
  let matching: number | null = null
  // All steps are compared, so that the time does not reveal which one matched.
  for (let step = last; step >= first; step--) {
    const right = timingSafeEqual(given, Buffer.from(codeOfStep(key, step)))
    if (right && (counts === null || counts(step))) matching = step
  }
  return matching
}

/**
 * SVG of a secret's QR code.
 * @param label name of the account in the app
 * @param issuer whose account it is
 */
export function qrCode(secret: string, issuer: string, label: string): string {
  // A QR code holds 2,331 bytes, and a character may take nine of a URL. Cutting may leave a lone surrogate, which a
  // URL cannot contain.
  const [by, name] = [issuer.slice(0, 60), label.slice(0, 100)].map((text) =>
    encodeURIComponent(replaceLoneSurrogates(text)),
  )
  const uri = `otpauth://totp/${by}:${name}?secret=${secret}&issuer=${by}&algorithm=SHA1&digits=${DIGITS}&period=${STEP}`
  return renderSVG(uri, { ecc: 'M', border: 2 })
}
