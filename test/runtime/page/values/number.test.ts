import { describe, expect, it } from 'vitest'
import {
  abs,
  add,
  ceil,
  divide,
  Float,
  float,
  floor,
  modulo,
  multiply,
  type Numeral,
  negate,
  toNumeral,
  numberText,
  round,
  subtract,
  toInteger,
} from '../../../../runtime/page/values/number.ts'
import { Safe } from '../../../../runtime/page/values/safe.ts'

const text = (n: Numeral): string => numberText(n)

describe('numbers as text', () => {
  it.each([
    [3, '3'],
    [-0, '0'],
    [1.5, '1.5'],
    [new Float(3), '3.0'],
    [new Float(-0), '-0.0'],
    [1e-4, '0.0001'],
    [1e-5, '1.0e-05'],
    [1.25e-7, '1.25e-07'],
    [new Float(1e14), '100000000000000.0'],
    [new Float(1e15), '1.0e+15'],
    [new Float(1.5e300), '1.5e+300'],
    [12345678901234567890n, '12345678901234567890'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NaN, 'NaN'],
  ])('%s is %s', (n, shown) => {
    expect(text(n)).toBe(shown)
  })
})

describe('text to number', () => {
  it.each([
    ['3.7', '3.7'],
    [' 5.5 ', '5.5'],
    ['5.5kg', '5'],
    ['+5.5', '5'],
    ['1_000', '1000'],
    ['1__0', '1'],
    ['.5', '0'],
    ['-12x', '-12'],
    ['abc', '0'],
    ['', '0'],
    ['2.0', '2.0'],
    ['123456789012345678901', '123456789012345678901'],
  ])('%j counts as %s', (from, shown) => {
    expect(text(toNumeral(from))).toBe(shown)
    expect(text(toNumeral(new Safe(from)))).toBe(shown)
  })

  it('everything else counts as 0', () => {
    for (const v of [null, undefined, true, false, [], {}, [1]]) expect(toNumeral(v)).toBe(0)
  })
})

describe('arithmetic', () => {
  it('is decimal', () => {
    expect(text(add(0.1, 0.2))).toBe('0.3')
    expect(text(multiply(3.99, 100))).toBe('399.0')
    expect(text(subtract(1.2, 1.1))).toBe('0.1')
    expect(text(subtract(183.357, 12))).toBe('171.357')
    expect(text(multiply(183.357, 12))).toBe('2200.284')
    expect(text(modulo(183.357, 12))).toBe('3.357')
    expect(text(modulo(10.1, new Float(7)))).toBe('3.1')
    expect(text(multiply(1e-200, 1e-200))).toBe('0.0')
    expect(text(add(1e-20, new Float(1)))).toBe('1.0')
  })

  it('keeps integers whole, of any size', () => {
    expect(add(4, '2')).toBe(6)
    expect(text(add(9007199254740991, 1))).toBe('9007199254740992')
    expect(text(subtract(-9007199254740991, 1))).toBe('-9007199254740992')
    expect(text(multiply(99999999999, 99999999999))).toBe('9999999999800000000001')
    expect(subtract(add(9007199254740991, 5), 5)).toBe(9007199254740991)
    expect(Object.is(multiply(0, -5), 0)).toBe(true)
    expect(() => multiply(10n ** 15000n, 10n ** 15000n)).toThrow('an integer grew beyond 20000 digits')
  })

  it('one float makes a float', () => {
    expect(text(multiply(2, 1.5))).toBe('3.0')
    expect(text(add(1, new Float(1)))).toBe('2.0')
    expect(text(divide(7, new Float(2)))).toBe('3.5')
    expect(text(divide(10, new Float(3)))).toBe('3.3333333333333335')
    expect(text(divide(1, new Float(3)))).toBe('0.3333333333333333')
    expect(text(divide(0.3, 0.1))).toBe('3.0')
    expect(text(divide(0, 1.1))).toBe('0.0')
  })

  it('integers divide downwards, the remainder has the sign of the divisor', () => {
    expect(divide(-7, 2)).toBe(-4)
    expect(divide(7, -2)).toBe(-4)
    expect(modulo(-7, 3)).toBe(2)
    expect(modulo(7, -3)).toBe(-2)
    expect(Object.is(modulo(-4, 2), 0)).toBe(true)
    expect(Object.is(divide(0, -5), 0)).toBe(true)
    expect(divide(9007199254740991, 2)).toBe(4503599627370495)
    expect(divide(-(10n ** 20n), 3)).toBe(-33333333333333333334n)
    expect(modulo(-(10n ** 20n), 7)).toBe(5)
  })

  it('agrees with bigint for integers near the limits of doubles', () => {
    for (const a of [9007199254740991, 9007199254740990, 4503599627370497, -9007199254740991, 123456789012345]) {
      for (const b of [1, 2, 3, 7, 10, 999, -3, 4503599627370496]) {
        const exact = BigInt(a) / BigInt(b) - (BigInt(a) % BigInt(b) !== 0n && a < 0 !== b < 0 ? 1n : 0n)
        expect(divide(a, b)).toBe(Number(exact))
      }
    }
  })

  it('zero divides as the reference does', () => {
    expect(() => divide(5, 0)).toThrow('divided by 0')
    expect(() => modulo(5, 0)).toThrow('divided by 0')
    expect(() => modulo(5, new Float(0))).toThrow('divided by 0')
    expect(text(divide(new Float(5), 0))).toBe('Infinity')
    expect(text(divide(-5, new Float(0)))).toBe('-Infinity')
    expect(text(divide(new Float(0), 0))).toBe('NaN')
  })

  it('decimal sums are those of exact decimals', () => {
    for (let n = 0; n < 2000; n++) {
      const a = (n * 7919) % 100003
      const b = (n * 104729) % 99991
      const exact = BigInt(a) * 100n + BigInt(b)
      expect(text(add(float(a / 10), float(b / 1000)))).toBe(text(float(Number(`${exact}e-3`))))
    }
  })
})

describe('rounding', () => {
  it.each([
    [4.5, 0, '5'],
    [-4.5, 0, '-5'],
    [4, 2, '4'],
    [4.5678, 2, '4.57'],
    [1.005, 2, '1.01'],
    [1234.5, -2, '1200'],
    [5.666, -2, '0'],
    [15.2, -1, '20'],
    [12345, -2, '12300'],
    [-55, -1, '-60'],
    [-0.4, 0, '0'],
    [0.1 + 0.2, 2, '0.3'],
    [new Float(3), 1, '3.0'],
    [1e-7, 3, '0.0'],
    [new Float(1e20), 0, '100000000000000000000'],
  ])('%s to %s places is %s', (n, places, shown) => {
    expect(text(round(n, places))).toBe(shown)
  })

  it('up and down return integers', () => {
    expect(ceil(4.4)).toBe(5)
    expect(floor(-4.4)).toBe(-5)
    expect(Object.is(ceil(-0.5), 0)).toBe(true)
    expect(floor(new Float(1e17))).toBe(100000000000000000n)
    expect(() => floor(Number.NaN)).toThrow("Computation results in 'NaN' (Not a Number)")
    expect(() => round(Number.POSITIVE_INFINITY, 0)).toThrow("Computation results in 'Infinity'")
  })

  it('signs', () => {
    expect(text(abs(new Float(-7)))).toBe('7.0')
    expect(text(abs('-7.5'))).toBe('7.5')
    expect(abs(-(10n ** 20n))).toBe(10n ** 20n)
    expect(Object.is(negate(0), 0)).toBe(true)
  })
})

describe('whole arguments', () => {
  it.each([
    [3, 3],
    ['2', 2],
    [' -7 ', -7],
    ['1_000', 1000],
    ['0x1f', 31],
    ['017', 15],
    [new Safe('4'), 4],
    [10n ** 30n, Number.MAX_SAFE_INTEGER],
  ])('%s is the integer %s', (from, n) => {
    expect(toInteger(from)).toBe(n)
  })

  it.each([[2.2], [new Float(2)], ['x'], [''], ['1.0'], ['08'], [null], [true], [[]], [{}]])('%s is none', (from) => {
    expect(() => toInteger(from)).toThrow('invalid integer')
  })
})

describe('an integer argument of a host', () => {
  it('beyond the safe numbers is the integer that JavaScript shows', () => {
    expect(toInteger(2 ** 60)).toBe(Number.MAX_SAFE_INTEGER)
    expect(toInteger(-(2 ** 60))).toBe(Number.MIN_SAFE_INTEGER)
    for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => toInteger(value)).toThrow('invalid integer')
  })
})
