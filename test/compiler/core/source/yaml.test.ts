/** Splitting front matter, and parsing YAML. */
import { describe, expect, it } from 'vitest'
import { cutFrontMatter } from '../../../../compiler/core/source/front-matter.ts'
import { readYaml, toValue, type YamlMap, type YamlScalar } from '../../../../compiler/core/source/yaml.ts'
import { measureCost } from '../../../support/cost.ts'

describe('front matter', () => {
  it.each([
    ['---\nslug: a\n---\nbody', 'slug: a\n', 4, 'body'],
    ['\n \n---\r\nslug: a\r\n---\r\nbody', 'slug: a\r\n', 8, 'body'],
    ['---\n---\nbody', '', 4, 'body'],
    ['---\na: 1\n--- # end\nbody', 'a: 1\n', 4, 'body'],
    ['---\na: 1\n---', 'a: 1\n', 4, ''],
  ])('%j', (text, yaml, start, body) => {
    const cut = cutFrontMatter(text)
    expect(cut.yaml).toEqual({ text: yaml, start })
    expect(text.slice(cut.bodyStart)).toBe(body)
  })

  it.each(['body', '', 'a\n---\nb\n---\n', ' ---\na: 1\n---\n', '----\n'])('%j has none', (text) => {
    expect(cutFrontMatter(text)).toEqual({ yaml: null, bodyStart: 0, unclosed: false })
  })

  it('that never ends is said so', () => {
    expect(cutFrontMatter('---\nslug: a\n<h1>').unclosed).toBe(true)
  })
})

describe('a YAML scalar', () => {
  it.each<[string, unknown, boolean?]>([
    ['yes', true],
    ['Off', false],
    ['TRUE', true],
    ['y', 'y'],
    ['n', 'n'],
    ['~', null],
    ['null', null],
    ['""', ''],
    ['014', 12],
    ['08', '08'],
    ['0x1F', 31],
    ['0b101', 5],
    ['1:30', 5400],
    ['1:30:15', 5415],
    ['1_000', 1000],
    ['1,000', 1000],
    ['-12', -12],
    ['1e3', '1e3'],
    ['1.5', 1.5, true],
    ['3.0', 3, true],
    ['5.', 5, true],
    ['.5', 0.5, true],
    ['1.0e+3', 1000, true],
    ['.inf', Number.POSITIVE_INFINITY, true],
    ['.', '.'],
    ['1.2.3', '1.2.3'],
    ['9007199254740993', 9007199254740993n],
    ['2020-01-02', '2020-01-02'],
    ["'12'", '12'],
    ['!!str 12', '12'],
    ['text # comment', 'text'],
    ['a: b', { a: 'b' }],
    [':symbol', ':symbol'],
  ])('%s', (text, value, float = false) => {
    const { tree, problems } = readYaml(text, 'f', 0)
    expect(problems.filter(({ kind }) => kind !== 'other-scalar')).toEqual([])
    expect(toValue(tree)).toEqual(value)
    if (tree?.kind === 'scalar') expect(tree.float).toBe(float)
  })

  it.each([
    ['yes', true, 'yes'],
    ['tRUE', true, 'tRUE'],
    ['014', 12, '14'],
    ['08', '08', '8'],
    ['1:30', 5400, '1:30'],
    ['1_000', 1000, '1_000'],
    ['0b11', 3, '0b11'],
    ['1e3', '1e3', '1000'],
    ['1.5e3', '1.5e3', '1500'],
  ])('%s is told to be something else in YAML 1.2', (text, read, other) => {
    expect(readYaml(text, 'f', 0).problems).toMatchObject([{ kind: 'other-scalar', text, read, other }])
  })

  it.each([
    'true',
    'False',
    'y',
    '~',
    '0x10',
    '0X10',
    '+12',
    '1.50',
    '.5',
    '5.',
    '1.0e+3',
    '.inf',
    '.NaN',
    'a_1',
    "'yes'",
  ])('%s is the same in both', (text) => expect(readYaml(text, 'f', 0).problems).toEqual([]))
})

describe('YAML', () => {
  const value = (text: string) => toValue(readYaml(text, 'f', 0).tree)

  it('of nothing has no tree', () => {
    for (const text of ['', '\n', '# only a comment', '---\n', '---\n---\n', '---'])
      expect(readYaml(text, 'f', 0)).toEqual({ tree: null, problems: [] })
  })

  it.each<[string, unknown]>([
    ['headers: \'{\n"a": 1\n}\'\nto: x\n', { headers: '{ "a": 1 }', to: 'x' }],
    ['a:\n  b: "x\ny"\n  c: "p\n\nq  \n r" # c\nd: 1\n', { a: { b: 'x y', c: 'p\nq r' }, d: 1 }],
    ["- 'it''s\r\nme'\n- \"a\\\"b\nc\"\n", ["it's me", 'a"b c']],
    ['a: {b: \'x\ny\', c: [ "1\n2" ]}\nz: 1', { a: { b: 'x y', c: ['1 2'] }, z: 1 }],
    ["a: |\n  'x\n   y\nb: it's\nc: 'd\ne'", { a: "'x\n y\n", b: "it's", c: 'd e' }],
  ])('lets the lines of a quoted text begin anywhere: %j', (text, expected) => {
    expect(readYaml(text, 'f', 0).problems).toEqual([])
    expect(value(text)).toEqual(expected)
  })

  it('knows the places behind a quoted text of several lines', () => {
    const text = "a: 'x\ny'\nb: 1\nb: 2\n"
    expect(readYaml(text, 'f', 0).problems).toMatchObject([
      { kind: 'duplicate-key', span: { start: text.lastIndexOf('b') } },
    ])
  })

  it('ends a quoted text at a line of dashes, and reads one that is never closed once', () => {
    for (const text of ["a: 'x\n---\ny'\n", "a: 'never\nclosed\n", `a: "${'\n'.repeat(200_000)}`]) {
      const cost = measureCost()
      expect(readYaml(text, 'f', 0)).toMatchObject({ tree: null, problems: [{ kind: 'syntax' }] })
      expect(cost()).toBeLessThan(3_000)
    }
  })

  it.each<[string, string, unknown]>([
    ['a remark right behind a quote', 'name: "note"#the notes\nb: \'x\'#y\n', { name: 'note', b: 'x' }],
    [
      'a remark right behind a comma or a bracket',
      'a: [1,#one\n2]#two\nb: {c: 3,#three\nd: 4}#four\n',
      { a: [1, 2], b: { c: 3, d: 4 } },
    ],
    [
      'members and brackets in the column of the key',
      'a:\n  b: [\n  1,\n2\n]\n  c: {\nx: 1\n}\n',
      { a: { b: [1, 2], c: { x: 1 } } },
    ],
    ['tabs between brackets, and behind a colon', 'a: [\t1,\t2,\n\t3\t]\nb:\t4\t# five\n', { a: [1, 2, 3], b: 4 }],
    ['an address between brackets', '[http://x.y/z, a: 1]', ['http://x.y/z', { a: 1 }]],
    ['keys that are lists and mappings', '[a, 1.0]: 1\n? {b: ~}\n: 2\n', { '["a", 1.0]': 1, '{"b"=>nil}': 2 }],
    [
      'what `<<` brings in, in its order',
      'x: &x {a: 1, b: 1}\ny: {a: 2, <<: *x, b: 3}\n',
      { x: { a: 1, b: 1 }, y: { a: 1, b: 3 } },
    ],
    [
      'types in front of values',
      "a: !!int '014'\nb: ! '5'\nc: !local on\nd: !!str\ne: !!float 3\n",
      { a: 12, b: 5, c: true, d: '', e: 3 },
    ],
  ])('reads as libyaml does: %s', (_, text, expected) => {
    const { tree, problems } = readYaml(text, 'f', 0)
    expect(problems.filter(({ kind }) => kind !== 'other-scalar')).toEqual([])
    expect(toValue(tree)).toEqual(expected)
  })

  it.each([
    ['a tab that indents a line of a plain text', 'a: b\n\tc\n'],
    ['a key over two lines', '{a\n: b}'],
    ['a mapping without a key', ': a\n'],
    ['a control character', 'a: \u007f\n'],
    ['an escape that means nothing', 'a: "\\q"\n'],
  ])('refuses what libyaml refuses: %s', (_, text) => {
    expect(readYaml(text, 'f', 0)).toMatchObject({ tree: null, problems: [{ kind: 'syntax' }] })
  })

  it('compares keys by what they are', () => {
    const { tree, problems } = readYaml('yes: a\nTrue: b\n014: c\n12: d\n"yes": e\n', 'f', 0)
    expect(toValue(tree)).toEqual({ true: 'b', 12: 'd', yes: 'e' })
    expect(problems.filter(({ kind }) => kind === 'duplicate-key')).toMatchObject([{ key: 'true' }, { key: '12' }])
  })

  it('may begin and end with dashes', () => {
    expect(value('---\na: 1\n---\n')).toEqual({ a: 1 })
    expect(readYaml('a: 1\n---\nb: 2', 'f', 0).problems).toMatchObject([{ kind: 'syntax' }])
  })

  it('keeps the last of repeated keys and reports it', () => {
    const { tree, problems } = readYaml('a: 1\nb: 2\na: 3\n', 'f', 100)
    expect(toValue(tree)).toEqual({ a: 3, b: 2 })
    expect(problems).toEqual([
      {
        kind: 'duplicate-key',
        key: 'a',
        span: { file: 'f', start: 110, end: 111 },
        firstSpan: { file: 'f', start: 100, end: 101 },
      },
    ])
  })

  it('knows where everything stands', () => {
    const text = 'slug: "a/b"\nlist:\n  - one\n'
    const tree = readYaml(text, 'f', 10).tree as YamlMap
    const slice = (span: { start: number; end: number }) => text.slice(span.start - 10, span.end - 10)
    expect(tree.entries.map((entry) => slice(entry.keySpan))).toEqual(['slug', 'list'])
    expect(slice(tree.entries[0]!.value.span)).toBe('"a/b"')
    expect(slice(tree.entries[1]!.value.span).trim()).toBe('- one')
  })

  it('says where the characters of a text stand', () => {
    const text = [
      'a: plain {{ x }}',
      "b: 'quoted'",
      "c: 'it''s'",
      'd: |',
      '  one',
      '   two',
      '',
      '  three',
      'e: >',
      '  f',
      '  g',
      '',
    ].join('\n')
    const tree = readYaml(text, 'f', 0).tree as YamlMap
    const scalar = (key: string) => tree.entries.find((entry) => entry.key === key)!.value as YamlScalar
    const char = (key: string, at: number) => {
      const piece = scalar(key).segments!.findLast((each) => each.textOffset <= at)!
      return text[piece.sourceOffset + at - piece.textOffset]
    }
    // The position of an escaped character is the beginning of its escape sequence.
    expect([...scalar('c').text].map((_, at) => char('c', at)).join('')).toBe("it's")
    for (const key of ['a', 'b', 'd']) {
      const characters = [...scalar(key).text]
      expect(characters.map((_, at) => char(key, at))).toEqual(characters)
    }
    // Folded white space between two lines has no position.
    expect(scalar('e').text).toBe('f g\n')
    expect([char('e', 0), char('e', 2)]).toEqual(['f', 'g'])
  })

  it.each([
    ['lines of one paragraph', 'a: >\n  one {{ x }}\n  two\n'],
    ['paragraphs, and lines further in', 'a: >-\n  one\n\n\n  two\n    three {{ x }}\n  four  \n  five\n'],
    ['carriage returns', 'a: >\r\n  one\r\n  two {{ x }}\r\n'],
    ['empty lines in front', 'a: >\n\n  one\n  one\n'],
  ])('knows the words of folded texts: %s', (_, text) => {
    const scalar = (readYaml(text, 'f', 0).tree as YamlMap).entries[0]!.value as YamlScalar
    const words = [...scalar.text.matchAll(/\S+/g)]
    const places = words.map(({ index, 0: word }) => {
      const segment = scalar.segments!.findLast((each) => each.textOffset <= index)!
      const source = segment.sourceOffset + index - segment.textOffset
      expect(text.slice(source, source + word.length)).toBe(word)
      return source
    })
    expect(places).toEqual([...text.matchAll(/\S+/g)].slice(2).map(({ index }) => index))
  })

  it.each([
    ["a: '''one ''two'' it''s {{ x }}'\n", 4],
    ["a: 'one ''  \r\n\r\n\r\n  {{ x }}\n  last'''\n", 4],
    ['a: "one\\n {{ x }} \\x41 \\U0001F600 \\u00e9 {{ y }} a \\\n   b\\\n\n  c\\\\ d\n\n\n  \\te"\n', 12],
    ["a: 'one\nit''s {{ x }}'\nb: 1\n", 4],
  ])('knows the words of quoted texts: %j', (text, count) => {
    const scalar = (readYaml(text, 'f', 0).tree as YamlMap).entries[0]!.value as YamlScalar
    const words = [...scalar.text.matchAll(/[{}]+|\b[a-z]+\b/g)]
    expect(words.length).toBeGreaterThanOrEqual(count)
    for (const { index, 0: word } of words) {
      const segment = scalar.segments!.findLast((each) => each.textOffset <= index)!
      const source = segment.sourceOffset + index - segment.textOffset
      expect(text.slice(source, source + word.length)).toBe(word)
    }
  })

  it('reads block literals of files with carriage returns', () => {
    const text = 'd: |\r\n  one\r\n  two\r\n'
    const scalar = (readYaml(text, 'f', 0).tree as YamlMap).entries[0]!.value as YamlScalar
    expect(scalar.text).toBe('one\ntwo\n')
    expect(scalar.segments?.slice(0, 2)).toEqual([
      { textOffset: 0, sourceOffset: 8 },
      { textOffset: 4, sourceOffset: 15 },
    ])
  })

  it('resolves aliases and merged keys', () => {
    expect(value('base: &b { x: 1, y: 2 }\nmore:\n  <<: *b\n  y: 3\nsame: *b\n')).toEqual({
      base: { x: 1, y: 2 },
      more: { y: 3, x: 1 },
      same: { x: 1, y: 2 },
    })
  })

  it.each<[string, string, RegExp]>([
    ['an open bracket', 'a: [1, 2', /bracket/],
    ['a tab', 'a:\n\tb: 1', /tab/],
    ['two colons', 'a: b: c', /quotes/],
    ['a reserved character', 'a: %{name}', /quotes/],
    ['an open quote', 'a: "b', /quote/],
    ['an unknown alias', 'a: *b', /&b/],
    ['an alias inside of itself', 'a: &x [*x]', /inside/],
    ['an unknown type', 'a: !ruby/object:Gem {}', /Gem/],
  ])('with %s is refused', (_, text, message) => {
    const { tree, problems } = readYaml(text, 'f', 0)
    expect(tree).toBeNull()
    expect(problems).toMatchObject([{ kind: 'syntax', message: expect.stringMatching(message) }])
    expect(problems[0]!.span.start).toBeLessThan(text.length)
  })

  it('refuses aliases that repeat without end, and nesting without end, quickly', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let i = 1; i < 12; i++)
      bomb.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      )
    for (const text of [
      bomb.join('\n'),
      '['.repeat(100_000),
      '{'.repeat(5000),
      `${'- '.repeat(3000)}x`,
      `a: ${'['.repeat(900)}`,
    ]) {
      const cost = measureCost()
      expect(readYaml(text, 'f', 0)).toMatchObject({ tree: null, problems: [{ kind: 'syntax' }] })
      expect(cost()).toBeLessThan(2000)
    }
  })

  it.each([
    ['a: {{ x }}', 'bare-liquid', '{{ x }}'],
    ['a: {{ x | default: "y" }}/z', 'bare-liquid', '{{ x | default: "y" }}/z'],
    ['a: {% if x %}y{% endif %}', 'bare-liquid', '{% if x %}y{% endif %}'],
  ])('tells Liquid without quotes apart: %s', (text, kind, written) => {
    expect(readYaml(text, 'f', 0).problems).toMatchObject([
      { kind, text: written, span: { start: 3, end: text.length } },
    ])
  })

  it('gives maps without a prototype', () => {
    expect(Object.getPrototypeOf(value('__proto__: 1'))).toBeNull()
    expect(Object.keys(value('__proto__: 1') as object)).toEqual(['__proto__'])
  })
})
