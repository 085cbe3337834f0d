import { describe, expect, it } from 'vitest'
import { makeHash } from '../../../../runtime/page/values/access.ts'
import { Float } from '../../../../runtime/page/values/number.ts'
import { Range } from '../../../../runtime/page/values/range.ts'
import {
  sliceCharacters,
  countCharacters,
  concat,
  esc,
  escAttribute,
  inspect,
  inspected,
  Json,
  plain,
  printed,
  Safe,
  str,
  xml,
} from '../../../../runtime/page/values/text.ts'
import { Moment } from '../../../../runtime/page/values/time.ts'

const hash = { a: [1, null, '<b>'], k: "it's" }

describe('text of values', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [7, '7'],
    [new Float(7), '7.0'],
    [10n ** 20n, '100000000000000000000'],
    ['<b>', '<b>'],
    [new Safe('<b>'), '<b>'],
    [new Range(3, 1), '3..1'],
    [[1, [2, null]], '[1,[2,null]]'],
    [hash, '{"a":[1,null,"<b>"],"k":"it\'s"}'],
    [new Moment('date', 1577923200, 0, 0, 'UTC'), '2020-01-02'],
    [new Moment('time', 1577934245, 0, 0, 'UTC'), '2020-01-02 03:04:05 UTC'],
    [new Moment('time', 1577934245, 0, 3600, 'CET'), '2020-01-02 04:04:05 +0100'],
  ])('%s is %s', (v, text) => {
    expect(str(v)).toBe(text)
  })
})

describe('output', () => {
  const quote = `<a href='x'>"&"</a>`
  const escaped = '&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;'

  it('text is escaped in HTML and XML only', () => {
    expect(esc(quote)).toBe(escaped)
    expect(escAttribute(quote)).toBe(escaped)
    expect(xml(quote)).toBe(escaped)
    expect(plain(quote)).toBe(quote)
    expect(printed(quote)).toBe(quote)
    expect(esc('plain')).toBe('plain')
  })

  it('safe text is printed unchanged', () => {
    for (const print of [esc, escAttribute, xml, plain, printed]) expect(print(new Safe(quote))).toBe(quote)
  })

  it('arrays and hashes are JSON without HTML characters, quoted in attributes', () => {
    const json = '{"a":[1,null,"\\u003cb\\u003e"],"k":"it\'s"}'
    expect(esc(hash)).toBe(json)
    expect(plain(hash)).toBe(json)
    expect(printed(hash)).toBe(json)
    expect(escAttribute(hash)).toBe(json.replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
    expect(xml(hash)).toBe(escAttribute(hash))
    expect(esc([])).toBe('[]')
  })

  it('the result of `json` keeps HTML from reading it, also when it is marked safe', () => {
    const text = '"</script>&\u2028"'
    const written = '"\\u003c/script\\u003e\\u0026\\u2028"'
    expect(esc(new Json(text))).toBe(written)
    expect(plain(new Json(text))).toBe(written)
    expect(esc(new Json(text, true))).toBe(written)
    expect(plain(new Json(text, true))).toBe(text)
    expect(printed(new Json(text, true))).toBe(text)
    expect(escAttribute(new Json('"a"'))).toBe('&quot;a&quot;')
  })

  it('numbers, booleans and nil are printed alike everywhere', () => {
    for (const print of [esc, escAttribute, xml, plain, printed, concat]) {
      expect(print(3)).toBe('3')
      expect(print(new Float(3))).toBe('3.0')
      expect(print(false)).toBe('false')
      expect(print(null)).toBe('')
      expect(print(new Range(1, 3))).toBe('1..3')
    }
  })
})

describe('the liquid dialect', () => {
  it('concatenates arrays and inspects hashes', () => {
    expect(concat([1, [2, [null, 'x']], true])).toBe('12xtrue')
    expect(concat([{ k: 1 }])).toBe('{"k"=>1}')
    expect(concat({ s: 'a"b' })).toBe('{"s"=>"a\\"b"}')
  })

  it('inspects as Ruby does', () => {
    expect(inspect({ k: 'v', n: null, f: new Float(1), a: [1, 's'] })).toBe(
      '{"k"=>"v", "n"=>nil, "f"=>1.0, "a"=>[1, "s"]}',
    )
    expect(inspect(['a\n\t\u001b\u0001#{x}#y\\'])).toBe('["a\\n\\t\\e\\u0001\\#{x}#y\\\\"]')
    expect(inspected([1])).toBe('[1]')
    expect(inspected('x')).toBe('x')
  })

  it('survives values inside themselves', () => {
    const list: unknown[] = [1]
    list.push(list)
    expect(inspect(list)).toBe('[1, [...]]')
    expect(concat(list)).toBe('1')
    expect(() => str(list)).toThrow('Nesting too deep')
    expect(() => esc(list)).toThrow('Nesting too deep')
    const map = makeHash([['a', 1]])
    map.self = map
    expect(inspect(map)).toBe('{"a"=>1, "self"=>{...}}')
  })
})

describe('characters', () => {
  it('are code points', () => {
    expect(countCharacters('🎉x')).toBe(2)
    expect(countCharacters('héllo')).toBe(5)
    expect(countCharacters('\ud83c')).toBe(1)
    expect(sliceCharacters('a🎉b🎉', 1, 3)).toBe('🎉b')
    expect(sliceCharacters('abc', 1, 9)).toBe('bc')
  })
})
