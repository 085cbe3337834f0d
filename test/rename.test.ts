/**
 * Renames in the demo site, one at a time: every field, variable, argument, property and table that a query means, or a
 * template that uses its result. The compiler must say so, at the right line and with a hint.
 *
 * `INGOT_RENAMES` is how many of them are tried (all: `all`), `INGOT_SEED` which.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Compiled, type CompileOptions, compile } from '../compiler/compile.ts'
import type { Diagnostic } from '../compiler/diagnostics/diagnostic.ts'
import { Memory } from '../compiler/model/memo.ts'
import { discover } from '../compiler/source/discover.ts'
import { lineStarts, position, type SourceFile } from '../compiler/source/file.ts'
import { type NamePlace, namePlaces, type Sort } from './rename-places.ts'

const COUNT = process.env['INGOT_RENAMES'] ?? '400'
const SEED = Number(process.env['INGOT_SEED'] ?? 20_260)
const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }

let files: readonly SourceFile[]
let clean: Compiled
const memo = new Memory()

beforeAll(async () => {
  files = (await discover(fileURLToPath(new URL('../fixtures/sites/marketplace', import.meta.url)))).files
  clean = compile(files, OPTIONS, memo)
})

describe('names of the demo site', () => {
  test('the site as it is has nothing to report', () => expect(clean.diagnostics).toEqual([]))

  test('a renamed one is found, at the right line and with a hint', { timeout: 600_000 }, () => {
    const all = namePlaces(clean.site)
    const sorts = new Set(all.map(({ sort }) => sort))
    for (const sort of SORTS) expect(sorts, sort).toContain(sort)
    expect(all.length).toBeGreaterThan(500)
    const tried = COUNT === 'all' ? all : sample(all, Number(COUNT))
    const missed = tried.filter((place) => !isFound(place))
    const words = missed.map((place) => `${place.sort}: ${told(place)}`)
    console.info(`${tried.length - missed.length} of ${tried.length} renames found (${all.length} names)`)
    if (words.length > 0) console.info(`missed:\n${words.join('\n')}`)
    expect(missed.length / tried.length, words.join('\n')).toBeLessThanOrEqual(0.05)
  })
})

const SORTS: readonly Sort[] = [
  ...(['field', 'alias', 'variable', 'argument', 'input field', 'table', 'property'] as const),
  ...(['yaml', 'query name', 'result field', 'filter argument'] as const),
]

/** Renames it, compiles, and looks whether a report leads to the name or to a place that goes by the old one. */
function isFound(place: NamePlace): boolean {
  const at = files.findIndex(({ path }) => path === place.file)
  const file = files[at] as SourceFile
  const old = file.text.slice(place.start, place.end)
  const text = `${file.text.slice(0, place.end)}x${file.text.slice(place.end)}`
  const changed = files.with(at, { ...file, text })
  const { diagnostics } = compile(changed, OPTIONS, memo)
  const texts = new Map(changed.map((each) => [each.path, each.text]))
  const line = lineOf(text, place.start)
  return diagnostics.some((each) => each.severity !== 'info' && each.hint !== undefined && leadsThere(each))

  function leadsThere({ span, related }: Diagnostic): boolean {
    if (
      [span, ...related.map((each) => each.span)].some(
        (each) => each.file === place.file && lineOf(text, each.start) === line,
      )
    )
      return true
    const source = texts.get(span.file) ?? ''
    const shown = source.split('\n')[lineOf(source, span.start) - 1] ?? ''
    return new RegExp(`(?<!\\w)${old.replace(/[^\w]/g, '\\$&')}(?!\\w)`).test(shown)
  }
}

function lineOf(text: string, offset: number): number {
  return position(lineStarts(text), offset).line
}

function told({ file, start, end }: NamePlace): string {
  const text = files.find(({ path }) => path === file)?.text ?? ''
  return `${join(file)}:${lineOf(text, start)} ${text.slice(start, end)}`
}

/** So many of them, spread over all, as the seed decides. */
function sample(all: readonly NamePlace[], count: number): readonly NamePlace[] {
  if (count >= all.length) return all
  const step = all.length / count
  return Array.from(
    { length: count },
    (_, at) => all[Math.floor(((at + (SEED % 97) / 97) % count) * step)] as NamePlace,
  )
}
