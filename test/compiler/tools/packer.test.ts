/** Tests that packed values come back as they were, also in another process. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Packer, type PackerTables, Unpacker } from '../../../compiler/tools/cache/packer.ts'
import { Random } from '../../support/fuzz/random.ts'

/** Returns the tables as another process reads them. */
const asStored = (packer: Packer): PackerTables => JSON.parse(JSON.stringify(packer.tables)) as PackerTables

function roundTrip(value: unknown): unknown {
  const packer = new Packer()
  const bytes = packer.pack(value)
  return new Unpacker(asStored(packer)).unpack(bytes)
}

const SCALARS: readonly unknown[] = [
  ...[null, undefined, true, false, 0, -0, 1, -1, 127, 128, 2 ** 28 - 1, 2 ** 28, 2 ** 53, -(2 ** 53), 0.1, 1e300],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0n, 10n ** 40n, -5n],
  ...['', 'name', '\ud83d\ude00', '\ud83d', 'é'.repeat(64), 'é'.repeat(65), '\u2028', 'x'.repeat(200_000)],
  ...['\ude00 half a pair in a text that is too long to be shared with others '.repeat(2), '\0\r\n"\\'],
]
const KEYS = ['kind', 'name', '__proto__', 'constructor', '7', '', 'a b', 'length']

function randomValue(random: Random, depth: number): unknown {
  const scalar = () => SCALARS[random.below(SCALARS.length)]
  const parts = () => Array.from({ length: random.below(5) }, () => randomValue(random, depth - 1))
  switch (depth === 0 ? 0 : random.below(5)) {
    case 1:
      return parts()
    case 2:
      return new Map(parts().map((value) => [scalar(), value]))
    case 3:
      return new Set(parts().map(scalar))
    case 4:
      return Object.fromEntries(parts().map((value) => [random.pick(KEYS), value]))
    default:
      return scalar()
  }
}

describe('packed values', () => {
  it('come back as they were', () => {
    for (const value of SCALARS) {
      expect(Object.is(roundTrip(value), value), String(value).slice(0, 80)).toBe(true)
      expect(roundTrip([value, { value }])).toEqual([value, { value }])
    }
  })

  it('come back in any order, however they are nested', () => {
    const random = new Random(5)
    const packer = new Packer()
    const values = Array.from({ length: 500 }, () => randomValue(random, 5))
    const packed = values.map((value) => packer.pack(value))
    const other = new Unpacker(asStored(packer))
    for (let at = values.length - 1; at >= 0; at--)
      expect(isDeepStrictEqual(other.unpack(packed[at]!), values[at]), `value ${at}`).toBe(true)
  })

  it('have own keys, whatever their names are', () => {
    const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}')
    const back = roundTrip(value) as object
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect(Object.keys(back)).toEqual(['__proto__', 'constructor'])
    expect('polluted' in back).toBe(false)
  })

  it('can be read after others were packed with the same tables', () => {
    const packer = new Packer()
    const first = packer.pack([{ a: 'one' }])
    const more = new Packer(asStored(packer))
    const second = more.pack([{ a: 'two', b: 'one' }])
    const both = new Unpacker(asStored(more))
    expect([both.unpack(first), both.unpack(second)]).toEqual([[{ a: 'one' }], [{ a: 'two', b: 'one' }]])
  })

  it('share short texts and keys', () => {
    const packer = new Packer()
    const values = Array.from({ length: 1_000 }, (_, at) => ({ kind: 'text', name: `name ${at % 10}`, start: at }))
    expect(packer.pack(values).length).toBeLessThan(8_000)
    expect(packer.tables).toEqual({
      texts: ['text', ...Array.from({ length: 10 }, (_, at) => `name ${at}`)],
      shapes: [['kind', 'name', 'start']],
    })
  })

  it('are refused when they are not plain data', () => {
    const packer = new Packer()
    expect(() => packer.pack({ run: () => 1 })).toThrow(TypeError)
    expect(() => packer.pack([Symbol('x')])).toThrow(TypeError)
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    expect(() => packer.pack(cyclic)).toThrow(RangeError)
    // It still works.
    const bytes = packer.pack([1])
    expect(new Unpacker(packer.tables).unpack(bytes)).toEqual([1])
  })
})
