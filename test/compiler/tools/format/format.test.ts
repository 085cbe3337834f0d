/** Formatting: its results, the texts it leaves unchanged, and that compiled code does not change. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { compileEarly } from '../../../../compiler/compile.ts'
import { applyEdits } from '../../../../compiler/core/diagnostics/quick-fix.ts'
import { formatFile } from '../../../../compiler/tools/format/file.ts'
import { discover, sourceOf } from '../../../../compiler/core/source/discover.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import { generateSite } from '../../../bench/site.ts'

const READING = { dialect: 'platform', syntax: 'lax', interpolation: true } as const
const SITE_ROOT = {
  roots: [],
  manifestTexts: new Map<string, string>(),
  ownModule: null,
  manifests: { rootModule: null, requiredModules: new Map(), problems: [], valuesFor: () => null },
}

function fileOf(path: string, text: string): SourceFile {
  return sourceOf(path, text, SITE_ROOT) as SourceFile
}

/** Returns the formatted text; null for a text that does not parse. */
function formatted(path: string, text: string): string | null {
  const formatting = formatFile(fileOf(path, text), READING)
  return formatting?.edits == null ? null : applyEdits(text, formatting.edits)
}

const liquid = (text: string): string | null => formatted('app/views/partials/x.liquid', text)
const yaml = (text: string): string | null => formatted('app/schema/x.yml', text)
const graphql = (text: string): string | null => formatted('app/graphql/x.graphql', text)

describe('Liquid', () => {
  test.each([
    ['signs and pipes', '{{a.b [0]|upcase|slice:1,2}}', '{{ a.b[0] | upcase | slice: 1, 2 }}'],
    ['marks of white space', '{%-if a==1-%}{{-a-}}{%-endif-%}', '{%- if a == 1 -%}{{- a -}}{%- endif -%}'],
    ['ranges', '{% for i in( 1 .. 3)limit:2 %}{{i}}{%endfor%}', '{% for i in (1..3) limit: 2 %}{{ i }}{% endfor %}'],
    ['arguments', "{%render'x' , a:1,b : 'c'%}", "{% render 'x', a: 1, b: 'c' %}"],
    ['arguments over lines', "  {%render 'x',\na:1,\n      b:2\n%}", "  {% render 'x',\n    a: 1,\n    b: 2\n  %}"],
    ['values in texts', '{% assign a = "x {{b|upcase}}y{{  c}}z" %}', '{% assign a = "x {{ b | upcase }}y{{ c }}z" %}'],
    ['hashes', '{% assign a={"b":[1,2 , {}],"c":{"d":e}} %}', '{% assign a = { "b": [1, 2, {}], "c": { "d": e } } %}'],
    ['line ends', '{{ a\r\n|upcase }}\r\n', '{{ a\r\n  | upcase }}\r\n'],
    ['letters beyond ASCII', "<b>😀é</b>{{'😀 %} é'|upcase}}", "<b>😀é</b>{{ '😀 %} é' | upcase }}"],
    ['comments', '{%#  a%}{%comment%} {{b}} {%endcomment%}', '{% #  a %}{% comment %} {{b}} {% endcomment %}'],
    ['tags around what is not read', '{%raw%}{{a}}{%-  endraw%}', '{% raw %}{{a}}{%- endraw %}'],
    ['a doc block', '{%doc%}\n @param {x} a\n{%enddoc%}', '{% doc %}\n @param {x} a\n{% enddoc %}'],
    ['one line', '{%liquid assign a=1%}', '{% liquid assign a = 1 %}'],
    ['numbers below zero', '{{-1}}{{ -1|plus:-2 }}', '{{- 1 }}{{ -1 | plus: -2 }}'],
    ['the second of a line', '   {{ a\n|x }} {{ b\n|y }}', '   {{ a\n     | x }} {{ b\n     | y }}'],
    ['front matter', '---\nslug:   a\n---\n{{b}}', '---\nslug: a\n---\n{{ b }}'],
  ])('puts %s in order', (_what, text, expected) => {
    expect(liquid(text)).toBe(expected)
    expect(liquid(expected)).toBe(expected)
  })

  it('indents the lines of a liquid tag by their blocks', () => {
    const text = `<i>
  {%liquid
assign a=1 # why
if a
    # inside
case a
when 1
echo a


# the other one
when 2
assign b = {
"c": [
1
]
}
endcase
# otherwise
else
function c='x',
d:1
comment
   as it
 was
endcomment
   # the end
endif
-%}
</i>`
    const expected = `<i>
  {% liquid
    assign a = 1 # why
    if a
      # inside
      case a
        when 1
          echo a

        # the other one
        when 2
          assign b = {
            "c": [
              1
            ]
          }
      endcase
    # otherwise
    else
      function c = 'x',
        d: 1
      comment
         as it
       was
      endcomment
      # the end
    endif
  -%}
</i>`
    expect(liquid(text)).toBe(expected)
    expect(liquid(expected)).toBe(expected)
    const crlf = (lines: string): string => lines.replaceAll('\n', '\r\n')
    expect(liquid(crlf(text))).toBe(crlf(expected))
  })

  test.each([
    ['text', '<a   href="x" >{ { a } } { % if % }\n\n\n   </a>'],
    ['what is raw', '{% raw %}{{a|b}}{%if%}{% endraw %}'],
    ['a query in a template', '{% graphql a %}\nquery { a(b:1){c} }\n{% endgraphql %}'],
    ['what is put in before anything is read', '{{<%= a =%>|b}}'],
    ['two statements in a line', '{% liquid\nassign a = 1\n ; assign b=2\n%}'],
  ])('leaves %s as it is', (_what, text) => {
    expect(liquid(text) ?? text).toBe(text)
  })

  test.each([
    ['a tag that nothing ends', '{{a}}{% if b'],
    ['a block that nothing ends', '{% if a %}{{a}}'],
    ['a wrong end', '{{a}}{% if b %}{% endfor %}'],
    ['front matter that nothing ends', '---\nslug:   a\n{{b}}'],
    ['front matter that is no YAML', '---\nslug: "a\n---\n{{b}}'],
  ])('cannot read %s, and tells where', (_what, text) => {
    const formatting = formatFile(fileOf('app/views/pages/x.liquid', text), READING)
    expect(formatting?.edits).toBeNull()
    expect(formatting?.unreadable?.message).toMatch(/\w/)
    expect(formatting?.unreadable?.offset).toBeLessThanOrEqual(text.length)
  })
})

describe('YAML', () => {
  test.each([
    ['blocks', 'a:\n- b: 1\n  c:   2\n-   d:  3\n    e: 4', 'a:\n  - b: 1\n    c: 2\n  - d: 3\n    e: 4'],
    [
      'comments',
      'a:\n      # one\n      b: 1   # two\n# three\nc: 2\n',
      'a:\n  # one\n  b: 1   # two\n# three\nc: 2\n',
    ],
    ['comments behind what is empty', 'a:\n    b:\n# one\nc: 2\n', 'a:\n  b:\n# one\nc: 2\n'],
    ['blank lines', 'a: 1\n\n\n\nb: 2  \n\n', 'a: 1\n\nb: 2\n'],
    [
      'blocks of text',
      'a:\n    b: |\n          x\n\n            y\n    c: 1\n',
      'a:\n  b: |\n    x\n\n      y\n  c: 1\n',
    ],
    ['counted blocks', 'a:\n    b: |2\n         x\n      y\n', 'a:\n  b: |2\n       x\n    y\n'],
    ['texts over lines', 'a:\n    b: "x\n      y"\n', 'a:\n  b: "x\n    y"\n'],
    ['line ends', 'a:\r\n- b:  1\r\n', 'a:\r\n  - b: 1\r\n'],
  ])('puts %s in order', (_what, text, expected) => {
    expect(yaml(text)).toBe(expected)
    expect(yaml(expected)).toBe(expected)
  })

  test.each([
    ['what it cannot read', 'a: [1\nb: "'],
    ['what has two meanings', 'a: {{ b }}\n'],
    ['quotes and numbers', 'a: "1"\nb: \'2\'\nc: 007\nd: yes\ne: 1_000\n'],
  ])('leaves %s as it is', (_what, text) => {
    expect(yaml(text) ?? text).toBe(text)
  })
})

describe('GraphQL', () => {
  test.each([
    [
      'signs',
      'query a($b:ID!,$c:[Int]=[1 2]){d(e:$b,f:{g:1 h:$c})@skip(if:true){...i,j}}',
      'query a($b: ID!, $c: [Int] = [1, 2]) { d(e: $b, f: { g: 1, h: $c }) @skip(if: true) { ...i j } }',
    ],
    [
      'lines',
      'query a {\nb(\nc: 1,\n     d: 2) {\ne\n\n\n# f\n    g # h\n}\n  }',
      'query a {\n  b(\n    c: 1\n    d: 2) {\n    e\n\n    # f\n    g # h\n  }\n}',
    ],
    ['fragments', 'query a{b{...on C{d}...e}}', 'query a { b { ... on C { d } ...e } }'],
    ['blocks of text', 'query a { b(c: """\n  d\n """) }', 'query a { b(c: """\n  d\n """) }'],
    ['line ends', '{\r\na\r\n}\r\n', '{\r\n  a\r\n}\r\n'],
  ])('puts %s in order', (_what, text, expected) => {
    expect(graphql(text)).toBe(expected)
    expect(graphql(expected)).toBe(expected)
  })

  it('cannot read what is none', () => {
    expect(graphql('query {  a(')).toBeNull()
  })
})

describe('whole sites', () => {
  it('compile to the same modules, but for the lines of places', async () => {
    const root = fileURLToPath(new URL('../../../../fixtures/sites/marketplace', import.meta.url))
    const { files } = await discover(root)
    for (const file of files) expect(formatFile(file, READING)?.edits ?? [], file.path).toEqual([])
    const made = generateSite(16).map(({ path, text }) => fileOf(path, text))
    for (const site of [files, made]) {
      const before = site.map((file) => ({ ...file, text: disordered(file) }))
      const after = before.map((file) => ({ ...file, text: formatted(file.path, file.text) ?? file.text }))
      for (const { path, text } of after) expect(formatted(path, text) ?? text, path).toBe(text)
      const changed = after.filter(({ text }, at) => text !== before[at]?.text)
      expect(changed.length).toBeGreaterThan(site.filter(({ path }) => path.endsWith('.liquid')).length / 2)
      expect(modulesOf(after)).toEqual(modulesOf(before))
    }
  })
})

/** Returns a module without the numbers of lines, which decide where its own lines are broken. */
function withoutLayout(text: string): string {
  return text
    .replace(/\s+/g, '')
    .replace(/(?<=\w[fF]ile,)\d+(?=[,)])/g, '0')
    .replace(/,(?=[)\]}])/g, '')
}

/** Returns the texts of all modules without line numbers, white space and the site's fingerprint. */
function modulesOf(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const { modules } = compileEarly(files, {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: true,
    openEntries: false,
    printAs: 'typescript',
    assets: new Map(),
  }).compiledSite
  const texts = modules.map(({ path, body }) => [path, withoutLayout(body.text)] as const)
  return new Map(texts.filter(([path]) => path !== 'fingerprint.ts'))
}

/** Changes the white space in the tags of a template, but not the printed text. Deterministic. */
function disordered({ path, text }: SourceFile): string {
  if (!path.endsWith('.liquid')) return text
  let seed = text.length
  const one = (choice: readonly string[]): string => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return choice[(seed >> 8) % choice.length] ?? ''
  }
  return text
    .replace(/(\{\{-?|\{%-?) (?!-)/g, (_, sign: string) => sign + one(['', ' ', '   ', '\n ']))
    .replace(/ (-?(?:\}\}|%\}))/g, (_, sign: string) => one(['', ' ', '   ', '\n']) + sign)
    .replace(/ \| (?=\w+)/g, () => one(['|', ' |', '| ', '  |  ']))
    .replace(/\{%-?\s*liquid[^]*?%\}/g, (block) => block.replace(/\n +(?=\w)/g, () => `\n${one(['', '   ', '\t'])}`))
}
