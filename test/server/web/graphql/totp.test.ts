/** One-time passwords, compared with the examples of the standards. */
import { describe, expect, it } from 'vitest'
import { base32, codeAt, newSecret, qrCode, findCodeStep } from '../../../../server/web/graphql/accounts/totp.ts'

const isCodeAt = (secret: string, code: string, now: number, drift: number | null): boolean =>
  findCodeStep(secret, code, { now, drift }) !== null

/** The secret of RFC 6238, appendix B. The tests use the last six of its eight digits. */
const SECRET = base32(Buffer.from('12345678901234567890'))
const EXAMPLES: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

describe('a one-time password', () => {
  it.each(EXAMPLES)('of second %i is the one of RFC 6238', (seconds, code) => {
    expect(codeAt(SECRET, seconds * 1000)).toBe(code)
    expect(isCodeAt(SECRET, code, seconds * 1000, 0)).toBe(true)
    expect(isCodeAt(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, seconds * 1000, null)).toBe(true)
  })

  it('holds for its step, and as long as the drift allows', () => {
    const at = 1_111_111_110_000
    const code = codeAt(SECRET, at)
    expect([-1, 0, 29_999, 30_000].map((later) => isCodeAt(SECRET, code, at + later, 0))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([-30_000, 59_999, 60_000].map((later) => isCodeAt(SECRET, code, at + later, null))).toEqual([
      true,
      true,
      false,
    ])
    expect([600_000, 630_000, 9e9].map((later) => isCodeAt(SECRET, code, at + later, 1e12))).toEqual([
      true,
      false,
      false,
    ])
    expect(isCodeAt(SECRET, code, at, -5)).toBe(true)
  })

  it('has a step, the earliest that may be used', () => {
    const at = 1_111_111_110_000
    const step = at / 30_000
    const code = codeAt(SECRET, at)
    expect(findCodeStep(SECRET, code, { now: at + 30_000, drift: null })).toBe(step)
    const asked: number[] = []
    const counts = (one: number): boolean => asked.push(one) < 0
    expect(findCodeStep(SECRET, code, { now: at, drift: 300, isUsable: counts })).toBe(null)
    expect(asked).toEqual([step])
  })

  it('is nothing but six digits', () => {
    const code = codeAt(SECRET, 59_000)
    for (const text of ['', '0', `${code}0`, code.slice(1), `+${code.slice(1)}`, '²²²²²²', 'abcdef', `${code}\n1`])
      expect(isCodeAt(SECRET, text, 59_000, null), text).toBe(false)
  })

  it('keeps its leading zeros', () => {
    const codes = Array.from({ length: 200 }, (_, step) => codeAt(SECRET, step * 30_000))
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true)
    expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  })
})

describe('a secret', () => {
  it('is written as RFC 4648 has it', () => {
    const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))
    expect(texts).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
  })

  it('is another one each time, of 160 bits', () => {
    const secrets = new Set(Array.from({ length: 100 }, newSecret))
    expect(secrets.size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('is shown as a QR code, whatever the names', () => {
    for (const [issuer, label] of [
      ['Shop', 'ann@example.com'],
      ['', ''],
      ['<script>"&', "'/?#\ud83d"],
      ['\u{1f600}'.repeat(500), 'x'.repeat(100_000)],
    ] as const) {
      const svg = qrCode(SECRET, issuer, label)
      expect(svg).toMatch(/^<svg [^>]+>/)
      expect(svg).not.toContain('script')
    }
    expect(qrCode(SECRET, 'Shop', 'a@b')).not.toBe(qrCode(SECRET, 'Shop', 'b@b'))
  })
})
