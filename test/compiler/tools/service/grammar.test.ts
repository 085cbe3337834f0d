/** The TextMate grammar of the extension, which colors Liquid before the server has answered. Tested with VS Code's own engine. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import oniguruma from 'vscode-oniguruma'
import textmate, { type IGrammar, type IRawGrammar } from 'vscode-textmate'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../../house/sources.ts'

const FOLDER = join(root, 'compiler/tools/service/vscode')
const OWN: Readonly<Record<string, string>> = {
  'text.html.liquid': 'syntaxes/liquid.tmLanguage.json',
  'liquid.in-yaml': 'syntaxes/liquid-in-yaml.tmLanguage.json',
}

/** Replacements for the editor's grammars of other languages. */
const OTHERS: Readonly<Record<string, readonly object[]>> = {
  'text.html.basic': [
    {
      name: 'meta.tag.html',
      begin: '<(?!script|style)[a-z/]+',
      end: '>',
      patterns: [{ name: 'string.quoted.double.html', begin: '"', end: '"' }],
    },
    { begin: '<script>', end: '</script>', contentName: 'source.js', patterns: [{ include: 'source.js' }] },
    { begin: '<style>', end: '</style>', contentName: 'source.css', patterns: [{ include: 'source.css' }] },
    { name: 'comment.block.html', begin: '<!--', end: '-->' },
  ],
  'source.yaml': [
    { name: 'comment.line.yaml', match: '#.*$' },
    { name: 'string.quoted.double.yaml', begin: '"', end: '"' },
    { name: 'entity.name.tag.yaml', match: '\\w+(?=:)' },
  ],
  'source.graphql': [{ name: 'keyword.operation.graphql', match: 'query|mutation' }],
  'source.json': [{ name: 'string.json', begin: '"', end: '"' }],
  'source.js': [
    { name: 'storage.type.js', match: '\\bvar\\b' },
    { name: 'string.quoted.single.js', begin: "'", end: "'" },
  ],
  'source.css': [{ name: 'meta.property-list.css', begin: '\\{', end: '\\}' }],
}

let registry: textmate.Registry
let grammar: IGrammar

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'))
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength))
  registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope) => Promise.resolve(rawGrammar(scope)),
    getInjections: (scope) => (scope === 'source.yaml' ? ['liquid.in-yaml'] : undefined),
  })
  grammar = (await registry.loadGrammar('text.html.liquid')) as IGrammar
})

function rawGrammar(scopeName: string): IRawGrammar | null {
  const own = OWN[scopeName]
  if (own !== undefined) return textmate.parseRawGrammar(readFileSync(join(FOLDER, own), 'utf8'), own)
  const patterns = OTHERS[scopeName]
  return patterns === undefined ? null : textmate.parseRawGrammar(JSON.stringify({ scopeName, patterns }), 'x.json')
}

/** Returns the scopes of the first occurrence of a word. */
function scopesOf(text: string, word: string, of: IGrammar = grammar): readonly string[] {
  let stack = textmate.INITIAL
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = of.tokenizeLine(line, stack)
    const at = line.indexOf(word)
    if (at >= 0) return tokens.find(({ startIndex, endIndex }) => startIndex <= at && at < endIndex)?.scopes ?? []
    stack = ruleStack
  }
  throw new Error(`'${word}' stands nowhere`)
}

describe('the grammar', () => {
  test.each([
    ["{% assign soup = 'a' | upcase %}", 'assign', 'keyword.other.liquid'],
    ["{% assign soup = 'a' | upcase %}", 'soup', 'variable.other.liquid'],
    ["{% assign soup = 'a' | upcase %}", "'a'", 'punctuation.definition.string.begin.liquid'],
    ["{% assign soup = 'a' | upcase %}", 'upcase', 'support.function.filter.liquid'],
    ['{%- if a contains b -%}', 'if', 'keyword.control.liquid'],
    ['{%- if a contains b -%}', 'contains', 'keyword.operator.word.liquid'],
    ["{% render 'x', with: 1 %}", 'with', 'variable.parameter.liquid'],
    ['{{ a.size }}', 'size', 'variable.other.property.liquid'],
    ['{{ a }}', 'a', 'meta.output.liquid'],
    ['{% assign a = "x {{ soup }} y" %}', 'soup', 'meta.embedded.line.liquid'],
    ['{% assign a = "x {{ soup }} y" %}{{ z }}', 'z', 'meta.output.liquid'],
    ['{% liquid\n  assign a = 1 # why\n  if a\n%}', 'assign', 'keyword.other.liquid'],
    ['{% liquid\n  assign a = 1 # why\n  if a\n%}', 'why', 'comment.line.number-sign.liquid'],
    ['{% liquid\n  assign a = 1\n  if a\n%}', 'if', 'keyword.control.liquid'],
    ['{% comment %}{{ a }}{% endcomment %}', 'a }}', 'comment.block.liquid'],
    ['{% # a %}', 'a', 'comment.block.liquid'],
    ['{% raw %}{{ a }}{% endraw %}', 'a }}', 'string.unquoted.raw.liquid'],
    ['{% raw %}{{ a }}{% endraw %}{{ b }}', 'b', 'meta.output.liquid'],
    ['{% doc %}\n  @param {string} title - x\n{% enddoc %}', 'title', 'variable.parameter.doc.liquid'],
    ['---\nslug: a # b\n---\n{{ c }}', 'slug', 'entity.name.tag.yaml'],
    ['---\nslug: "{{ a }}"\n---\n', 'a }}', 'meta.output.liquid'],
    ['---\nslug: a\n---\n{{ soup }}', 'soup', 'meta.output.liquid'],
    ['{% graphql a %}\nquery { b }\n{% endgraphql %}', 'query', 'meta.embedded.block.graphql'],
    ['{% graphql a %}\nquery { b(c: {{ soup }}) }\n{% endgraphql %}', 'soup', 'meta.output.liquid'],
    ["{% graphql a = 'b' %}<i>query</i>", 'query', 'text.html.liquid'],
    ['{% parse_json a %}{ "b": 1 }{% endparse_json %}', '"b"', 'meta.embedded.block.json'],
    ['<a href="/{{ soup }}">', 'soup', 'string.quoted.double.html'],
    ['<a href="/{{ soup }}">', 'soup', 'meta.output.liquid'],
    ["<script>var a = '{{ soup }}'</script>", 'soup', 'string.quoted.single.js'],
    ["<script>var a = '{{ soup }}'</script>", 'soup', 'meta.output.liquid'],
    ['<style>a { b: {{ soup }} }</style>', 'soup', 'meta.output.liquid'],
    ['<!-- {{ soup }} -->', 'soup', 'meta.output.liquid'],
    ['<%= soup =%>', 'soup', 'variable.other.constant.liquid'],
  ])('reads %j so that %j is %s', (text, word, scope) => {
    expect(scopesOf(text, word).flatMap((each) => each.split(' '))).toContain(scope)
  })

  test('goes on behind a quote that nothing ends', () => {
    expect(scopesOf("{% assign a = 'b %}\n<b>{{ soup }}", 'soup')).toContain('meta.output.liquid')
    expect(scopesOf("{% graphql a = 'b' %}<i>query</i>", 'query')).toEqual(['text.html.liquid'])
  })

  test('reads Liquid in files of YAML', async () => {
    const yaml = (await registry.loadGrammar('source.yaml')) as IGrammar
    expect(scopesOf('a: "{{ soup | upcase }}"', 'upcase', yaml)).toContain('support.function.filter.liquid')
    expect(scopesOf('# {{ soup }}', 'soup', yaml)).toEqual(['source.yaml', 'comment.line.yaml'])
  })
})
