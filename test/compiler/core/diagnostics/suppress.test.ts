/** Suppressed errors: the site is built, and the faulty code fails at run time. */
import { describe, expect, it } from 'vitest'
import { compile, compileEarly } from '../../../../compiler/compile.ts'
import { runSteps } from '../../../../compiler/core/model/steps.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'
import { diagnosticsOf } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const OPTIONS = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const

const ROWS: readonly (readonly [what: string, name: string, fails: string])[] = [
  ['a partial that is not there', 'MissingPartial', "{% render 'nowhere' %}"],
  ['a filter that is not there', 'UnknownFilter', "{{ 'a' | upcas }}"],
  ['a tag that cannot be read', 'LiquidHTMLSyntaxError', '{% render %}'],
  ['a block that is never closed', 'unclosed-tag', '{% if context.params.a %}'],
  ['a tag that is not there', 'LiquidHTMLSyntaxError', '{% nothing_like_it %}'],
  ['a comparison that raises', 'WS20', "{% if 'a' > 3 %}x{% endif %}"],
]

describe('before all warnings are found', () => {
  const files: Files = { [PAGE]: '{{ context.params.a | html_safe }}' }
  const first = (more: Files) => compileEarly(filesFromTexts({ ...files, ...more }, false), OPTIONS)

  it('the modules are there, and the warnings come behind', () => {
    const { compiledSite, checkWarnings } = first({})
    expect(compiledSite.diagnostics).toEqual([])
    expect(compiledSite.modules.length).toBeGreaterThan(0)
    expect(runSteps(checkWarnings()).map(({ code }) => code)).toEqual(['unescaped-input'])
  })

  it('a site that takes one for an error is refused for it', () => {
    const { compiledSite } = first({
      '.platformos-check.yml': 'unescaped-input:\n  enabled: true\n  severity: error\n',
    })
    expect(compiledSite.diagnostics.map(({ severity }) => severity)).toEqual(['error'])
    expect(compiledSite.modules).toEqual([])
  })
})

describe('the configuration of the checks', () => {
  it('has no misspelled names; unknown ones may be of other checkers', () => {
    const text = [
      'root: app',
      'extends: platformos-check:recommended',
      'UnknwonFilter:',
      '  enabled: false',
      'UnusedAssign:',
      '  enbled: true',
      '  severity: 1',
      '  max_length: 3',
      'SomethingElse:',
      '  enabled: false',
      'unescapd-input:',
      '  enabled: true',
      'unescaped-input:',
      '  enabled: true',
      'ignor:',
      '  - x',
    ].join('\n')
    const { diagnostics } = compile(filesFromTexts({ [PAGE]: 'x', '.platformos-check.yml': text }, false), OPTIONS)
    expect(diagnostics.map(({ code, hint, span }) => [code, text.slice(span.start, span.end), hint])).toEqual([
      ['unknown-setting', 'UnknwonFilter', 'Did you mean `UnknownFilter`?'],
      ['unknown-setting', 'enbled', 'Did you mean `enabled`?'],
      ['unknown-setting', 'unescapd-input', 'Did you mean `unescaped-input`?'],
      ['unknown-setting', 'ignor', 'Did you mean `ignore`?'],
    ])
  })
})

describe('a certain error under a comment', () => {
  it.each(ROWS)('%s', async (_what, name, fails) => {
    const text = `a\n{% # platformos-check-disable ${name} %}\n${fails}`
    const files: Files = { [PAGE]: text, 'app/views/pages/other.liquid': 'other' }
    const { modules, diagnostics } = compile(filesFromTexts(files, false), OPTIONS)
    expect(diagnostics.map(({ severity }) => severity)).toContain('warning')
    expect(diagnostics.map(({ severity }) => severity)).not.toContain('error')
    expect(diagnostics[0]?.related.at(-1)?.span.start).toBe(2)
    expect(modules.length).toBeGreaterThan(0)
    const engine = createEngine({ files })
    expect(await engine.render('app/views/pages/other.liquid')).toBe('other')
    await expect(engine.render(PAGE, { context: { params: { a: 1 } } })).rejects.toThrow()
  })

  it.each([
    ['a query', { 'app/graphql/a.graphql': '# platformos-check-disable GraphQLCheck\nquery { recordz { id } }' }],
    ['a table', { 'app/schema/a.yml': '# platformos-check-disable YAMLSyntaxError\nname: [1, 2' }],
    [
      'front matter',
      { 'app/views/pages/b.liquid': '---\n# platformos-check-disable YAMLSyntaxError\nslug: "a\n---\nb' },
    ],
  ])('in %s', (_where, more) => {
    const files: Files = { [PAGE]: 'x', ...more }
    const { modules, diagnostics } = compile(filesFromTexts(files, false), OPTIONS)
    expect(diagnostics.filter(({ severity }) => severity !== 'info').map(({ severity }) => severity)).toEqual([
      'warning',
    ])
    expect(modules.length).toBeGreaterThan(0)
  })

  it('stays an error without it', () => {
    for (const [, , fails] of ROWS) expect(diagnosticsOf({ [PAGE]: `a\n${fails}` })[0]?.severity, fails).toBe('error')
  })
})
