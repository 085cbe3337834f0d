/** Runs the acceptance suite of the Liquid reference implementation in its three modes. Its data is not part of the project. */
import { describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '../../compiler/tools/engine.ts'
import { publicData } from '../support/public-data.ts'

/** The source and the flags of a regular expression. */
type Pattern = readonly [source: string, flags: string]

interface SpecCase {
  readonly suite: string
  readonly name: string
  readonly mode: NonNullable<EngineOptions['syntax']>
  readonly errors: NonNullable<EngineOptions['errors']>
  readonly template: string
  readonly files?: Readonly<Record<string, string>>
  readonly data?: Readonly<Record<string, unknown>>
  readonly limits?: Readonly<Record<string, number>>
  readonly expected?: string
  readonly pattern?: Pattern
  readonly wants?: Readonly<Partial<Record<'parse_error' | 'render_error' | 'output', readonly Pattern[]>>>
}

/** The result of a case: the printed text, or the error's name and message. */
type Outcome = { readonly text: string } | { readonly error: string }

const { content, suite, why } = publicData('liquid_spec.json')
const cases = (content ?? []) as readonly SpecCase[]

/** The name of a case's template. No template of the test data has such a name. */
const nameOf = (each: SpecCase): string => `(${numbers.get(each)})`
const numbers = new Map(cases.map((each, index) => [each, index]))

/** Whether a case has neither other templates nor limits. Such cases share an engine, because a new one takes longer than the case. */
function isPlain({ files = {}, limits = {} }: SpecCase): boolean {
  return Object.keys(files).length === 0 && Object.keys(limits).length === 0
}

/** Engines of the plain cases, by their modes. */
const shared = new Map<string, Engine>()

function engineOf(given: SpecCase): Engine {
  const key = `${given.mode} ${given.errors}`
  const known = isPlain(given) ? shared.get(key) : undefined
  if (known !== undefined) return known
  const alike = isPlain(given)
    ? cases.filter((each) => isPlain(each) && each.mode === given.mode && each.errors === given.errors)
    : [given]
  const engine = createEngine({
    files: { ...given.files, ...Object.fromEntries(alike.map((each) => [nameOf(each), each.template])) },
    dialect: 'liquid',
    syntax: given.mode,
    errors: given.errors,
    now: Date.UTC(2024, 0, 1, 0, 1, 58),
    limits: limitsOf(given.limits ?? {}),
  })
  if (isPlain(given)) shared.set(key, engine)
  return engine
}

function outcome(each: SpecCase): Outcome {
  const engine = engineOf(each)
  try {
    return { text: engine.renderSync(nameOf(each), { ...each.data }) }
  } catch (error) {
    return { error: String(error) }
  }
}

/**
 * Returns the limits of the engine. A render consists of all calls of one template, so the reference implementation's limits for all
 * templates together are the same here.
 */
function limitsOf(limits: Readonly<Record<string, number>>): NonNullable<EngineOptions['limits']> {
  const least = (...names: readonly string[]): number | undefined => {
    const given = names.flatMap((name) => limits[name] ?? [])
    return given.length === 0 ? undefined : Math.min(...given)
  }
  return {
    renderLength: least('render_length_limit'),
    renderScore: least('render_score_limit', 'cumulative_render_score_limit'),
    assignScore: least('assign_score_limit', 'cumulative_assign_score_limit'),
  }
}

function verify(each: SpecCase): void {
  const found = outcome(each)
  const told = 'text' in found ? found.text : found.error
  if (each.wants !== undefined) {
    const [kind, patterns = []] = Object.entries(each.wants)[0] ?? []
    if (kind !== 'output') expect(found, each.template).toHaveProperty('error')
    for (const pattern of patterns) expect(told, each.template).toMatch(expressionOf(pattern))
  } else if (each.pattern !== undefined) {
    expect(found, each.template).toHaveProperty('text')
    expect(told, each.template).toMatch(expressionOf(each.pattern))
  } else if (each.errors === 'inline' && told.includes('Liquid error'))
    expect(withoutPlaces(told), each.template).toBe(withoutPlaces(each.expected ?? ''))
  else expect(found, each.template).toEqual({ text: each.expected })
}

function expressionOf([source, flags]: Pattern): RegExp {
  return new RegExp(source, flags)
}

/** Removes the line numbers from errors, so that `Liquid error (line 1): text` and `Liquid error: text` are equal. */
function withoutPlaces(text: string): string {
  return text.replace(/Liquid error \([^)]*\):/g, 'Liquid error:')
}

suite(`the acceptance suite of the reference${why}`, () => {
  it('is complete', () => expect(cases.length).toBe(2677))
  for (const name of new Set(cases.map((each) => each.suite)))
    describe(name, () => {
      for (const [index, each] of cases.entries()) {
        if (each.suite !== name) continue
        it(`${index} ${each.name}`, () => verify(each))
      }
    })
})
