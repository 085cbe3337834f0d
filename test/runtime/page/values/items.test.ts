import { describe, expect, it } from 'vitest'
import { items, iterate } from '../../../../runtime/page/values/items.ts'
import { Range, range, rangeItems } from '../../../../runtime/page/values/range.ts'
import { str } from '../../../../runtime/page/values/text.ts'
import { Float } from '../../../../runtime/page/values/number.ts'

describe('lists', () => {
  it('array filters see elements', () => {
    expect(items(null)).toEqual([])
    expect(items({ a: 1 })).toEqual([{ a: 1 }])
    expect(items('x')).toEqual(['x'])
    expect(items('')).toEqual([''])
    expect(items([[1, [2]], [3]])).toEqual([1, 2, 3])
    expect(items(new Range(1, 3))).toEqual([1, 2, 3])
  })

  it('loops see elements, pairs and integers', () => {
    const list = [1, [2]]
    expect(iterate(list)).toBe(list)
    expect(iterate({ a: 1 })).toEqual([['a', 1]])
    expect(iterate(new Range(-1, 1))).toEqual([-1, 0, 1])
    expect(iterate('abc')).toEqual(['abc'])
    for (const v of ['', null, undefined, 5, true, new Range(3, 1)]) expect(iterate(v)).toEqual([])
  })

  it('end for arrays inside themselves', () => {
    const list: unknown[] = [1]
    list.push(list)
    expect(() => items(list)).toThrow('Nesting too deep')
  })
})

describe('ranges', () => {
  it('take their bounds as the reference does', () => {
    expect(str(range(2, '4'))).toBe('2..4')
    expect(str(range('abc', null))).toBe('0..0')
    expect(str(range(3, 1))).toBe('3..1')
    for (const v of [1.9, new Float(1), true, [], {}]) expect(() => range(v, 3)).toThrow('invalid integer')
  })

  it('are never listed beyond ten million', () => {
    expect(() => rangeItems(new Range(1, 10_000_001))).toThrow('more than 10000000 integers')
    expect(() => rangeItems(range('-99999999999999999999', 5))).toThrow('integers')
    expect(rangeItems(new Range(10n ** 20n, 10n ** 20n + 1n))).toEqual([10n ** 20n, 10n ** 20n + 1n])
  })
})
