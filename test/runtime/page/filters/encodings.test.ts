/** Encodings, compression, and texts that represent invalid bytes. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { LimitFault, LiquidFault } from '../../../../runtime/page/fault.ts'
import { size } from '../../../../runtime/page/values/access.ts'
import { toBytes, Encoded, decodeBytes } from '../../../../runtime/page/values/bytes.ts'
import { contains, eq, gt } from '../../../../runtime/page/values/compare.ts'
import { toJson } from '../../../../runtime/page/values/json.ts'
import { concat, esc, escAttribute, inspect, plain, printed, str } from '../../../../runtime/page/values/text.ts'
import { isBlank, isEmpty } from '../../../../runtime/page/values/truth.ts'
import { evaluate, findFilter } from './evaluator.ts'
import { measureCost } from '../../../support/cost.ts'

const run = (name: string, ...values: readonly unknown[]): unknown => findFilter(name)?.run(...values)
const hex = (v: unknown): string => toBytes(v).toString('hex')
const raw = (text: string): string => decodeBytes(Buffer.from(text, 'hex'))
const print = (template: string, data: Record<string, unknown> = {}): string => evaluate(template, data, printed)

describe('encode', () => {
  it.each([
    ['é', 'ISO-8859-1', 'UTF-8', 'e9'],
    ['€', 'Windows-1252', 'UTF-8', '80'],
    ['€', 'ISO-8859-15', 'UTF-8', 'a4'],
    ['ł', 'ISO-8859-2', 'UTF-8', 'b3'],
    ['ł', 'cp1250', 'utf-8', 'b3'],
    ['日本', 'Shift_JIS', 'UTF-8', '93fa967b'],
    ['日本', 'EUC-JP', 'UTF-8', 'c6fccbdc'],
    ['漢字', 'Big5', 'UTF-8', 'ba7ea672'],
    ['汉字', 'GBK', 'UTF-8', 'babad7d6'],
    ['한', 'EUC-KR', 'UTF-8', 'c7d1'],
    ['я', 'KOI8-R', 'UTF-8', 'd1'],
    ['a🎉', 'UTF-16LE', 'UTF-8', '61003cd889df'],
    ['a🎉', 'UTF-16BE', 'UTF-8', '0061d83cdf89'],
    ['a', 'UTF-16', 'UTF-8', 'feff0061'],
    ['a', 'UTF-32', 'UTF-8', '0000feff00000061'],
    ['a', 'US-ASCII', 'UTF-8', '61'],
  ])('%s into %s', (text, to, from, bytes) => {
    const found = run('encode', text, to, from)
    expect(hex(found)).toBe(bytes)
    expect(str(found)).toBe(text)
    expect(run('encode', found, 'UTF-8', to)).toBe(text)
  })

  it('reads the bytes in the source encoding, whatever they were', () => {
    expect(run('encode', 'é', 'UTF-8', 'ISO-8859-1')).toBe('Ã©')
    expect(run('encode', raw('e9'), 'UTF-8', 'ISO-8859-1')).toBe('é')
  })

  it.each([
    ['€', 'ISO-8859-1', 'UTF-8', 'ISO-8859-1 lacks a character'],
    ['é', 'US-ASCII', 'UTF-8', 'US-ASCII lacks a character'],
    ['é', 'ASCII-8BIT', 'UTF-8', 'ASCII-8BIT lacks a character'],
    ['🎉', 'Shift_JIS', 'UTF-8', 'Shift_JIS lacks a character'],
    [raw('ff'), 'ISO-8859-1', 'UTF-8', 'not valid in UTF-8'],
    [raw('ff'), 'UTF-8', 'US-ASCII', 'not valid in US-ASCII'],
    [raw('ff'), 'UTF-8', 'BINARY', 'not valid in ASCII-8BIT'],
    [raw('81'), 'UTF-8', 'Windows-1252', 'not valid in Windows-1252'],
    [raw('93'), 'UTF-8', 'Shift_JIS', 'not valid in Shift_JIS'],
    [raw('d83c'), 'UTF-8', 'UTF-16BE', 'not valid in UTF-16BE'],
    ['x', 'UTF-9', 'UTF-8', 'unknown encoding name - UTF-9'],
    ['x', 'UTF-8', '', 'unknown encoding name - '],
    ['x', 'UTF-8', '__proto__', 'unknown encoding name - __proto__'],
  ])('refuses %j into %s from %s', (text, to, from, message) => {
    expect(() => run('encode', text, to, from)).toThrow(LiquidFault)
    expect(() => run('encode', text, to, from)).toThrow(message)
  })

  it('keeps the sign of replacement where it is a character', () => {
    expect(run('encode', 'a\ufffd', 'UTF-8', 'UTF-8')).toBe('a\ufffd')
    expect(hex(run('encode', '\ufffd', 'UTF-16BE', 'UTF-8'))).toBe('fffd')
  })
})

describe('labels', () => {
  it('are the result of the filter encoding', () => {
    expect(run('encoding', 'x')).toBe('UTF-8')
    expect(run('encoding', null)).toBe('UTF-8')
    expect(run('encoding', raw('ff'))).toBe('ASCII-8BIT')
    expect(run('encoding', run('force_encoding', 'é', 'latin1'))).toBe('ISO-8859-1')
    expect(run('encoding', run('force_encoding', 'x', 'binary'))).toBe('ASCII-8BIT')
    expect(run('encoding', run('force_encoding', raw('ff'), 'UTF-8'))).toBe('UTF-8')
    expect(run('encoding', run('encode', 'x', 'windows-1250', 'UTF-8'))).toBe('Windows-1250')
    expect(print('{{ "x" | force_encoding: "UTF-16LE" | force_encoding: "UTF-8" | encoding }}')).toBe('UTF-8')
  })

  it('change the meaning of the bytes, but not the bytes', () => {
    const latin = run('force_encoding', 'é', 'ISO-8859-1')
    expect([str(latin), hex(latin)]).toEqual(['Ã©', 'c3a9'])
    expect(run('force_encoding', latin, 'UTF-8')).toBe('é')
    for (const name of ['UTF-8', 'UTF-16LE', 'Shift_JIS', 'ASCII-8BIT', 'ISO-8859-7', 'UTF-7'])
      expect(hex(run('force_encoding', run('force_encoding', raw('00ff80c3'), name), 'BINARY'))).toBe('00ff80c3')
  })

  it('make a text that is text everywhere', () => {
    const text = run('force_encoding', '<é>', 'ISO-8859-1')
    expect(text).toBeInstanceOf(Encoded)
    const shown = '<Ã©>'
    expect([str(text), plain(text), printed(text), concat(text)]).toEqual([shown, shown, shown, shown])
    expect(esc(text)).toBe('&lt;Ã©&gt;')
    expect(escAttribute(text)).toBe('&lt;Ã©&gt;')
    expect(inspect(text)).toBe(`"${shown}"`)
    expect(toJson({ a: text })).toBe(`{"a":"${shown}"}`)
    expect([eq(text, shown), eq(shown, text), eq(text, 'x'), contains(text, 'Ã'), gt(text, 'A')]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
    expect([size(text), isBlank(text), isEmpty(text)]).toEqual([4, false, false])
    expect(isEmpty(run('force_encoding', '', 'ISO-8859-1'))).toBe(true)
    expect(run('type_of', text)).toBe('String')
    expect(run('upcase', text)).toBe(shown.toUpperCase())
    expect(run('base64_encode', text)).toBe(Buffer.from('<é>').toString('base64'))
    expect(run('array_uniq', [text, shown])).toHaveLength(1)
  })
})

describe('scrub', () => {
  it.each([
    ['61ff62', 'ab'],
    ['c3a9c3', 'é'],
    // Half a surrogate pair, an overlong form and code points above Unicode are not UTF-8.
    ['eda0bc61', 'a'],
    ['c0af61e080af61f5808080', 'aa'],
    ['efbfbd61f0', '\ufffda'],
    ['f09f8e89', '🎉'],
  ])('leaves of %s what is UTF-8', (bytes, text) => {
    expect(run('scrub', raw(bytes))).toBe(text)
  })

  it('reads and writes other encodings', () => {
    expect(run('scrub', raw('e98161'), 'Windows-1252')).toBe('éa')
    expect(run('scrub', raw('93fa93'), 'Shift_JIS')).toBe('日')
    const latin = run('scrub', 'a€é🎉', 'UTF-8', 'ISO-8859-1')
    expect([hex(latin), run('encoding', latin)]).toEqual(['61e9', 'ISO-8859-1'])
    expect(run('scrub', null)).toBe('')
    expect(run('scrub', 5)).toBe('5')
    expect(run('scrub', 'x\ud83c')).toBe('x\ufffd')
    expect(() => run('scrub', 'x', 'klingon')).toThrow('scrub filter - unknown encoding name - klingon')
  })

  it('runs in linear time', () => {
    const cost = measureCost()
    run('scrub', '€🎉'.repeat(200_000), 'UTF-8', 'ISO-8859-1')
    run('scrub', raw('ff'.repeat(1_000_000)))
    run('encode', '日'.repeat(300_000), 'Shift_JIS', 'UTF-8')
    expect(cost()).toBeLessThan(3000)
  })
})

describe('gzip', () => {
  it('is that of others, both ways', () => {
    for (const text of ['', 'żółw 🎉', 'x'.repeat(1e6)]) {
      expect(run('gzip_decompress', run('gzip_compress', text))).toBe(text)
      expect(run('gzip_decompress', decodeBytes(gzipSync(text)))).toBe(text)
    }
    expect(hex(run('gzip_compress', 'x')).startsWith('1f8b')).toBe(true)
    expect(hex(run('gzip_decompress', run('gzip_compress', raw('00ff80'))))).toBe('00ff80')
    expect(print('{{ "Lorem" | gzip_compress | base64_encode | base64_decode | gzip_decompress }}')).toBe('Lorem')
  })

  it('rejects invalid input', () => {
    const whole = toBytes(run('gzip_compress', 'some text'))
    for (const bytes of [
      Buffer.of(),
      Buffer.from('text'),
      whole.subarray(0, 15),
      Buffer.concat([whole.subarray(0, 12), whole]),
    ])
      expect(() => run('gzip_decompress', decodeBytes(bytes))).toThrow('not compressed by gzip')
  })

  it('ends the render where a few bytes stand for more than a text may hold', () => {
    const bomb = decodeBytes(gzipSync(Buffer.alloc(60_000_000)))
    expect(bomb.length).toBeLessThan(100_000)
    expect(() => run('gzip_decompress', bomb)).toThrow(LimitFault)
  })
})

describe('url_encode', () => {
  it('encodes bytes as they are', () => {
    expect(run('url_encode', run('encode', 'é a~', 'ISO-8859-1', 'UTF-8'))).toBe('%E9+a~')
    expect(run('url_encode', raw('0aff20'))).toBe('%0A%FF+')
    expect(run('url_encode', 'é a~!')).toBe('%C3%A9+a~%21')
    expect(run('url_encode', 'x\ud83c')).toBe('x%EF%BF%BD')
  })
})

describe('base64_decode', () => {
  it.each([
    ['aGk=', 'hi'],
    ['aGk', 'hi'],
    ['a G\nk=', 'hi'],
    ['aGk=aGk=', 'hi'],
    ['%%%', ''],
    ['a', ''],
    ['', ''],
    [null, ''],
  ])('reads %j leniently', (text, expected) => {
    expect(run('base64_decode', text)).toBe(expected)
  })

  it('rejects values that are not text, and in base Liquid text that is not Base64', () => {
    expect(() => run('base64_decode', 5)).toThrow('base64_decode filter - first argument must be a string')
    expect(findFilter('base64_decode', 'liquid')?.run('aGk=')).toBe('hi')
    expect(() => findFilter('base64_decode', 'liquid')?.run('aGk')).toThrow('invalid base64 provided to base64_decode')
  })
})
