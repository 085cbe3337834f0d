/** Filters for regular expressions, XML, HTML and videos: results, options, errors and hostile inputs. */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { ArgumentFault, LimitFault } from '../../../../runtime/page/fault.ts'
import { parseJson, toJson } from '../../../../runtime/page/values/json.ts'
import { Safe, str } from '../../../../runtime/page/values/text.ts'
import { findFilter } from './evaluator.ts'
import { measureCost } from '../../../support/cost.ts'

const run = (name: string, ...given: unknown[]): unknown => {
  const filter = findFilter(name)
  if (filter === null) throw new Error(`there is no filter ${name}`)
  return filter.run(...given)
}

describe('replace_regex', () => {
  it.each([
    ['ab', '(a)(b)', '\\2\\1', 'ba'],
    ['ab', '(?<x>a)', '[\\k<x>]', '[a]b'],
    ['ab', '(?<x>z)|(?<x>a)', '[\\k<x>]', '[a]b'],
    ['ab', 'a', '\\0\\0\\&', 'aaab'],
    ['ab', 'a', '\\9|\\\\|\\n', '|\\|\\nb'],
    ['abc', 'b', "<\\`|\\'>", 'a<a|c>c'],
    ['a\nb\n', '^', '> ', '> a\n> b\n'],
    ['aaa', 'x*', '-', '-a-a-a-'],
    ['🎉🎉', '', '-', '-🎉-🎉-'],
    ['a$1', 'a', '$1', '$1$1'],
    ['AbC', '(?i)B', 'x', 'AxC'],
    ['foo.txt', '\\.txt\\Z', '', 'foo'],
    ['a\n', '\\Z', '!', 'a!\n!'],
  ])('%j: /%s/ by %j', (text, pattern, replacement, expected) => {
    expect(run('replace_regex', text, pattern, replacement)).toBe(expected)
  })

  it('accepts options, the first match only, and hashes, of which only own keys count', () => {
    expect(run('replace_regex', 'aA', 'a', 'x', 'i')).toBe('xx')
    expect(run('replace_regex', 'a\nb', 'a.b', 'x', 'm')).toBe('x')
    expect(run('replace_regex', 'aa', 'a', 'x', '', false)).toBe('xa')
    expect(run('replace_regex', 'aa', 'a', 'x', null, null)).toBe('xa')
    expect(run('replace_regex', 'a toString b', '\\w+', { a: 1, b: [2] })).toBe('1  [2]')
    expect(run('replace_regex', null, 'a', 'x')).toBe('')
    expect(run('replace_regex', new Safe('<a>'), '<', '&')).toBe('&a>')
  })

  it('faults for unknown names, other types and patterns that are none, and is never too long', () => {
    expect(() => run('replace_regex', 'a', 'a', '\\k<y>')).toThrow('undefined group name reference: y')
    expect(() => run('replace_regex', 7, 'a', 'b')).toThrow('replace_regex filter - first argument must be a string')
    expect(() => run('replace_regex', 'a', 7, 'b')).toThrow('must be a string')
    expect(() => run('replace_regex', 'a', '(', 'b')).toThrow('replace_regex filter - invalid regular expression /(/')
    expect(() => run('replace_regex', 'a'.repeat(20_000), 'a', '\\`\\`\\`')).toThrow(LimitFault)
  })
})

describe('matches and regex_matches', () => {
  it('returns nil for blank text or pattern without an error', () => {
    for (const blank of ['', ' \n', null, new Safe('')]) {
      expect(run('matches', blank, '(')).toBeNull()
      expect(run('matches', 'a', blank)).toBeNull()
    }
  })

  it('returns nil for groups that did not match, and an empty list without a match', () => {
    expect(run('regex_matches', 'ab', '(a)|(b)')).toEqual([
      ['a', null],
      [null, 'b'],
    ])
    expect(run('regex_matches', 12, '\\d')).toEqual(['1', '2'])
    expect(run('regex_matches', '', 'a')).toEqual([])
  })

  it('reports invalid patterns, also at compile time', () => {
    expect(() => run('matches', 'ab', 'a(?~b)')).toThrow(
      'matches filter - invalid regular expression /a(?~b)/: it has an absence group `(?~…)`, which is not supported',
    )
    expect(run('matches', '/a', '^(?!\\/)(.+)')).toBe(false)
    expect(run('replace_regex', '1234567', '\\d(?=(?:\\d{3})+$)', '\\0,')).toBe('1,234,567')
    const codes = (main: string) => createEngine({ files: { main } }).diagnostics.map(({ code }) => code)
    expect(codes("{{ x | matches: 'a(?=b)' }}")).toEqual([])
    expect(codes("{{ x | regex_matches: '(' }}")).toEqual(['invalid-pattern'])
    expect(codes("{{ x | replace_regex: '(a)\\1', 'b' }}")).toEqual([])
    expect(codes("{{ x | replace_regex: '(a)\\2', 'b' }}")).toEqual(['invalid-pattern'])
    // With the option `x`, spaces are ignored and `#` begins a comment.
    expect(codes("{{ x | matches: 'a # (', 'x' }}")).toEqual([])
    expect(codes('{{ x | matches: y }}{{ x | matches: "a", y }}{{ x | matches: "" }}')).toEqual([])
  })

  it('returns false when errors are not thrown', async () => {
    const engine = createEngine({ files: { main: "{% assign r = 'a' | matches: p %}[{{ r }}]" }, errors: 'inline' })
    expect(await engine.render('main', { p: '(' })).toBe('[false]')
  })
})

describe('parse_xml', () => {
  const shape = (xml: string, options: unknown = null) => JSON.parse(toJson(run('parse_xml', xml, options)))

  it.each([
    ['<a/>', '{"a":[{}]}'],
    ['<a> </a>', '{"a":[{}]}'],
    ['<a>x</a>', '{"a":["x"]}'],
    ['<a x="1"> </a>', '{"a":[{"x":"1"}]}'],
    ['<a x="1">t</a>', '{"a":[{"x":"1","content":"t"}]}'],
    ['<a content="1">t</a>', '{"a":[{"content":["1","t"]}]}'],
    ['<a x="1"><x>2</x></a>', '{"a":[{"x":["1","2"]}]}'],
    ['<a>t<b/>u</a>', '{"a":[{"b":[{}],"content":["t","u"]}]}'],
    ['<a>\n <b/>\n</a>', '{"a":[{"b":[{}]}]}'],
    ['<a>&lt;&#65;&#x42;&amp;&quot;&apos;&nope;</a>', '{"a":["<AB&\\"\'&nope;"]}'],
    ['<a x="&lt;&#10;"/>', '{"a":[{"x":"<\\n"}]}'],
    ['<a><![CDATA[<b>&amp;]]></a>', '{"a":["<b>&amp;"]}'],
    ['<a>x<!-- c -->y</a>', '{"a":["xy"]}'],
    ['<a>x<?pi z?>y</a>', '{"a":["xy"]}'],
    ['<?xml version="1.0" encoding="UTF-8"?>\r\n<a>1\r\n2</a>\n<!-- end -->', '{"a":["1\\n2"]}'],
    ['<!DOCTYPE a SYSTEM "a.dtd"><a>1</a>', '{"a":["1"]}'],
    ['<n:a xmlns:n="u"><n:b n:c="1">2</n:b></n:a>', '{"a":[{"xmlns:n":"u","b":[{"n:c":"1","content":"2"}]}]}'],
    ['<a><anon>1</anon><anon>2</anon></a>', '{"a":[["1","2"]]}'],
    ['<ż>ó</ż>', '{"ż":["ó"]}'],
  ])('%s', (xml, expected) => {
    expect(shape(xml)).toEqual(JSON.parse(expected))
  })

  it('without arrays where there is one of a name, and with `@` before attributes', () => {
    expect(shape('<a><b>1</b><c>2</c><c>3</c></a>', { force_array: false })).toEqual({ a: { b: '1', c: ['2', '3'] } })
    expect(shape('<a x="1"><x>2</x></a>', { attr_prefix: true })).toEqual({ a: [{ '@x': '1', x: ['2'] }] })
    expect(shape('<a/>', { force_array: false })).toEqual({ a: {} })
  })

  it('accepts any name as a key, and reads no prototype', () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
    const xml = `<a ${names.map((name) => `${name}="1"`).join(' ')}>${names.map((name) => `<${name}><__proto__ x="1"/></${name}>`).join('')}</a>`
    const parsed = run('parse_xml', xml, { attr_prefix: true })
    const inner = (parsed as { a: Record<string, unknown>[] }).a[0] ?? {}
    expect(Object.keys(inner)).toEqual([...names.map((name) => `@${name}`), ...names])
    expect(Object.getPrototypeOf(inner)).toBe(Object.prototype)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    for (const name of names) expect(Object.keys(shape(`<${name}/>`))).toEqual([name])
  })

  it.each([
    ['', 'there is no element|expected'],
    ['text', 'expected'],
    ['<a>', 'Unclosed'],
    ['<a></b>', 'closing tag'],
    ['<a b="1" b="2"/>', 'repeated'],
    ['<a b/>', 'boolean attribute'],
    ['<a/><b/>', 'content after the root element'],
    ['<a/>x', 'expected|after the root element'],
    ['<a>1 < 2</a>', ''],
    ['{"json": true}', 'expected'],
  ])('refuses %j', (xml, reason) => {
    expect(() => run('parse_xml', xml)).toThrow(ArgumentFault)
    expect(() => run('parse_xml', xml)).toThrow(new RegExp(`^parse_xml filter - invalid XML.*(?:${reason})`))
  })

  it('replaces no entity that a document defines, and fetches nothing', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const bomb = `<!DOCTYPE a [<!ENTITY l0 "ha">${lines}]><a>&l20;</a>`
    try {
      expect(toJson(run('parse_xml', bomb))).toBe('{"a":["&l20;"]}')
    } catch (error) {
      expect(error).toBeInstanceOf(ArgumentFault)
    }
    expect(() => run('parse_xml', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>')).toThrow(
      ArgumentFault,
    )
  })

  it('is bounded in depth and linear in length', () => {
    expect(() => run('parse_xml', '<a>'.repeat(5000) + '</a>'.repeat(5000))).toThrow('Nesting too deep')
    const hostile = [
      `<r>${'<a>1</a>'.repeat(50_000)}</r>`,
      `<a ${Array.from({ length: 30_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
      `<a>${'<!--'.repeat(50_000)}</a>`,
      `<a>${'&#'.repeat(100_000)}</a>`,
      `<a>${'&amp;'.repeat(100_000)}</a>`,
      `<!DOCTYPE ${'['.repeat(100_000)}`,
      '<'.repeat(200_000),
      '<a '.repeat(50_000),
      `<a${' '.repeat(200_000)}/>`,
    ]
    for (const xml of hostile) {
      const cost = measureCost()
      try {
        run('parse_xml', xml)
      } catch (error) {
        expect(error, xml.slice(0, 20)).toBeInstanceOf(ArgumentFault)
      }
      expect(cost(), xml.slice(0, 20)).toBeLessThan(10_000)
    }
  })
})

describe('to_xml', () => {
  const xml = (json: string, options: unknown = null) => run('to_xml', parseJson(json), options)

  it.each([
    ['{"a":[{}]}', '<a></a>\n'],
    ['{"a":"1"}', '<a>1</a>\n'],
    ['{"a":{"x":"1"}}', '<a x="1" />\n'],
    ['{"a":{"x":"1","b":["2","3"]}}', '<a x="1">\n  <b>2</b>\n  <b>3</b>\n</a>\n'],
    ['{"a":{"content":"t","b":[{}]}}', '<a>t<b></b>\n</a>\n'],
    ['{"a":{"b":null}}', '<a>\n  <b></b>\n</a>\n'],
    ['{"x":"1","b":["2"]}', '<opt x="1">\n  <b>2</b>\n</opt>\n'],
    ['["1",{"x":"2"},["3"]]', '<anon>1</anon>\n<anon x="2" />\n<anon>\n  <anon>3</anon>\n</anon>\n'],
    ['{"a":{"x":"<&>\\"\'"}}', '<a x="&lt;&amp;&gt;&quot;&apos;" />\n'],
    ['{"a":[1,2.5,true]}', '<a>1</a>\n<a>2.5</a>\n<a>true</a>\n'],
    ['{"a":{"-b":"1","c":"2"}}', '<a c="2" />\n'],
    ['{}', '<opt></opt>\n'],
  ])('%s', (json, expected) => {
    expect(xml(json)).toBe(expected)
  })

  it('makes attributes of names with `@` only, when asked', () => {
    expect(xml('{"a":{"@x":"1","b":"2"}}', { attr_prefix: true })).toBe('<a x="1">\n  <b>2</b>\n</a>\n')
  })

  it('is read back as the same', () => {
    for (const text of ['<a><b x="1">t</b><b>u</b><c/></a>', '<a x="&lt;">z</a>', '<l><i>1</i><i><j>2</j></i></l>']) {
      const read = run('parse_xml', text)
      expect(toJson(run('parse_xml', run('to_xml', read)))).toBe(toJson(read))
    }
  })

  it('rejects invalid XML names, other types, and endless structures', () => {
    for (const name of ['', 'a b', '<a', '1a', 'a>', 'a"'])
      expect(() => run('to_xml', { [name]: ['1'] })).toThrow('is not a valid XML name')
    expect(() => xml('{"r":{"a b":"1"}}')).toThrow('is not a valid XML name')
    for (const other of [1, 'a', true]) expect(() => run('to_xml', other)).toThrow(ArgumentFault)
    expect(run('to_xml', null)).toBe(run('to_xml', {}))
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(() => run('to_xml', cycle)).toThrow('Nesting too deep')
    let shared: unknown[] = []
    for (let level = 0; level < 40; level++) shared = [shared, shared]
    expect(() => run('to_xml', shared)).toThrow(LimitFault)
  })
})

describe('html_to_text', () => {
  it.each([
    ['<h1>Hello <a href="#">world</a></h1>', null, 'Hello world'],
    ['<p>a\nb\r\nc</p>', null, 'a b c'],
    ['<p>a\nb</p>', { replace_newline: '<br>' }, 'a<br>b'],
    ['<p>a\nb</p>', { replace_newline: '' }, 'ab'],
    ['a<script>x()</script><style>p{}</style>b', null, 'ab'],
    ['a<script>x</script><i>b</i>', { remove_nodes: 'i' }, 'axb'.replace('b', '')],
    ['<p>a</p><div id="m">b<b>c</b></div><div id="m">d</div>', { root_element: '#m' }, 'bc'],
    ['<p>a</p>', { root_element: '.none' }, ''],
    ['<ul><li class="x">1</li><li>2</li></ul>', { root_element: 'ul', remove_nodes: 'li.x' }, '2'],
    ['&lt;b&gt; &eacute; &#8364;', null, '<b> é €'],
    ['a<!-- c -->b', null, 'ab'],
    ['a < b', null, 'a < b'],
    ['<p>open', null, 'open'],
    [null, null, ''],
  ])('%j with %j', (html, options, expected) => {
    expect(run('html_to_text', html, options)).toBe(expected)
  })

  it('rejects invalid selectors', () => {
    for (const selector of ['[', 'a[', ':nope(', '|', 'a'.repeat(5000), ':is('.repeat(240)])
      expect(() => run('html_to_text', '<a>x</a>', { root_element: selector }), selector.slice(0, 10)).toThrow(
        ArgumentFault,
      )
    expect(() => run('html_to_text', 7)).toThrow(ArgumentFault)
  })

  it('is linear, however deep, and ends selectors that are not', () => {
    for (const html of [
      `${'<div>'.repeat(100_000)}x`,
      '<'.repeat(300_000),
      '<a '.repeat(100_000),
      '</p>'.repeat(100_000),
      `${'<p>x'.repeat(50_000)}`,
      '<!--'.repeat(100_000),
      '&'.repeat(300_000),
    ]) {
      const cost = measureCost()
      run('html_to_text', html)
      expect(cost(), html.slice(0, 10)).toBeLessThan(10_000)
    }
    expect(run('html_to_text', `${'<div>'.repeat(100_000)}x${'</div>'.repeat(100_000)}y`)).toBe('xy')
    const siblings = '<i>x</i>'.repeat(30_000)
    const cost = measureCost()
    try {
      run('html_to_text', siblings, { remove_nodes: 'i:nth-last-child(2n+1) ~ i:has(b)' })
    } catch (error) {
      expect(error).toBeInstanceOf(LimitFault)
    }
    expect(cost()).toBeLessThan(15_000)
  })
})

describe('videos', () => {
  it.each([
    [
      'https://www.youtube.com/watch?v=8N_tupPBtWQ',
      'YouTube',
      '8N_tupPBtWQ',
      'https://www.youtube.com/embed/8N_tupPBtWQ',
    ],
    ['http://youtube.com/watch?list=x&v=8N_tupPBtWQ&t=3', 'YouTube', '8N_tupPBtWQ', null],
    ['//m.youtube.com/watch?v=8N_tupPBtWQ', 'YouTube', '8N_tupPBtWQ', null],
    ['youtu.be/8N_tupPBtWQ?t=1', 'YouTube', '8N_tupPBtWQ', null],
    ['https://www.youtube-nocookie.com/embed/8N_tupPBtWQ', 'YouTube', '8N_tupPBtWQ', null],
    ['https://www.youtube.com/shorts/8N_tupPBtWQ', 'YouTube', '8N_tupPBtWQ', null],
    ['https://vimeo.com/86701482', 'Vimeo', '86701482', 'https://player.vimeo.com/video/86701482'],
    ['https://vimeo.com/channels/staffpicks/86701482', 'Vimeo', '86701482', null],
    ['https://vimeo.com/groups/a/videos/86701482', 'Vimeo', '86701482', null],
    [
      'https://www.dailymotion.com/video/x7lni3',
      'Dailymotion',
      'x7lni3',
      'https://www.dailymotion.com/embed/video/x7lni3',
    ],
    [
      'https://home.wistia.com/medias/e4a27b971d',
      'Wistia',
      'e4a27b971d',
      'https://fast.wistia.net/embed/iframe/e4a27b971d',
    ],
  ])('%s', (url, provider, id, embed) => {
    const found = run('video_params', url) as Record<string, unknown>
    expect(Object.keys(found)).toEqual(['provider', 'url', 'video_id', 'embed_url', 'embed_code'])
    expect([found.provider, found.url, found.video_id]).toEqual([provider, url, id])
    if (embed !== null) expect(found.embed_url).toBe(embed)
    expect(str(found.embed_code)).toBe(
      `<iframe src="${str(found.embed_url)}" frameborder="0" allowfullscreen="allowfullscreen"></iframe>`,
    )
    expect(str(run('videoify', url))).toBe(str(found.embed_code))
  })

  it.each([
    'nope',
    '',
    'https://example.com/?u=youtube.com/watch?v=8N_tupPBtWQ',
    'https://youtube.com.evil.example/watch?v=8N_tupPBtWQ',
    'https://evil.example/youtube.com/watch?v=8N_tupPBtWQ',
    'https://www.youtube.com/playlist?list=x',
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/watch?v="><script>',
    'javascript:alert(1)//youtube.com/watch?v=8N_tupPBtWQ',
    'https://vimeo.com/about',
    `https://youtu.be/8N_tupPBtWQ?${'x'.repeat(100_000)}`,
  ])('none at %s', (url) => {
    expect(run('video_params', url.slice(0, 100_100))).toBeNull()
    expect(str(run('videoify', url))).toBe('')
  })

  it('accepts attributes, except those that run scripts', () => {
    const url = 'https://youtu.be/8N_tupPBtWQ'
    expect(str(run('videoify', url, { width: 630, title: '"<x>', allowfullscreen: false }))).toBe(
      '<iframe src="https://www.youtube.com/embed/8N_tupPBtWQ" frameborder="0" width="630" title="&quot;&lt;x&gt;"></iframe>',
    )
    expect(str(run('videoify', url, { onload: 'x()', srcdoc: '<x>', src: 'http://e', 'a b': '1', 'x>': '1' }))).toBe(
      str(run('videoify', url)),
    )
    expect(() => run('videoify', { a: 1 })).toThrow(ArgumentFault)
  })
})
