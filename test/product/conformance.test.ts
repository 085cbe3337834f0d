/** Tests base Liquid with its public test data in both dialects, and with the facts in `fixtures/conformance/semantics.txt`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '../../compiler/tools/engine.ts'
import { parseJson } from '../../runtime/page/values/json.ts'
import { publicData } from '../support/public-data.ts'

interface GoldenCase {
  readonly name: string
  readonly template: string
  readonly data?: Record<string, unknown>
  readonly templates?: Record<string, string>
  readonly result?: string
  readonly results?: readonly string[]
  readonly invalid?: true
  readonly tags?: readonly string[]
}

interface Differences {
  readonly reasons: Readonly<Record<string, string>>
  readonly cases: Readonly<Record<string, { readonly reason: string; readonly certainty: string }>>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const fixture = (name: string) => readFileSync(`${root}fixtures/conformance/${name}`, 'utf8')
const { content, suite, why } = publicData('golden_liquid.json')
const cases = (content as { readonly tests: readonly GoldenCase[] } | null)?.tests ?? []
const differences = JSON.parse(fixture('dialect-differences.json')) as Differences

function syntaxOf(each: GoldenCase): NonNullable<EngineOptions['syntax']> {
  return each.tags?.includes('strict2') ? 'strict2' : each.tags?.includes('strict') ? 'strict' : 'lax'
}

/** Returns the correct outputs; null if rendering must fail. */
function expected(each: GoldenCase): readonly string[] | null {
  return each.invalid === true ? null : (each.results ?? [each.result ?? ''])
}

/** The templates of the cases with the same options, and their engine when the first of them is rendered. */
interface Group {
  readonly files: Record<string, string>
  engine?: Engine
}

/** Cases without other templates share an engine with those of the same options, because a new one takes longer than a case. */
const groups = new Map<string, Group>()

/** Declares the test of a case. Errors are printed in their places, and thrown where rendering must fail. */
function verify(name: string, each: GoldenCase, given: Partial<EngineOptions>, right = expected(each)): void {
  const options = { ...given, syntax: syntaxOf(each), errors: right === null ? 'raise' : 'inline' } as const
  const group: Group = (each.templates === undefined && groups.get(JSON.stringify(options))) || {
    files: { ...each.templates },
  }
  if (each.templates === undefined) groups.set(JSON.stringify(options), group)
  // No template of the test data has such a name.
  const main = `(${Object.keys(group.files).length})`
  group.files[main] = each.template
  it(name, () => {
    const engine = (group.engine ??= createEngine({ files: group.files, ...options }))
    const render = (): string => engine.renderSync(main, { ...each.data })
    if (right === null) expect(render, each.template).toThrow()
    else expect(right, each.template).toContain(render())
  })
}

suite(`the public data in base Liquid${why}`, () => {
  it('is complete', () => expect(cases.length).toBe(1054))
  for (const each of cases) verify(each.name, each, { dialect: 'liquid' })
})

/**
 * The outputs of the platform's dialect where they differ, with errors in their places; null if it rejects the template. No case of
 * `auto-escape` is listed, because nothing is escaped in a text format.
 */
const PLATFORM: Readonly<Record<string, string | null>> = {
  // json-output: arrays print as JSON. `sort_natural` then compares the text `{}` of a hash, which comes after digits.
  'tags, echo, dump an array from the global context': '["sports","garden"]',
  'filters, sort natural, incompatible types': '[1,"4",{}]',
  'filters, sort natural, left value is not an array': '[123]',
  'filters, sort natural, left value is undefined': '[]',
  'filters, split, undefined left value': '[]',
  'filters, where, both arguments are undefined': '[]',
  'filters, where, first argument is undefined': '[]',
  'filters, where, left value is undefined': '[]',
  // array-literal: brackets are an array literal, whose texts print in double quotes.
  'output, bracketed variable resolves to a string without leading identifier': '["hello"]',
  'output, nested bracketed variable resolving to a string': '["foo"]',
  'output, top-level quoted, bracketed variable name with whitespace': null,
  'output, top-level quoted, bracketed variable name with whitespace followed by dot notation': null,
  'output, whitespace between bracket notation': null,
  // names: these names are syntax errors.
  'identifiers, only digits': null,
  'identifiers, capture only digits': null,
  'identifiers, trailing question mark in for loop target': null,
  'identifiers, trailing question mark in for loop variable': null,
  'identifiers, trailing question mark output': null,
  // numeric-key: the number is a key, which the array does not have.
  'output, chained identifier dot separated index': '',
  // reject: the conditions are a hash. An argument that the platform's filter rejects is reported, and an empty text is printed.
  'filters, reject, array containing an int, default value': '',
  'filters, reject, array containing null, default value': '',
  'filters, reject, array of hashes, default value': '',
  'filters, reject, array of strings, default value': '',
  // Without conditions, every element matches.
  'filters, reject, first argument is undefined': '',
  'filters, reject, input is a hash, default value': '',
  'filters, reject, input is a hash, default value, nil match': '',
  'filters, reject, input is a hash, default value, no match': '',
  'filters, reject, input is undefined': '',
  'filters, reject, missing argument': '',
  'filters, reject, string input becomes a single element array, no match': '',
  'filters, reject, string input becomes a single element array, substring match': '',
  // The platform's filter does not accept two arguments.
  'filters, reject, array of hashes, explicit false': null,
  'filters, reject, array of hashes, explicit nil': null,
  'filters, reject, array of hashes, explicit true': null,
  'filters, reject, array of hashes, missing property': null,
  'filters, reject, array of hashes, string value': null,
  'filters, reject, input is a hash, explicit nil match': null,
  'filters, reject, input is a hash, int value, match': null,
  'filters, reject, input is a hash, int value, no match': null,
  'filters, reject, nested array of hashes gets flattened': null,
  'filters, reject, second argument is undefined': null,
  // compact: rejects a value that is not an array, and treats nil as an empty array.
  'filters, compact, left value is not an array': '',
  'filters, compact, left value is undefined': '[]',
  // include-scope: new variables and changed arguments are not visible outside of the partial.
  'tags, include, assign persists in outer scope': 'Hello, Holly ',
  'tags, include, assign to a keyword argument': 'hello goodbye ',
}

suite(`the public data in the platform's dialect${why}`, () => {
  it('has an answer for each listed difference', () => {
    const listed = Object.entries(differences.cases).filter(([, { reason }]) => reason !== 'auto-escape')
    expect(Object.keys(PLATFORM).toSorted()).toEqual(listed.map(([name]) => name).toSorted())
    expect(Object.keys(differences.cases).length).toBe(52)
    for (const { reason } of Object.values(differences.cases)) expect(differences.reasons[reason]).toBeTypeOf('string')
  })
  for (const each of cases) {
    const difference = differences.cases[each.name]
    const answer = PLATFORM[each.name]
    const name = difference === undefined ? each.name : `${each.name} (${difference.reason})`
    const right = answer === undefined ? expected(each) : answer === null ? null : [answer]
    verify(name, each, { dialect: 'platform', format: 'txt' }, right)
    if (difference?.reason === 'auto-escape')
      verify(`${each.name} in HTML`, each, { dialect: 'platform', format: 'html' }, expected(each)?.map(escaped))
  }
})

function escaped(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '&#39;',
  )
}

// ---- semantics.txt: `data {json}`, `partial name text`, `template ⇒ output`, `[mode]` in front, `!!` for a parse error --------

describe('the facts of base Liquid', () => {
  let data: Record<string, unknown> = {}
  let partials: Record<string, string> = {}
  let heading = ''
  for (const line of fixture('semantics.txt').split('\n')) {
    const [, name, text] = /^partial (\S+) (.*)$/.exec(line) ?? []
    const [, mode, template, output] = /^(?:\[(strict2?)\] )?(.*?) ⇒ (.*)$/.exec(line) ?? []
    if (line.startsWith('## ')) heading = line.slice(3)
    if (line.startsWith('#')) continue
    if (line.startsWith('data ')) {
      data = parseJson(line.slice(5)) as Record<string, unknown>
      partials = {}
    } else if (name !== undefined && text !== undefined) partials[name] = written(text)
    else if (template !== undefined && output !== undefined) {
      const files = { ...partials, main: written(template) }
      const values = data
      it(`${heading}: ${line}`, () => {
        const engine = createEngine({
          files,
          dialect: 'liquid',
          syntax: (mode ?? 'lax') as 'lax' | 'strict' | 'strict2',
        })
        const errors = engine.diagnostics.filter((each) => each.severity === 'error')
        if (output.startsWith('!! ')) {
          expect(() => engine.renderSync('main')).toThrow(
            expect.objectContaining({ message: written(output.slice(3)) }),
          )
        } else {
          expect(errors).toEqual([])
          expect(engine.renderSync('main', { ...values })).toBe(written(output))
        }
      })
    }
  }
})

/** Returns the text that a line of the fixture represents. */
function written(text: string): string {
  return text === '∅' ? '' : text.replaceAll('\\n', '\n').replaceAll('␠', ' ').replaceAll('␉', '\t')
}

// ---- refusals.txt: `[mode] template ⇒ message` -------------------------------------------------------------------------

describe('what base Liquid refuses', () => {
  for (const line of fixture('refusals.txt').split('\n')) {
    const [, mode, template, message] = /^\[(lax|strict2?)\] (.*) ⇒ (.*)$/.exec(line) ?? []
    if (template === undefined || message === undefined) continue
    it(line, () => {
      const files = { main: written(template), caller: '<{% render "main" %}>' }
      const engine = createEngine({ files, dialect: 'liquid', syntax: mode as 'lax' | 'strict' | 'strict2' })
      const error = { name: 'LiquidSyntaxError', message: written(message), file: 'main' }
      expect(() => engine.renderSync('main')).toThrow(expect.objectContaining(error))
      // The message for a partial is printed in the place of the call.
      expect(engine.renderSync('caller')).toBe(`<${written(message).replace('(line', '(main line')}>`)
    })
  }
})
