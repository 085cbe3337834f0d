/**
 * No rule about diagnostics reads words. Here, all messages and hints are random, and the tests of the other files must still find the same
 * codes in the same places, and the same edits that fix them. The random words contain phrases that rules could look for.
 */
import { readdirSync } from 'node:fs'
import type { GraphQLError, ValidationContext, ValidationRule } from 'graphql'
import { describe, expect, it, vi } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import type { Diagnostic, DiagnosticCode } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'
import { applyEdits, findQuickFix } from '../../../../compiler/core/diagnostics/quick-fix.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import type { Span } from '../../../../compiler/core/source/span.ts'
import './consequence-rows.test.ts'
import './consequences.test.ts'
import './examples.test.ts'
import './misspelt-declarations.test.ts'
import './one-message-more.test.ts'
import './one-message.test.ts'

type Problems = readonly { readonly message: string; readonly hint: string | null }[]

const random = vi.hoisted(() => {
  const phrases = (
    'is nil here|is a list here|, but this is an array|is only allowed inside|was never opened| instead of |Write `id: `|Remove it.|' +
    'Did you mean `name`?|`string_interpolation`|`properties`|`method`|authorization_policies|Property `x`|A user|No table has a|' +
    '`book` has no property|found the end.|Expected `:`, found|must have a selection|Fragment `x` is never used|on type `RootQuery`|' +
    'where it is used.|Unknown argument `x` on field `Record.id`.|`endif`|`raw`|`POST /`|variable `id`|\\`|"Remove it."|, :'
  ).split('|')
  let state = 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  /** Whether words are replaced. */
  const mode = { isOn: true }
  const words = (): string => {
    const [first, second] = [next(phrases.length), next(phrases.length)].map((at) => phrases[at])
    return `\`w${next(1000)}\` ${first} ${second} \`w${next(1000)}\`.`
  }
  const withRandomWords = (diagnostic: Diagnostic): Diagnostic =>
    mode.isOn
      ? {
          ...diagnostic,
          message: words(),
          ...(diagnostic.hint === undefined ? {} : { hint: words() }),
          ...(diagnostic.platform === undefined ? {} : { platform: words() }),
          related: diagnostic.related.map((each) => ({ ...each, message: words() })),
        }
      : diagnostic
  const setWords = (error: GraphQLError): GraphQLError => {
    if (mode.isOn) error.message = words()
    return error
  }
  return { mode, next, words, withRandomWords, setWords }
})

vi.mock('../../../../compiler/core/diagnostics/diagnostic.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../../../compiler/core/diagnostics/diagnostic.ts')>()
  class RandomReport extends actual.Report {
    override add(diagnostic: Diagnostic): void {
      super.add(random.withRandomWords(diagnostic))
    }
  }
  function message<Arguments extends readonly unknown[]>(
    ...declared: Parameters<typeof actual.message<Arguments>>
  ): DiagnosticCode<Arguments> {
    const make = actual.message(...declared)
    const { code, severity, check, examples } = make
    const makeRandom = (span: Span, ...args: Arguments) => random.withRandomWords(make(span, ...args))
    return Object.assign(makeRandom, { code, severity, check, examples })
  }
  return { ...actual, message, Report: RandomReport }
})

vi.mock('../../../../compiler/core/diagnostics/cascades.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../../../compiler/core/diagnostics/cascades.ts')>()
  const withoutCascades: typeof actual.withoutCascades = (diagnostics, isSite) =>
    actual.withoutCascades(diagnostics.map(random.withRandomWords), isSite)
  return { ...actual, withoutCascades }
})

vi.mock('../../../../compiler/core/diagnostics/misspelt-declarations.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../../../compiler/core/diagnostics/misspelt-declarations.ts')>()
  const moveToDeclarations: typeof actual.moveToDeclarations = (diagnostics, ...rest) =>
    actual.moveToDeclarations(diagnostics.map(random.withRandomWords), ...rest)
  return { ...actual, moveToDeclarations }
})

vi.mock('../../../../compiler/phases/link/query-problems.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../../../compiler/phases/link/query-problems.ts')>()
  const problemDiagnostics: typeof actual.problemDiagnostics = (operation, ...rest) => {
    const problems = operation.analysis.problems.map((each) => ({
      ...each,
      message: random.mode.isOn ? random.words() : each.message,
      hint: each.hint === null || !random.mode.isOn ? each.hint : random.words(),
    })) satisfies Problems
    return actual.problemDiagnostics({ ...operation, analysis: { ...operation.analysis, problems } }, ...rest)
  }
  return { ...actual, problemDiagnostics }
})

// The expected value of a setting is in the words of a schema.
vi.mock('../../../../compiler/core/diagnostics/codes/settings/setting-value.ts', async (importOriginal) => {
  const actual =
    await importOriginal<typeof import('../../../../compiler/core/diagnostics/codes/settings/setting-value.ts')>()
  const make: typeof actual.settingValue = Object.assign(
    (...[span, key, expected, ...rest]: Parameters<typeof actual.settingValue>) =>
      actual.settingValue(span, key, random.mode.isOn ? random.words() : expected, ...rest),
    actual.settingValue,
  )
  return { ...actual, settingValue: make }
})

vi.mock('graphql', async (importOriginal) => {
  const actual = await importOriginal<typeof import('graphql')>()
  const rules = new Map<unknown, ValidationRule>()
  const withRandomErrors = (rule: ValidationRule): ValidationRule => {
    const known = rules.get(rule)
    if (known !== undefined) return known
    const randomRule: ValidationRule = (context) => {
      const reportError = (error: GraphQLError): void => context.reportError(random.setWords(error))
      return rule(Object.create(context, { reportError: { value: reportError } }) as ValidationContext)
    }
    rules.set(rule, randomRule)
    return randomRule
  }
  const named = Object.entries(actual).flatMap(([name, value]) =>
    /^(?!assert)\w+Rule$/.test(name) && typeof value === 'function'
      ? [[name, withRandomErrors(value as ValidationRule)] as const]
      : [],
  )
  const parse: typeof actual.parse = (...args) => {
    try {
      return actual.parse(...args)
    } catch (error) {
      throw error instanceof actual.GraphQLError ? random.setWords(error) : error
    }
  }
  return {
    ...actual,
    ...Object.fromEntries(named),
    specifiedRules: actual.specifiedRules.map(withRandomErrors),
    parse,
  }
})

/** The parts of a file at which a character is left out, so that the file has mistakes. */
const LOSSES = [0.3, 0.7]

/** Returns the text without one character at a part of its length, if that is a letter or a sign. */
function without(text: string, part: number): string {
  const at = text.slice(Math.floor(text.length * part)).search(/[\w"'%{}:,=]/)
  const start = Math.floor(text.length * part) + at
  return at < 0 ? text : text.slice(0, start) + text.slice(start + 1)
}

const TABLE = 'name: boat\nproperties:\n  - name: title\n  - name: berths\n    type: integer\n'

/** Queries with mistakes of each kind that the validation and the parser of GraphQL find. */
const QUERIES = [
  'query q($id: ID, $ids: [ID]) {\n  records(per_page: 2, filter: { id: { value: $ids } }) {\n    total\n    results { idd }\n  }\n}',
  'query q($table: String) {\n  records(per_pag: 2, filter: { table: $table, nope: 1 }) { total_entries }\n}',
  'mutation m { records(per_page: 2) { total_entries } }',
  'query q { record_delete(id: "1") { id } users(per_page: "2") { results { id @incude(if: true) } } }',
  'query q($a: Strng) { records(per_page: 2, filter: { id: { value: $b } }, sort: { created_at: { order: UP } }) { ...parts } }',
  'query q { records(per_page: 2) { results } }\nfragment parts on Record { id { x } }',
  'query q { records { total_entries } }',
  'query q { records(per_page: 2, filter: { properties: [{ value: "a" }] }) { total_entries } }',
  'query q { records(per_page: 2, filter: { table: { value: "boat" }, properties: [{ name: "titel", value: "a" }] }) { total_entries } }',
  'mutation m { record_create(record: { table: "boat", properties: [{ name: "berths", value: "x" }] }) { id } }',
  "query q { records(per_page: 2, filter: { table: { value: 'boat' } }) { total_entries } }",
  'query q($id:\n) { records(per_page: 2) { total_entries } }',
  'query q($id\n) {\n  records(per_page: 2) { total_entries }\n}',
  'query q {\n  records(\n    per_page: 2\n    filter\n  ) { total_entries }\n}',
  'query q { records(per_page: 2) { total_entries }',
  'query q { records(per_page = 2) { total_entries } }',
  'query q { records(per_page: {{ n }}) { total_entries } }',
  'qery q { records(per_page: 2) { total_entries } }',
  'query q(id: ID) { records(per_page: 2) { total_entries } }',
  'query q { records(per_page: 2) { total_entries } } }',
  'query q { records(per_page: 2, sort: { created_at: { order: "DESC" } }) { total_entries } }',
  'query q { records(per_page: 2, filter: { id: "1" }) { results { title ttal } } }',
  'query q($ids: ID) { records(per_page: 2, filter: { id: { value: $id } }) { total_entries @inclde(if: true) } }',
  'query q { records(per_page: 2, filter: { table: { value: "baot" } }) { total_entries } }',
  'query q { records(per_page: 2) { results { a: id a: created_at a: updated_at } } }',
]

/** Settings with a wrong value, by path. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['app/views/pages/boats.liquid', '---\nmethod: psot\n---\nx'],
  ['app/views/pages/boats.liquid', '---\nslug: "boats/{id}"\nsearchable: ture\n---\nx'],
  ['app/views/pages/boats.liquid', '---\nslug = boats\n---\nx'],
  ['app/schema/boat.yml', 'name: boat\nproperties:\n  - name: title\n    type: strng\n'],
  ['app/config.yml', 'graphql_argument_type_mismatch_mode: eror\n'],
]

/** Queries with a mistake, and what they are after the fix. */
const FIXED: readonly (readonly [string, string])[] = [
  [
    'query q { records(per_page: 2) { total_entries @inclde(if: true) } }',
    'query q { records(per_page: 2) { total_entries @include(if: true) } }',
  ],
  ['qery q { records(per_page: 2) { total_entries } }', 'query q { records(per_page: 2) { total_entries } }'],
  [
    'query q(id: ID) { records(per_page: 2, filter: { id: { value: $id } }) { total_entries } }',
    'query q($id: ID) { records(per_page: 2, filter: { id: { value: $id } }) { total_entries } }',
  ],
  ['query q { records(per_pag: 2) { total_entries } }', 'query q { records(per_page: 2) { total_entries } }'],
]

function findingsOf(files: readonly SourceFile[], isRandom: boolean): readonly string[] {
  random.mode.isOn = isRandom
  const options = { dialect: 'platform', syntax: 'strict', keepGoing: true, openEntries: false } as const
  try {
    const { diagnostics } = compile(
      files.map((file) => ({ ...file })),
      options,
    )
    const texts = new Map(files.map(({ path, text }) => [path, text]))
    return diagnostics.map((diagnostic) => {
      const { code, severity, span } = diagnostic
      const fix = findQuickFix(diagnostic, (path) => texts.get(path))
      const edits = fix === null ? 'no fix' : `${fix.safe ? 'safe' : 'unsafe'} ${JSON.stringify(fix.edits)}`
      return `${severity} ${code} ${span.file}:${span.start}-${span.end} ${edits}`
    })
  } finally {
    random.mode.isOn = true
  }
}

const SITES = new URL('../../../../fixtures/sites/', import.meta.url)
const sites = readdirSync(SITES, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))

describe('a fix of a query', () => {
  it.each(FIXED)('of %j', (query, fixed) => {
    random.mode.isOn = false
    const path = 'app/graphql/q.graphql'
    const page = "{% graphql g = 'q', id: '1' %}{{ g.records.total_entries }}"
    const files = filesFromTexts(
      { 'app/schema/boat.yml': TABLE, [path]: query, 'app/views/pages/index.liquid': page },
      false,
    )
    const options = { dialect: 'platform', syntax: 'strict', keepGoing: true, openEntries: false } as const
    const found = compile(files, options).diagnostics.flatMap((each) => findQuickFix(each, () => query) ?? [])
    random.mode.isOn = true
    expect(found.map(({ edits }) => applyEdits(query, edits))).toEqual([fixed])
  })
})

describe('with random words, the same is found', () => {
  it.each(SETTINGS)('in the settings of %s: %j', (path, text) => {
    const texts = { 'app/views/pages/index.liquid': '<a href="/boats">x</a>', [path]: text }
    const found = findingsOf(filesFromTexts(texts, false), false)
    expect(found.some((each) => each.includes(`${path}:`) && each.includes('"text":'))).toBe(true)
    expect(findingsOf(filesFromTexts(texts, false), true)).toEqual(found)
  })

  it.each(QUERIES)('in the query %j', (query) => {
    const texts = {
      'app/schema/boat.yml': TABLE,
      'app/graphql/q.graphql': query,
      'app/views/pages/index.liquid': "{% graphql g = 'q' %}{{ g.records.total_entries }}",
    }
    const found = findingsOf(filesFromTexts(texts, false), false)
    expect(found.some((each) => each.includes('q.graphql'))).toBe(true)
    expect(findingsOf(filesFromTexts(texts, false), true)).toEqual(found)
  })

  it.each(sites)('in the site %s, also with mistakes', async (site) => {
    const { files } = await discover(new URL(site, SITES).pathname)
    expect(findingsOf(files, true)).toEqual(findingsOf(files, false))
    const counts = LOSSES.flatMap((part) =>
      [0, 1].map((turn) => {
        const broken = files.map((file, at) =>
          at % 2 === turn && !file.path.startsWith('app/assets/') ? { ...file, text: without(file.text, part) } : file,
        )
        const found = findingsOf(broken, false)
        expect(findingsOf(broken, true)).toEqual(found)
        return found.length
      }),
    )
    expect(Math.max(...counts)).toBeGreaterThan(0)
  })
})
