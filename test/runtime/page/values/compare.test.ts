import { describe, expect, it } from 'vitest'
import {
  compareItems,
  compareText,
  contains,
  eq,
  eqBlank,
  eqEmpty,
  eqText,
  ge,
  gt,
  le,
  lt,
} from '../../../../runtime/page/values/compare.ts'
import { Float } from '../../../../runtime/page/values/number.ts'
import { Range } from '../../../../runtime/page/values/range.ts'
import { Safe } from '../../../../runtime/page/values/safe.ts'
import { truthy } from '../../../../runtime/page/values/truth.ts'

describe('truth', () => {
  it('only nil and false are false', () => {
    for (const v of [0, '', [], {}, new Float(0), Number.NaN, true]) expect(truthy(v)).toBe(true)
    for (const v of [null, undefined, false]) expect(truthy(v)).toBe(false)
  })

  it('empty is size 0', () => {
    for (const v of ['', [], {}, new Safe('')]) expect(eqEmpty(v)).toBe(true)
    for (const v of [null, false, 0, '  ', [1], { a: 1 }, new Range(3, 1)]) expect(eqEmpty(v)).toBe(false)
  })

  it('blank is empty, nil, false and white space', () => {
    for (const v of ['', ' \n\t', [], {}, null, undefined, false, new Safe(' ')]) expect(eqBlank(v)).toBe(true)
    for (const v of [0, true, 'x', ' x', [null], new Float(0)]) expect(eqBlank(v)).toBe(false)
  })
})

describe('equality', () => {
  it('never converts', () => {
    expect(eq(1, '1')).toBe(false)
    expect(eq(1, new Float(1))).toBe(true)
    expect(eq(10n ** 20n, new Float(1e20))).toBe(true)
    expect(eq(1.5, 1.5)).toBe(true)
    expect(eq('true', true)).toBe(false)
    expect(eq(null, undefined)).toBe(true)
    expect(eq(null, false)).toBe(false)
    expect(eq(Number.NaN, Number.NaN)).toBe(false)
    expect(eq(new Safe('a'), 'a')).toBe(true)
    expect(eq('a', new Safe('a'))).toBe(true)
    expect(eq(new Range(1, 3), new Range(1, 3))).toBe(true)
    expect(eq(new Range(1, 3), [1, 2, 3])).toBe(false)
  })

  it('of a text and any value is the same when it is asked for by that name', () => {
    const values = ['a', 'b', '', 1, 0n, true, false, null, undefined, [], ['a'], {}, { a: 1 }, new Float(1)]
    for (const v of [...values, new Safe('a'), new Safe('b'), new Range(1, 2)])
      for (const text of ['a', '', '1']) expect(eqText(v, text)).toBe(eq(v, text))
  })

  it('is deep, whatever the order of keys', () => {
    expect(eq([1, [2]], [1, [new Float(2)]])).toBe(true)
    expect(eq({ a: 1, b: [null] }, { b: [undefined], a: 1 })).toBe(true)
    expect(eq({ a: 1 }, { a: 1, b: null })).toBe(false)
    expect(eq([], {})).toBe(false)
  })

  it('ends for values inside themselves', () => {
    const a: unknown[] = []
    const b: unknown[] = []
    a.push(a, 1)
    b.push(b, 1)
    expect(() => eq(a, b)).toThrow('Nesting too deep')
    let x: unknown = []
    let y: unknown = []
    for (let level = 0; level < 60; level++) {
      x = [x, x]
      y = [y, y]
    }
    expect(() => eq(x, y)).toThrow('more than')
  })
})

describe('order', () => {
  it('numbers with numbers, text with text', () => {
    expect([lt(1, 2), gt(2, 1), le(2, 2), ge(1, 2)]).toEqual([true, true, true, false])
    expect([lt('10', '9'), lt('Z', 'a'), gt('ż', 'z')]).toEqual([true, true, true])
    expect([lt(1, 1.5), gt(10n ** 20n, 5), lt(new Float(1), new Float(2))]).toEqual([true, true, true])
    expect(lt(Number.NaN, 1)).toBe(false)
    expect(compareText('\uffff', '🎉')).toBeLessThan(0)
  })

  it('nil, booleans, arrays and hashes have none', () => {
    for (const [a, b] of [
      [null, 1],
      [1, null],
      [null, null],
      [true, false],
      [[1], [2]],
      [1, [1]],
      [{}, {}],
    ]) {
      expect([lt(a, b), gt(a, b), le(a, b), ge(a, b)]).toEqual([false, false, false, false])
    }
  })

  it('a number with text is an error', () => {
    expect(() => lt('5', 9)).toThrow('comparison of String with 9 failed')
    expect(() => gt('5', new Float(1))).toThrow('comparison of String with 1.0 failed')
    expect(() => lt('5', 10n ** 30n)).toThrow('comparison of String with Integer failed')
    expect(() => lt(1, '5')).toThrow('comparison of Integer with String failed')
    expect(() => ge(1.5, '5')).toThrow('comparison of Float with String failed')
  })
})

describe('contains', () => {
  it('text, elements, keys and ranges', () => {
    expect([contains('abc12', 12), contains('abc', null), contains('abc', ''), contains('abc', false)]).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect([contains([1, '2', null, false], 1), contains([1, '2'], 2), contains([null], null)]).toEqual([
      true,
      false,
      false,
    ])
    expect([contains({ x: false }, 'x'), contains({}, 'constructor'), contains({}, '__proto__')]).toEqual([
      true,
      false,
      false,
    ])
    expect([
      contains(new Range(1, 3), 2),
      contains(new Range(1, 3), '2'),
      contains(null, 'a'),
      contains(12, 1),
    ]).toEqual([true, false, false, false])
  })

  it('a text equals safe text in a list, and safe text a text', () => {
    const list = ['a', 1, null, new Safe('b'), ['c']]
    expect(['a', 'b', 'c', '1', ''].map((text) => contains(list, text))).toEqual([true, true, false, false, false])
    expect(['a', 'b', 'c'].map((text) => contains(list, new Safe(text)))).toEqual([true, true, false])
    expect([contains(list, new Float(1)), contains(list, ['c']), contains(new Safe('abc'), 'bc')]).toEqual([
      true,
      true,
      true,
    ])
  })
})

describe('sorting', () => {
  it('sorts nil last and rejects mixed types', () => {
    expect([3, null, 1].sort(compareItems)).toEqual([1, 3, null])
    expect([10, 9, 2.5].sort(compareItems)).toEqual([2.5, 9, 10])
    expect(() => [1, 'a'].sort(compareItems)).toThrow('cannot sort values of incompatible types')
    expect(() => [true, false].sort(compareItems)).toThrow('cannot sort values of incompatible types')
    expect([true, true].sort(compareItems)).toEqual([true, true])
  })
})
