/** The output formats of diagnostics, name suggestions, and suppressions. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { DiagnosticCode, Diagnostic, Severity } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import { printGithub } from '../../../../compiler/core/diagnostics/github.ts'
import * as codes from '../../../../compiler/pipeline/diagnostics.ts'
import { jsonDiagnostics, printJson } from '../../../../compiler/core/diagnostics/json.ts'
import { printDiagnostics, SEVERITIES, summary } from '../../../../compiler/core/diagnostics/print.ts'
import { printSarif } from '../../../../compiler/core/diagnostics/sarif.ts'
import { distance, findNearest } from '../../../../compiler/core/diagnostics/suggest.ts'
import {
  applySuppressions,
  globPattern,
  type LintConfig,
  NO_LINT_CONFIG,
} from '../../../../compiler/core/diagnostics/suppress.ts'
import {
  withArticle,
  joinWithOr,
  formatCount,
  joinWithAnd,
  quote,
} from '../../../../compiler/core/diagnostics/words.ts'
import { span } from '../../../../compiler/core/source/span.ts'

const folder = fileURLToPath(new URL('../../../../compiler/core/diagnostics', import.meta.url))
const all = Object.entries(codes) as unknown as [string, DiagnosticCode<never>][]

const codeFiles = [`${folder}/codes`, `${folder}/../../phases/check/rules`].flatMap((codesFolder) =>
  readdirSync(codesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: group }) =>
      readdirSync(`${codesFolder}/${group}`).map((file) => ({ group, code: file.replace(/\.ts$/, '') })),
    ),
)

function camelCase(code: string): string {
  return code.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

describe('the registry', () => {
  it('has every code, under its own name', () => {
    const files = codeFiles.map(({ code }) => code)
    expect(all.map(([, code]) => code.code).toSorted()).toEqual(files.toSorted())
    for (const [name, code] of all) expect(name).toBe(camelCase(code.code))
  })

  it('is described by the page beside it, each code under the heading of its folder', () => {
    const readme = readFileSync(`${folder}/README.md`, 'utf8')
    const described = readme.split(/^### /m).flatMap((section) => {
      const group = /^.+ \(`([a-z-]+)\/`\)$/m.exec(section)?.[1]
      return [...section.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => `${group}/${name}`)
    })
    expect(described.toSorted()).toEqual(codeFiles.map(({ group, code }) => `${group}/${camelCase(code)}`).toSorted())
  })

  it('has a wrong and a right example for each', () => {
    for (const [, code] of all) {
      expect(code.check).toMatch(/^[A-Z]\w+$/)
      expect(code.examples.right, code.code).not.toEqual(code.examples.wrong)
    }
  })
})

describe('a name', () => {
  const filters = ['upcase', 'downcase', 'append', 'prepend', 'size', 'array_sum', 'hash_dig', 't']

  it.each([
    ['upcas', 'upcase'],
    ['pucase', 'upcase'],
    ['apend', 'append'],
    ['sise', 'size'],
    ['arraysum', 'array_sum'],
    ['array-sum', 'array_sum'],
    ['Hash_Dig', 'hash_dig'],
    ['T', 't'],
    ['x', null],
    ['upcase', null],
    ['something_else', null],
    ['', null],
    ['u'.repeat(5000), null],
  ])('%s is near %s', (name, found) => expect(findNearest(name, filters)).toBe(found))

  it('is as far from another as it takes edits', () => {
    expect([distance('', 'abc'), distance('abc', 'abc'), distance('ab', 'ba'), distance('kitten', 'sitting')]).toEqual([
      3, 0, 1, 3,
    ])
  })

  it('goes into sentences', () => {
    expect(quote(`a\n  ${'b'.repeat(100)}`)).toBe(`\`a ${'b'.repeat(57)}…\``)
    expect([joinWithAnd([]), joinWithAnd(['a']), joinWithAnd(['a', 'b', 'c']), joinWithOr(['a', 'b'])]).toEqual([
      '',
      '`a`',
      '`a`, `b` and `c`',
      '`a` or `b`',
    ])
    expect(joinWithAnd(['a', 'b', 'c', 'd'], 2)).toBe('`a`, `b` and 2 more')
    expect([
      formatCount(1, 'file'),
      formatCount(2, 'file'),
      withArticle('array'),
      withArticle('number'),
      withArticle('text'),
    ]).toEqual(['1 file', '2 files', 'an array', 'a number', 'text'])
  })
})

const texts: Record<string, string> = {
  'app/views/pages/lists.liquid': [
    '---',
    'slug: lists',
    '---',
    '<ul>',
    '\t<li>{{ list.titel | upcase }}</li>\r',
    '日本語 {{ x | upcas }}',
    '{% if a %}',
    '  x',
    '',
    '{% endi',
  ].join('\n'),
  'app/graphql/search.graphql': 'query {\n  results { id title }\n}\n',
}
const textOf = (file: string) => texts[file]
const page = 'app/views/pages/lists.liquid'

function at(file: string, part: string) {
  const start = texts[file]!.indexOf(part)
  return span(file, start, start + part.length)
}

const unknownProperty = codes.unknownProperty(
  at(page, 'titel'),
  'list',
  'titel',
  ['id', 'title'],
  at('app/graphql/search.graphql', 'results'),
)

describe('print', () => {
  const print = (diagnostics: readonly Diagnostic[], width = 100) =>
    printDiagnostics(diagnostics, { findText: textOf, color: false, width })

  it('shows the line, the words, the related place and a hint', () => {
    expect(print([unknownProperty])).toBe(`app/views/pages/lists.liquid:5:14  warning  unknown-property
  5 |   <li>{{ list.titel | upcase }}</li>
    |               ^^^^^ \`list\` has no property \`titel\`.
  app/graphql/search.graphql:2:3  its properties are \`id\` and \`title\`
  2 |   results { id title }
    |   ^^^^^^^
  hint: did you mean \`title\`?

1 warning in 1 file
`)
  })

  it('counts wide characters as two columns', () => {
    expect(print([codes.unknownFilter(at(page, 'upcas }}'), 'upcas', [])])).toContain(
      '  6 | 日本語 {{ x | upcas }}\n    |               ^^^^^^^^ There is no filter',
    )
  })

  it('shows the first and the last line of a long place', () => {
    expect(
      print([codes.unclosedTag(at(page, '{% if a %}\n  x\n\n{% endi'), 'if')]),
    ).toContain(`lists.liquid:7:1  error  unclosed-tag
  7 | {% if a %}
    | ^^^^^^^^^^
    ⋮
 10 | {% endi
    | ^^^^^^^ The tag \`if\` is never closed.
`)
  })

  it('shows a place behind the last character', () => {
    const end = texts[page]!.length
    for (const place of [span(page, end, end), span(page, end + 50, end + 60)])
      expect(print([codes.unclosedTag(place, 'if')])).toContain(' 10 | {% endi\n    |        ^ The tag')
  })

  it('says only the words for a file without a text, and for a whole file', () => {
    expect(print([codes.unreadableFile(span('app/x.liquid', 0, 0), 'it is not UTF-8 text')])).toBe(
      'app/x.liquid:1:1  error  unreadable-file\n    This file cannot be read: it is not UTF-8 text.\n\n1 error in 1 file\n',
    )
    expect(print([codes.unusedPartial(span(page, 0, 0), 'lists')])).toContain(
      'unused-partial\n    The partial `lists` is never called.\n',
    )
  })

  it('cuts long lines around the place and long messages between words', () => {
    texts['long.liquid'] = `${'x'.repeat(300)}{{ y | upcas }}${'z'.repeat(300)}`
    const printed = print([codes.unknownFilter(at('long.liquid', 'upcas'), 'upcas', [])], 60)
    const lines = printed.split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(lines[1]).toMatch(/^ {2}1 \| …x+\{\{ y \| upcas \}\}z+…$/)
    expect(lines[2]!.indexOf('^')).toBe(lines[1]!.indexOf('upcas'))
    const whole = print([codes.unknownFilter(span('long.liquid', 0, 600), 'upcas', [])], 60).split('\n')
    expect(Math.max(...whole.map((line) => line.length))).toBeLessThanOrEqual(60)
  })

  it('gives a terminal nothing to obey', () => {
    texts['evil.liquid'] = '{{ "\u001b[31m\u202e" | upcas }}'
    const printed = print([codes.missingPartial(at('evil.liquid', 'upcas'), '\u001b]0;x\u0007', [])])
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    expect(printed).toContain('␛[31m')
  })

  it('folds what comes up often, errors first', () => {
    const often = Array.from({ length: 6 }, (_, at) => codes.unusedPartial(span(`p${at}`, 0, 0), `p${at}`))
    const error = codes.unclosedTag(span('b', 0, 1), 'if')
    const folded = (all: readonly Diagnostic[], which: readonly Severity[] = SEVERITIES) =>
      printDiagnostics(all, { findText: textOf, color: false, folded: which })
    const printed = folded([...often, error])
    expect(printed.startsWith('b:1:1  error')).toBe(true)
    expect(printed.split(often[0]!.code)).toHaveLength(3)
    expect(printed).toContain(`5 more of ${often[0]!.code}: p1:1:1, p2:1:1, p3:1:1, p4:1:1, p5:1:1\n`)
    expect(folded(often.slice(1)).split(often[0]!.code)).toHaveLength(6)
    const many = Array.from({ length: 100 }, (_, at) => codes.unusedPartial(span(`p${at}`, 0, 0), 'p'))
    expect(folded(many).replace(/\s+/g, ' ')).toContain('p40:1:1, and 59 more ')
    const errors = Array.from({ length: 6 }, () => error)
    const whole = folded([...often, ...errors], ['warning', 'info'])
    expect(whole.match(/ error {2}/g)).toHaveLength(6)
    expect(whole.match(/ info {2}/g)).toHaveLength(1)
    expect(whole.indexOf(' info  ')).toBeGreaterThan(whole.lastIndexOf(' error  '))
    expect(folded([...often, error], []).match(/ info {2}/g)).toHaveLength(6)
  })

  it('has colours when asked', () => {
    expect(printDiagnostics([unknownProperty], { findText: textOf, color: true })).toContain(
      '\u001b[33mwarning\u001b[39m',
    )
  })

  it('of nothing is empty, and the summary counts', () => {
    expect(print([])).toBe('')
    expect(summary([])).toBe('nothing to report')
    const error = codes.unclosedTag(span('b', 0, 1), 'if')
    const remark = codes.unusedPartial(span('c', 0, 0), 'c')
    expect(summary([error, error, unknownProperty, remark])).toBe('2 errors, 1 warning, 1 remark in 3 files')
  })
})

describe('for programs', () => {
  it('json has lines and columns of every place', () => {
    expect(jsonDiagnostics([unknownProperty], textOf)).toEqual([
      {
        code: 'unknown-property',
        severity: 'warning',
        message: '`list` has no property `titel`.',
        hint: 'Did you mean `title`?',
        check: 'UnknownProperty',
        file: page,
        line: 5,
        column: 14,
        endLine: 5,
        endColumn: 19,
        fix: {
          title: 'Write `title`',
          safe: false,
          edits: [{ file: page, line: 5, column: 14, endLine: 5, endColumn: 19, start: 38, end: 43, text: 'title' }],
        },
        related: [
          {
            file: 'app/graphql/search.graphql',
            line: 2,
            column: 3,
            endLine: 2,
            endColumn: 10,
            message: 'its properties are `id` and `title`',
          },
        ],
      },
    ])
    expect(JSON.parse(printJson([], textOf))).toEqual([])
  })

  it('github commands are escaped', () => {
    expect(printGithub([unknownProperty], textOf)).toBe(
      '::warning file=app/views/pages/lists.liquid,line=5,endLine=5,col=14,endColumn=18,title=unknown-property::`list` has no property `titel`.%0ADid you mean `title`?\n',
    )
    const odd: Diagnostic = { ...unknownProperty, message: '100%\r\n::error::x', span: span('a,b:c%.liquid', 0, 0) }
    expect(printGithub([odd], textOf)).toMatch(/^::warning file=a%2Cb%3Ac%25\.liquid,.*::100%25%0D%0A::error::x%0ADid/)
    expect(printGithub([odd], textOf).trimEnd().split('\n')).toHaveLength(1)
    expect(printGithub([codes.unusedPartial(span(page, 0, 0), 'x')], textOf)).toMatch(/^::notice /)
    expect(printGithub([codes.unclosedTag(at(page, '{% if a %}\n  x'), 'if')], textOf)).not.toContain('col=')
  })

  it('sarif is a log of version 2.1.0 with the rules that occur', () => {
    const remark = codes.unusedPartial(span('app/views/partials/ä b.liquid', 0, 0), 'x')
    const text = printSarif([unknownProperty, remark], {
      findText: textOf,
      codes: all.map(([, code]) => code),
      version: '1.2.3',
    })
    const log = JSON.parse(text)
    expect(log.version).toBe('2.1.0')
    const [run] = log.runs
    expect(run.tool.driver).toMatchObject({ name: 'Ingot', version: '1.2.3' })
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id).toSorted()).toEqual([
      'unknown-property',
      'unused-partial',
    ])
    for (const rule of run.tool.driver.rules) {
      expect(rule.help.text).toMatch(/^Wrong:\n[\s\S]+\n\nRight:\n[\s\S]+/)
      expect(['error', 'warning', 'note']).toContain(rule.defaultConfiguration.level)
    }
    expect(run.results).toHaveLength(2)
    for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
    expect(run.results[0]).toMatchObject({
      level: 'warning',
      message: { text: '`list` has no property `titel`.\nDid you mean `title`?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: page, uriBaseId: 'SITE' },
            region: { startLine: 5, startColumn: 14, endLine: 5, endColumn: 19 },
          },
        },
      ],
      relatedLocations: [{ id: 0, message: { text: 'its properties are `id` and `title`' } }],
    })
    expect(run.results[1].locations[0].physicalLocation.artifactLocation.uri).toBe(
      'app/views/partials/%C3%A4%20b.liquid',
    )
  })
})

/** Returns a linter configuration with one check. */
function check(
  name: string,
  more: Partial<LintConfig['checks'] extends ReadonlyMap<string, infer Check> ? Check : never>,
): LintConfig {
  return { ...NO_LINT_CONFIG, checks: new Map([[name, { enabled: true, severity: null, ignore: [], ...more }]]) }
}

describe('an author can leave out', () => {
  const asset = (text: string, part = 'X') =>
    codes.missingAsset(span('a.liquid', text.indexOf(part), text.indexOf(part) + 1), 'x', [])
  const left = (text: string, config: LintConfig = NO_LINT_CONFIG, parts = ['X']) =>
    applySuppressions(
      parts.map((part) => asset(text, part)),
      () => text,
      config,
    ).length

  it.each([
    ['X', 1],
    ['{% # platformos-check-disable MissingAsset %}X', 0],
    ['{% # platformos-check-disable missing-asset %}X', 0],
    ['{% # platformos-check-disable %}X', 0],
    ['{%- # platformos-check-disable UnusedAssign, MissingAsset -%}X', 0],
    ['{% # platformos-check-disable UnusedAssign,MissingAsset%}X', 0],
    ['{% # platformos-check-disable UnusedAssign %}X', 1],
    ['{% # platformos-check-disable missing-asset-x %}X', 1],
    ['{% comment %}platformos-check-disable MissingAsset{% endcomment %}X', 0],
    ['a\n{% # platformos-check-disable MissingAsset %}b{% # platformos-check-enable MissingAsset %}X', 1],
    ['a\n{% # platformos-check-disable MissingAsset %}b{% # platformos-check-enable %}X', 1],
    ['a\n{% # platformos-check-disable MissingAsset %}b{% # platformos-check-enable UnusedAssign %}X', 0],
    ['a\nX{% # platformos-check-disable MissingAsset %}', 1],
    ['X{% # platformos-check-disable MissingAsset %}', 1],
    ['\n{% # platformos-check-disable MissingAsset %}\nX', 0],
    ['---\nslug: X\n---\n{% # platformos-check-disable MissingAsset %}', 0],
    ['{% liquid\n  # platformos-check-disable MissingAsset\n  echo X\n%}', 0],
    ['# platformos-check-disable MissingAsset\nen: X', 0],
    ['{% # platformos-check-disable-something MissingAsset %}X', 1],
  ])('%j', (text, count) => expect(left(text)).toBe(count))

  it('a check, a check in some files, or all but some checks, by the configuration', () => {
    expect(left('X', check('MissingAsset', { enabled: false }))).toBe(0)
    expect(left('X', check('MissingAsset', { ignore: ['b.liquid'] }))).toBe(1)
    expect(left('X', check('MissingAsset', { ignore: ['*.liquid'] }))).toBe(0)
    expect(left('X', { ...NO_LINT_CONFIG, ignore: ['a.*'] })).toBe(0)
    expect(left('X', { ...NO_LINT_CONFIG, base: 'none' })).toBe(0)
    expect(left('X', { ...check('MissingAsset', {}), base: 'none' })).toBe(1)
    expect(applySuppressions([asset('X')], () => 'X', check('MissingAsset', { severity: 'error' }))[0]?.severity).toBe(
      'error',
    )
  })

  it.each([
    ['a comment', '{% # platformos-check-disable %}{% if', NO_LINT_CONFIG],
    ['the configuration', '{% if', { ...NO_LINT_CONFIG, ignore: ['**'] }],
    ['a severity', '{% if', check('LiquidHTMLSyntaxError', { severity: 'info' })],
    ['a check that is off', '{% if', check('unclosed-tag', { enabled: false })],
  ] as const)('no error by %s: it becomes a warning', (_by, text, config) => {
    const error = codes.unclosedTag(span('a.liquid', text.indexOf('{% if'), text.length), 'if')
    const [left, ...more] = applySuppressions([error], () => text, config)
    expect(left).toMatchObject({ code: 'unclosed-tag', severity: 'warning' })
    expect(more).toEqual([])
  })

  it('nothing of what the compiler says of itself', () => {
    const bug = codes.emitterBug(span('a.liquid', 40, 41), 'x')
    expect(applySuppressions([bug], () => `{% # platformos-check-disable %}${' '.repeat(20)}`)).toEqual([bug])
  })

  it.each([
    ['a\n{% # platformos-check-disable MissingAsset %}\nX', []],
    ['a\n{% # platformos-check-disable UnusedAssign %}\nX', ['`UnusedAssign`']],
    ['a\n{% # platformos-check-disable MissingAsset, UnusedAssign %}\nX', ['`UnusedAssign`']],
    ['a\n{% # platformos-check-disable %}\nX', []],
    ['a\nX\n{% # platformos-check-disable %}', ['nothing.']],
    [
      'a\n{% # platformos-check-disable MissingAsset %}{% # platformos-check-enable MissingAsset %}\nX',
      ['`MissingAsset`'],
    ],
    ['{% # platformos-check-disable missing-asset %}\n{% # platformos-check-disable MissingAsset %}\nX', []],
  ])('a comment that silences nothing is told: %j', (text, words) => {
    const told = applySuppressions([asset(text)], () => text, NO_LINT_CONFIG, ['a.liquid'])
    const idle = told.filter(({ code }) => code === 'useless-suppression')
    expect(idle.map(({ severity }) => severity)).toEqual(words.map(() => 'info'))
    for (const [at, word] of words.entries()) expect(idle[at]?.message).toContain(word)
    expect(applySuppressions([asset(text)], () => text).some(({ code }) => code === 'useless-suppression')).toBe(false)
  })

  it('a comment is of use where the configuration leaves out the same', () => {
    const text = '{% # platformos-check-disable MissingAsset %}X'
    const config = { ...NO_LINT_CONFIG, ignore: ['a.*'] }
    expect(applySuppressions([asset(text)], () => text, config, ['a.liquid'])).toEqual([])
  })

  it.each([
    ['modules/**', 'modules/core/public/x.liquid', true],
    ['modules', 'modules/core/public/x.liquid', true],
    ['modules/', 'modules/core/x.liquid', true],
    ['./app/lib', 'app/lib/x.liquid', true],
    ['app/*/x.liquid', 'app/lib/x.liquid', true],
    ['app/*/x.liquid', 'app/lib/y/x.liquid', false],
    ['app/**/x.liquid', 'app/x.liquid', true],
    ['app/**/x.liquid', 'app/a/b/x.liquid', true],
    ['*.liquid', 'app/a/x.liquid', true],
    ['app/{lib,views}/*', 'app/views/x.liquid', true],
    ['app/{lib,views}/*', 'app/forms/x.liquid', false],
    ['app/a?.liquid', 'app/ab.liquid', true],
    ['app/a.liquid', 'app/axliquid', false],
    ['app/[x]{', 'app/[x]{', true],
  ])('the files of %s: %s', (glob, path, fits) => expect(globPattern(glob).test(path)).toBe(fits))
})
