/** Extremely nested texts are refused at the first level above the limit, in little time and memory. */
import { describe, expect, it } from 'vitest'
import { printDiagnostics } from '../../../../compiler/core/diagnostics/print.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { product } from '../../../support/product.ts'
import { checkFiles, PAGE } from '../../../support/compiler/check.ts'
import { measureCost } from '../../../support/cost.ts'

const DEEP = 5_000
const times = (text: string, count = DEEP): string => text.repeat(count)

/** Block tags by name. */
const BLOCKS = [
  'if a',
  'unless a',
  'for a in b',
  'case a %}{% when 1',
  'capture a',
  'try',
  'cache "a"',
  'tablerow a in b',
]
const nested = (open: string, count = DEEP): string =>
  `${times(`{% ${open} %}\n`, count)}x${times(`{% end${open.split(' ')[0]} %}`, count)}`

const BRACKETS: readonly (readonly [string, string, string, string])[] = [
  ['lookups', '{{ a', '[a', ']'],
  ['lookups that are not closed', '{{ a', '[a', ''],
  ['lists', '{% assign a = ', '[', ']'],
  ['hashes', '{% assign a = ', '{"a": ', '}'],
  ['parentheses', '{% if ', '(', ')'],
  ['ranges', '{% for i in ', '(1..', ')'],
]

const codesOf = (text: string): readonly string[] => checkFiles(text).diagnostics.map(({ code }) => code)

describe('blocks', () => {
  it.for(BLOCKS)('of `%s` are refused at the line of the one beyond a hundred', (open) => {
    const { diagnostics } = checkFiles(nested(open))
    const found = diagnostics.filter(({ code }) => code === 'nesting-too-deep')
    expect(found).toHaveLength(1)
    const text = nested(open)
    expect(text.slice(0, found[0]?.span.start).split('\n')).toHaveLength(101)
    expect(codesOf(nested(open, 100))).not.toContain('nesting-too-deep')
  })

  it.for([
    ['elsif', '{% if a %}', '{% elsif b %}x', '{% endif %}'],
    ['when', '{% case a %}', '{% when 1 %}x', '{% endcase %}'],
  ] as const)('with more than a thousand branches of `%s` are refused at the first beyond', ([, open, branch, end]) => {
    const { diagnostics } = checkFiles(open + times(branch) + end)
    const [found, ...others] = diagnostics.filter(({ code }) => code === 'nesting-too-deep')
    expect(others).toEqual([])
    expect(found?.span.start).toBe(open.length + 1_000 * branch.length)
    expect(codesOf(open + times(branch, 1_000) + end)).not.toContain('nesting-too-deep')
  })

  it('in comments, and comments in each other, take no time beyond the length', () => {
    const cost = measureCost()
    expect(codesOf(times('{% comment %}', 50_000) + times('{% endcomment %}', 50_000))).toEqual([])
    expect(cost()).toBeLessThan(10_000)
  })
})

describe('brackets', () => {
  it.for(BRACKETS)('of %s are refused at the first beyond a hundred', ([, before, open, close]) => {
    const text = `${before}${times(open)}1${times(close)} ${before.startsWith('{{') ? '}}' : '%}'}`
    const { diagnostics } = checkFiles(text)
    const found = diagnostics.filter(({ code }) => code === 'nesting-too-deep')
    expect(found).toHaveLength(1)
    const at = found[0]?.span.start ?? 0
    expect(text[at]).toMatch(/[[{(]/)
    expect(text.slice(before.length, at).replace(/[^[{(]/g, '')).toHaveLength(100)
  })

  it('in YAML are refused at their place', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{a: ', '}'],
      ['[', ''],
    ] as const) {
      const { diagnostics } = checkFiles(`---\nmetadata: ${times(open)}1${times(close)}\n---\nx`)
      expect(diagnostics.map(({ message }) => message)).toEqual([
        'This YAML has a syntax error: it is nested deeper than 200 levels.',
      ])
      expect(diagnostics[0]?.span.start).toBeGreaterThan(4)
    }
    const dashes = checkFiles(`---\nmetadata:\n  ${times('- ')}1\n---\nx`).diagnostics
    expect(dashes.map(({ message }) => message)).toEqual([
      'This YAML has a syntax error: it is nested deeper than 200 levels.',
    ])
  })

  it('of selections and of values in queries are refused', () => {
    for (const query of [
      `query { ${times('a { ')}b${times(' }')} }`,
      `query { records(per_page: 1, filter: ${times('{ a: ')}1${times(' }')}) { results { id } } }`,
      `query { records(per_page: 1, filter: ${times('[')}1${times(']')}) { results { id } } }`,
    ])
      expect(codesOf(`{% graphql g %}${query}{% endgraphql %}{{ g }}`)).toContain('graphql-invalid')
  })
})

/** Too many levels for recursion with one call per level. */
const MANY = 10_000

const HOSTILE: readonly string[] = [
  nested('if a', MANY),
  ...['{% if a %}', '{% endif %}', '{% foo %}', '{{ ', '{% ', '{% comment %}', '<div>', '</div>'].map((text) =>
    times(text, MANY),
  ),
  ...BRACKETS.map(([, before, open, close]) => `${before}${times(open)}1${times(close)} %}`),
  `{{ a${times(' | upcase')} }}`,
  `{% if a${times(' and a')} %}{% endif %}`,
]

it.for(['platform', 'liquid'] as const)('the engine refuses them, and renders none, in %s', (dialect) => {
  for (const main of HOSTILE) {
    const render = (): string => createEngine({ dialect, format: 'txt', files: { main } }).renderSync('main', { a: 1 })
    let told: unknown = null
    try {
      render()
    } catch (error) {
      told = error
    }
    expect(told).not.toBeInstanceOf(RangeError)
  }
})

it('tens of thousands of mistakes on one line are shown without measuring the line for each', () => {
  const text = times('{% if a %}', 40_000)
  const { diagnostics } = checkFiles(text)
  const cost = measureCost()
  const printed = printDiagnostics(diagnostics, { findText: () => text, color: false })
  expect(cost()).toBeLessThan(1_000)
  expect(printed.length).toBeLessThan(20_000)
  expect(printed).toContain('more of unclosed-tag')
  expect(printed).toMatch(/\n40001 errors in 1 file\n$/)
})

it.each([
  ['nested', nested('for a in b').replaceAll('\n', '')],
  ['unclosed', times('{% if a %}', 20_000)],
] as const)('a check of %s blocks on one line keeps to a quarter of a gigabyte', async (_kind, text) => {
  const ingot = product()
  try {
    const dir = ingot.folder({ [PAGE]: text })
    const { out, code } = await ingot.run(['check', dir], { env: { NODE_OPTIONS: '--max-old-space-size=256' } })
    expect(code).toBe(1)
    expect(out).toContain('nesting-too-deep')
    expect(out).toMatch(/errors? in 1 file/)
  } finally {
    await ingot.clean()
  }
})
