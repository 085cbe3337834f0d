/**
 * The changes that diagnostics suggest. Each change is applied to the example of its code; it removes the diagnostic and causes no other.
 */
import { describe, expect, it } from 'vitest'
import type { DiagnosticCode, Edit, Example } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import * as codes from '../../../../compiler/pipeline/diagnostics.ts'
import { findQuickFix, applyEdits } from '../../../../compiler/core/diagnostics/quick-fix.ts'
import { applyFix, diagnosticsOf, fixFor, formatProblems } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const all = Object.values(codes) as unknown as readonly DiagnosticCode<never>[]

/** Codes of diagnostics that no template can cause. */
const UNSEEN: ReadonlySet<string> = new Set([
  'custom-check',
  'custom-check-failed',
  'emitter-bug',
  'unreadable-file',
  'ignored-file',
  'needs-server',
])

function filesOf(example: Example): Files {
  return typeof example === 'string' ? { [PAGE]: example } : example
}

const examples = all
  .filter(({ code }) => !UNSEEN.has(code))
  .map(({ code, examples: { wrong } }) => {
    const files = filesOf(wrong)
    const diagnostics = diagnosticsOf(files)
    const found = diagnostics.find((each) => each.code === code)
    return { code, files, diagnostics, fix: found === undefined ? null : fixFor(found, files) }
  })

describe('the change of an example', () => {
  it.each(examples.flatMap(({ fix, ...rest }) => (fix === null ? [] : [{ fix, ...rest }])))(
    'mends $code',
    ({ code, files, diagnostics, fix }) => {
      const before = formatProblems(diagnostics)
      const after = diagnosticsOf(applyFix(files, fix))
      expect(after.map((each) => each.code)).not.toContain(code)
      expect(formatProblems(after).filter((each) => !before.includes(each))).toEqual([])
      expect(fix.title).toMatch(/^[A-Z][^]{2,120}[^.]$/)
    },
  )

  it('is there for most codes', () => {
    expect(examples.filter(({ fix }) => fix !== null).length).toBeGreaterThan(85)
  })
})

/** Returns the text of a page after an edit at the place marked with `«»`. */
function applyEdit(marked: string, edit: Omit<Edit, 'span'>): string | null {
  const text = marked.replace(/[«»]/g, '')
  const start = marked.indexOf('«')
  const span = { file: PAGE, start, end: marked.indexOf('»') - 1 }
  const diagnostic = {
    code: 'x',
    subject: { kind: 'other' as const, name: '' },
    severity: 'error' as const,
    check: 'X',
    message: 'x',
    span,
    related: [],
    change: { edits: [{ span, ...edit }], safe: true },
  }
  const fix = findQuickFix(diagnostic, () => text)
  return fix === null ? null : applyEdits(text, fix.edits)
}

describe('an edit', () => {
  it.each<[string, Omit<Edit, 'span'>, string | null]>([
    ["{% render «'a.b'» %}", { part: 'a.b', text: 'c' }, "{% render 'c' %}"],
    ['{{ «title_of title» }}', { part: 'title', text: 'x' }, '{{ title_of x }}'],
    ['{{ «titles» }}', { part: 'title', text: 'x' }, null],
    ["{% render 'a', «b»: c[d, e], f: 1 %}", { target: 'argument', text: '' }, "{% render 'a', f: 1 %}"],
    [`{% render 'a', b: 1, «c»: "x, y" -%}`, { target: 'argument', text: '' }, `{% render 'a', b: 1 -%}`],
    ["{{ 'a' | t: «b»: 1, c: 2 }}", { target: 'argument', text: '' }, "{{ 'a' | t: c: 2 }}"],
    ['a {%- if «b» -%} c', { target: 'markup', text: '' }, 'a  c'],
    [
      '{% liquid\n  assign a = «b»\n  echo a\n%}',
      { target: 'markup', part: 'a', text: 'c' },
      '{% liquid\n  assign c = b\n  echo a\n%}',
    ],
    [
      '{% liquid\n  redirect_to «b»\n%}',
      { target: 'after markup', text: '{% return %}' },
      '{% liquid\n  redirect_to b\n  return\n%}',
    ],
    [
      "{% redirect_to «'/'» %}x",
      { target: 'after markup', text: '{% return %}' },
      "{% redirect_to '/' %}{% return %}x",
    ],
    ['a:\n  - «b»:\n      c: 1\n    d: 2\n  - e\n', { target: 'entry', text: '' }, 'a:\n  - e\n'],
    ['a: { «b»: 1 }\n', { target: 'entry', text: '' }, null],
    [
      'x «a» y {{ a }} {% if a == ab %}',
      { target: 'file', part: 'a', every: true, text: 'z' },
      'x a y {{ z }} {% if z == ab %}',
    ],
    ['«a+b»', { match: '(a)\\+(b)', text: '$2$$$1' }, 'b$a'],
  ])('of %s', (marked, edit, expected) => expect(applyEdit(marked, edit)).toBe(expected))
})

describe('the change of a tag', () => {
  it.each<[string, string, string | null]>([
    ['that is called otherwise now', `{% hash_assign h['a'] = 1 %}`, `{% assign h['a'] = 1 %}`],
    ['whose successor has no body: none', `{% parse_json h %}{ "a": 1 }{% endparse_json %}`, null],
    ['whose successor names its result elsewhere: none', `{% execute_query 'q', result_name: 'h' %}`, null],
    [
      'with a label before its body',
      `{% background 'later', a: 1 %}{% log a %}{% endbackground %}`,
      `{% background source_name: 'later', a: 1 %}{% log a %}{% endbackground %}`,
    ],
    ['that runs a partial', `{% background 'later', a: 1 %}`, `{% background job = 'later', a: 1 %}`],
  ])('%s', (_, text, after) => {
    const around = (tag: string) => `{% assign h = {} %}${tag}{{ h }}`
    const files = { [PAGE]: around(text), 'app/graphql/q.graphql': 'query { users(per_page: 1) { total_entries } }' }
    const found = diagnosticsOf(files).find(({ span }) => span.file === PAGE)
    const fix = found === undefined ? null : fixFor(found, files)
    expect(found).toBeDefined()
    expect(fix && applyFix(files, fix)[PAGE]).toBe(after && around(after))
  })
})

describe('a change that nobody needs to look at', () => {
  const QUERY = 'app/graphql/q.graphql'
  const asks = (table: string) =>
    `query { records(per_page: 1, filter: { table: { value: "${table}" } }) { total_entries } }`
  it.each<[string, Files, boolean]>([
    ['is another name of the same filter', { [PAGE]: `{{ '2026-01-02' | date_before: '2026-01-03' }}` }, true],
    ['is none by another filter: a file', { [PAGE]: `{{ 'a.css' | asset_path }}` }, false],
    ['is none by another filter: lines', { [PAGE]: `{% assign text = context.params.a | nl2br %}{{ text }}` }, false],
    ['is a slip in the name of a table', { [QUERY]: asks('shop_window_setings') }, true],
    ['is none to the nearest of the tables', { [QUERY]: asks('shop_window_analytics') }, false],
  ])('%s', (_, files, isSafe) => {
    const found = diagnosticsOf({
      [PAGE]: "{% graphql q = 'q' %}{{ q }}",
      [QUERY]: asks('shop_window_settings'),
      'app/schema/shop_window_settings.yml': 'name: shop_window_settings\nproperties:\n  - name: a\n',
      'app/assets/a.css': '',
      ...files,
    }).filter(({ severity }) => severity !== 'info')
    expect(found.map(({ change }) => change?.safe)).toEqual([isSafe])
  })
})
