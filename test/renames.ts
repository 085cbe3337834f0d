/** Tries renames of single names in a site: whether the compiler says so, where it matters and with a hint. */
import { compile, type CompileOptions } from '../compiler/compile.ts'
import type { Diagnostic } from '../compiler/diagnostics/diagnostic.ts'
import type { Memory } from '../compiler/model/memo.ts'
import { lineStarts, position, type SourceFile } from '../compiler/source/file.ts'
import type { NamePlace } from './rename-places.ts'

export const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }

type Place = NamePlace<string>

/** Renames it, compiles, and looks whether a report leads to the name or to a place that goes by the old one. */
export function isFound(files: readonly SourceFile[], place: Place, memo: Memory): boolean {
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

/** The place in words: `app/x.liquid:3 name`. */
export function told(files: readonly SourceFile[], { file, start, end }: Place): string {
  const text = files.find(({ path }) => path === file)?.text ?? ''
  return `${file}:${lineOf(text, start)} ${text.slice(start, end)}`
}

/** So many of them, spread over all, as the seed decides. */
export function sample<One>(all: readonly One[], count: number, seed: number): readonly One[] {
  if (count >= all.length) return all
  const step = all.length / count
  return Array.from({ length: count }, (_, at) => all[Math.floor(((at + (seed % 97) / 97) % count) * step)] as One)
}
