import { describe, expect, it } from 'vitest'
import { ArgumentFault } from '../../../../runtime/page/fault.ts'
import { keys, makeHash } from '../../../../runtime/page/values/access.ts'
import { escapeJson, parseJson, toJson } from '../../../../runtime/page/values/json.ts'
import { Float } from '../../../../runtime/page/values/number.ts'
import { Range } from '../../../../runtime/page/values/range.ts'
import { Safe } from '../../../../runtime/page/values/safe.ts'
import { Moment } from '../../../../runtime/page/values/time.ts'

describe('reading JSON', () => {
  it.each([
    '{"a":[1,null,true,1.5],"k":"é"}',
    '{"b":1,"2":2,"a":3,"1":4}',
    '{"n":1.0,"m":[1.0e+20,-0.0],"big":12345678901234567890}',
    '{"__proto__":{"x":1},"constructor":2}',
    '"say \\"hi\\"\\n"',
    '[]',
    '{}',
    'null',
    'false',
    '-12',
    '[{"a":{}},[]]',
  ])('%s comes back as it was', (text) => {
    expect(toJson(parseJson(text))).toBe(text)
  })

  it('keeps Integer and Float apart', () => {
    expect(parseJson('3.0')).toEqual(new Float(3))
    expect(parseJson('1e2')).toEqual(new Float(100))
    expect(parseJson('9007199254740993')).toBe(9007199254740993n)
    expect(parseJson(' [ 1 , 2.50 ] ')).toEqual([1, 2.5])
  })

  it('keeps the order of keys that look like indexes, however they are spelled', () => {
    expect(keys(parseJson('{"x":1,"10":2,"9":3}') as Record<string, unknown>)).toEqual(['x', '10', '9'])
    expect(keys(parseJson('{"x":1,"\\u0031":2}') as Record<string, unknown>)).toEqual(['x', '1'])
    expect(keys(parseJson('{"x":1, "1" : 2, "x":3}') as Record<string, unknown>)).toEqual(['x', '1'])
  })

  it('sets no prototype', () => {
    for (const text of ['{"__proto__":{"polluted":1}}', '{"__proto__":{"polluted":1},"1":1.0}']) {
      const value = parseJson(text) as object
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Object.hasOwn(value, '__proto__')).toBe(true)
    }
  })

  it.each([
    '{ x }',
    '[1,]',
    '{"a":1',
    '"a',
    '01',
    '1.',
    'nul',
    '',
    '[1] 2',
    '{"1":1,}',
    "{'a':1.0}",
    '{"a" 1.0}',
    '[1.0',
  ])('%j is refused', (text) => {
    expect(() => parseJson(text)).toThrow(ArgumentFault)
  })

  it('rejects more than a hundred levels', () => {
    const nested = (depth: number, inner: string): string => '['.repeat(depth) + inner + ']'.repeat(depth)
    for (const inner of ['1', '1.0', '{"a":1}'.repeat(0)]) {
      expect(() => parseJson(nested(100, inner))).not.toThrow()
      expect(() => parseJson(nested(101, inner))).toThrow('Nesting too deep')
      expect(() => parseJson(nested(100_000, inner))).toThrow('Nesting too deep')
    }
  })

  it('agrees with JSON.parse', () => {
    const data = { a: [1, 2.5, 'x', null, { 'b c': [true, false], e: '\u2028"\\' }], n: -1.5e-3 }
    const text = JSON.stringify(data)
    expect(parseJson(text)).toEqual(data)
    expect(parseJson(`[${text},1.0]`)).toEqual([data, new Float(1)])
  })
})

describe('writing JSON', () => {
  it('as Rails does', () => {
    expect(toJson([new Float(3), 1e-5, new Float(1e20), Number.NaN, Number.POSITIVE_INFINITY, 10n ** 20n])).toBe(
      '[3.0,1.0e-05,1.0e+20,null,null,100000000000000000000]',
    )
    expect(toJson([undefined, null, new Safe('<b>'), new Range(1, 3)])).toBe('[null,null,"<b>","1..3"]')
    expect(toJson({ a: undefined, b: { c: undefined } })).toBe('{"a":null,"b":{"c":null}}')
    expect(
      toJson([
        new Moment('time', 1577934245, 0, 0, 'UTC'),
        new Moment('time', 1577934245, 5e8, 3600, 'CET'),
        new Moment('date', 1577923200, 0, 0, 'UTC'),
      ]),
    ).toBe('["2020-01-02T03:04:05.000Z","2020-01-02T04:04:05.500+01:00","2020-01-02"]')
  })

  it('in the order of the keys', () => {
    const hash = makeHash([
      ['z', 1],
      ['1', 2],
      ['__proto__', 3],
    ])
    expect(toJson({ list: [hash] })).toBe('{"list":[{"z":1,"1":2,"__proto__":3}]}')
  })

  it('ends for values inside themselves', () => {
    const hash: Record<string, unknown> = {}
    hash.self = hash
    expect(() => toJson(hash)).toThrow('Nesting too deep')
    let deep: unknown = 1
    for (let level = 0; level < 100; level++) deep = [deep]
    expect(toJson(deep)).toBe('['.repeat(100) + 1 + ']'.repeat(100))
    expect(() => toJson([deep])).toThrow('Nesting too deep')
  })

  it('escapes characters that are special in HTML', () => {
    expect(escapeJson('"<>&\u2028\u2029\'"')).toBe('"\\u003c\\u003e\\u0026\\u2028\\u2029\'"')
  })
})
