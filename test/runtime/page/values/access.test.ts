import { describe, expect, it } from 'vitest'
import {
  at,
  atLiquid,
  pathBelow,
  entries,
  get,
  keys,
  makeHash,
  mergeHashes,
  PROTOTYPE_NAMES,
  push,
  removeKey,
  setKey,
  size,
  step,
  writeKey,
} from '../../../../runtime/page/values/access.ts'
import { Float } from '../../../../runtime/page/values/number.ts'
import { Range } from '../../../../runtime/page/values/range.ts'
import { Json, Safe } from '../../../../runtime/page/values/safe.ts'
import { Moment } from '../../../../runtime/page/values/time.ts'

describe('reading', () => {
  it('knows size, first and last; keys of a hash win', () => {
    expect([get([4, 5], 'size'), get([4, 5], 'first'), get([4, 5], 'last')]).toEqual([2, 4, 5])
    expect([get('héllo', 'size'), get('🎉x', 'first'), get('x🎉', 'last'), get('', 'first')]).toEqual([
      5,
      '🎉',
      '🎉',
      '',
    ])
    expect([get({ a: 1 }, 'size'), get({ a: 1 }, 'first'), get({ a: 1 }, 'last')]).toEqual([1, ['a', 1], null])
    expect([get({ first: 'F', size: 9 }, 'first'), get({ size: 9 }, 'size')]).toEqual(['F', 9])
    expect([get(new Range(2, 4), 'size'), get(new Range(2, 4), 'first'), get(new Range(3, 1), 'size')]).toEqual([
      3, 2, 0,
    ])
    expect([get(42, 'size'), get(1.5, 'size'), get(null, 'size'), get(true, 'size'), get([], 'last')]).toEqual([
      8,
      null,
      null,
      null,
      null,
    ])
    expect(size(2n ** 64n)).toBe(16)
    expect(get(new Safe('abc'), 'size')).toBe(3)
  })

  it('reaches no member of a prototype or of our own classes', () => {
    const names = [...PROTOTYPE_NAMES, 'name', '$value', '$text', '$raw', '$first', '$kind', '$seconds'].filter(
      (name) => !['size', 'first', 'last'].includes(name),
    )
    const values = [{}, [1], 'text', 1, 1.5, true, 1n, new Float(1), new Safe('a'), new Json('1'), new Range(1, 2)]
    for (const v of [...values, new Moment('time', 0, 0, 0, 'UTC'), null, undefined]) {
      for (const name of names) {
        expect(get(v, name)).toBeNull()
        expect(at(v, name)).toBeNull()
      }
    }
    expect(get([1], 'length')).toBeNull()
  })

  it('lists every name that some value answers by itself', () => {
    for (const v of [{}, [], '', 1, true, 1n]) {
      for (let proto: object | null = Object(v); proto !== null; proto = Object.getPrototypeOf(proto)) {
        for (const name of Object.getOwnPropertyNames(proto)) expect(PROTOTYPE_NAMES.has(name)).toBe(true)
      }
    }
    for (const v of [new Float(1), new Safe(''), new Json(''), new Range(1, 2), new Moment('time', 0, 0, 0, '')]) {
      for (const name of Object.getOwnPropertyNames(v)) expect(name.startsWith('$')).toBe(true)
    }
    expect(PROTOTYPE_NAMES.has('name')).toBe(false)
  })

  it('accepts integers for arrays and text for hashes', () => {
    const list = ['a', 'b', 'c']
    expect([at(list, 0), at(list, -1), at(list, 3), at(list, -4), at(list, '0'), at(list, new Float(1))]).toEqual([
      'a',
      'c',
      null,
      null,
      null,
      null,
    ])
    expect([at({ 0: 'x', k: 1 }, 0), at({ k: 1 }, 'k'), at({ k: 1 }, new Safe('k')), at({ k: 1 }, null)]).toEqual([
      'x',
      1,
      1,
      null,
    ])
    expect([at('abc', 0), at(new Range(1, 3), 0), at(5, 0), at({ size: 1 }, 'first')]).toEqual([null, null, null, null])
    expect([atLiquid({ 0: 'x' }, 0), atLiquid({ 0: 'x' }, '0'), atLiquid(list, -2)]).toEqual([null, 'x', 'b'])
  })
})

describe('keys of a hash', () => {
  it('keep the order in which they came, also when they look like indexes', () => {
    const hash = makeHash([
      ['b', 1],
      ['2', 2],
      ['a', 3],
      ['1', 4],
    ])
    expect(keys(hash)).toEqual(['b', '2', 'a', '1'])
    setKey(hash, 'b', 9)
    setKey(hash, '0', 5)
    expect(removeKey(hash, '2')).toBe(2)
    expect(entries(hash)).toEqual([
      ['b', 9],
      ['a', 3],
      ['1', 4],
      ['0', 5],
    ])
    expect(get(hash, 'size')).toBe(4)
    expect(get(hash, 'first')).toEqual(['b', 9])
    expect(keys(mergeHashes(hash, { 7: 1, z: 2 }))).toEqual(['b', 'a', '1', '0', '7', 'z'])
    expect(keys(mergeHashes({ z: 1 }, { 7: 1 }))).toEqual(['z', '7'])
    expect(keys(mergeHashes({}, hash))).toEqual(['b', 'a', '1', '0'])
    expect(Object.keys(hash)).not.toContain('order')
  })

  it('may be called `__proto__` and `constructor`', () => {
    const hash = makeHash([
      ['__proto__', { polluted: true }],
      ['constructor', 1],
    ])
    expect(keys(hash)).toEqual(['__proto__', 'constructor'])
    expect(at(hash, '__proto__')).toEqual({ polluted: true })
    expect(Object.getPrototypeOf(hash)).toBe(Object.prototype)
    const merged = mergeHashes({ a: 1 }, hash)
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(keys(merged)).toEqual(['a', '__proto__', 'constructor'])
    expect(Object.getPrototypeOf(mergeHashes(hash, { b: 1 }))).toBe(Object.prototype)
    expect(removeKey(merged, '__proto__')).toEqual({ polluted: true })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('writing', () => {
  it('sets keys and indexes, gaps become nil', () => {
    const hash: Record<string, unknown> = {}
    writeKey(hash, 'k', 1, 'x')
    writeKey(hash, 0, 2, 'x')
    expect(entries(hash)).toEqual([
      ['k', 1],
      ['0', 2],
    ])
    const list: unknown[] = [1]
    writeKey(list, 3, 4, 'x')
    writeKey(list, -1, 5, 'x')
    push(list, 6, 'x')
    expect(list).toEqual([1, null, null, 5, 6])
  })

  it('reports why the container is invalid', () => {
    expect(() => writeKey(5, 'k', 1, 'x')).toThrow('x is 5, expected Hash or Array')
    expect(() => writeKey(null, 0, 1, 'x')).toThrow('x is null, expected Hash or Array')
    expect(() => writeKey([], 'k', 1, 'x')).toThrow('x is an Array, expected index, key was provided')
    expect(() => writeKey([1], -2, 1, 'x')).toThrow('index -2 too small for array; minimum: -1')
    expect(() => writeKey([], 1_000_001, 1, 'x')).toThrow('too large')
    expect(() => push({}, 1, 'x')).toThrow('x is {}, expected Array')
    expect(() => push(5, 1, 'x')).toThrow('x is 5, expected Array')
    expect(() => push('a'.repeat(500), 1, 'x')).toThrow(/^x is a{100}…, expected Array$/)
  })

  it('names the value on the way', () => {
    const x = [['a'], { k: null }]
    expect(() => writeKey(step(step(x, 0, 'x'), 0, pathBelow('x', 0)), 'b', 1, 'x[0][0]')).toThrow(
      'x[0][0] is a, expected Hash or Array',
    )
    expect(() => push(step(step(x, 1, 'x'), 'k', 'x[1]'), 1, pathBelow('x[1]', 'k'))).toThrow(
      'x[1][k] is null, expected Array',
    )
    expect(() => step('a', 'b', 'x[0]')).toThrow('x[0] is a, expected Hash or Array')
    expect(() => step([], 'b', 'x')).toThrow('x is an Array, expected index, key was provided')
  })
})
