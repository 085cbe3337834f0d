/** Tries renames of single names in a site: whether the compiler says so, where it matters and with a hint. */
import { type CompileOptions, diagnose } from '../../compiler/compile.ts'
import type { Diagnostic } from '../../compiler/core/diagnostics/diagnostic.ts'
import type { Memory } from '../../compiler/core/model/memo.ts'
import { lineStarts, position, type SourceFile } from '../../compiler/core/source/file.ts'
import type { NamePlace } from './rename-places.ts'

export const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }

type Place = NamePlace<string>

/** Renames that are tried in one compilation. */
const TOGETHER = 12

/**
 * The renames that no report leads to. Several are tried at once, in files of their own and of names that differ: there a report counts
 * that says the new name itself. Whatever has none is tried alone, where one counts that leads to the place.
 */
export function missed<P extends Place>(
  files: readonly SourceFile[],
  places: readonly P[],
  memo: Memory,
): readonly P[] {
  const alone = groups(files, places).flatMap((group) => {
    const texts = new Map(group.map((place) => [place.file, renamed(files, place)]))
    const changed = files.map((file) => {
      const text = texts.get(file.path)
      return text === undefined ? file : { ...file, text }
    })
    const said = reports(diagnose(changed, OPTIONS, memo)).map(({ message, hint }) => `${message} ${hint}`)
    return group.filter((place) => !said.some((words) => word(`${nameAt(files, place)}x`).test(words)))
  })
  return alone.filter((place) => !isFound(files, place, memo))
}

function groups<P extends Place>(files: readonly SourceFile[], places: readonly P[]): readonly (readonly P[])[] {
  const made: P[][] = []
  for (const place of places) {
    const name = nameAt(files, place)
    const fits = made.find(
      (group) =>
        group.length < TOGETHER && group.every((one) => one.file !== place.file && nameAt(files, one) !== name),
    )
    if (fits === undefined) made.push([place])
    else fits.push(place)
  }
  return made
}

/** Renames it, compiles, and looks whether a report leads to the name or to a place that goes by the old one. */
function isFound(files: readonly SourceFile[], place: Place, memo: Memory): boolean {
  const old = word(nameAt(files, place))
  const text = renamed(files, place)
  const changed = files.map((file) => (file.path === place.file ? { ...file, text } : file))
  const texts = new Map(changed.map((each) => [each.path, each.text]))
  const line = lineOf(text, place.start)
  return reports(diagnose(changed, OPTIONS, memo)).some(leadsThere)

  function leadsThere({ span, related }: Diagnostic): boolean {
    if (
      [span, ...related.map((each) => each.span)].some(
        (each) => each.file === place.file && lineOf(text, each.start) === line,
      )
    )
      return true
    const source = texts.get(span.file) ?? ''
    return old.test(source.split('\n')[lineOf(source, span.start) - 1] ?? '')
  }
}

function reports(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity, hint }) => severity !== 'info' && hint !== undefined)
}

function textOf(files: readonly SourceFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? ''
}

function nameAt(files: readonly SourceFile[], { file, start, end }: Place): string {
  return textOf(files, file).slice(start, end)
}

/** The text of its file with a letter more at the name. */
function renamed(files: readonly SourceFile[], { file, end }: Place): string {
  const text = textOf(files, file)
  return `${text.slice(0, end)}x${text.slice(end)}`
}

function word(name: string): RegExp {
  return new RegExp(`(?<!\\w)${name.replace(/[^\w]/g, '\\$&')}(?!\\w)`)
}

function lineOf(text: string, offset: number): number {
  return position(lineStarts(text), offset).line
}

/** The place in words: `app/x.liquid:3 name`. */
export function told(files: readonly SourceFile[], place: Place): string {
  return `${place.file}:${lineOf(textOf(files, place.file), place.start)} ${nameAt(files, place)}`
}

/** So many of them, spread over all, as the seed decides. */
export function sample<One>(all: readonly One[], count: number, seed: number): readonly One[] {
  if (count >= all.length) return all
  const step = all.length / count
  return Array.from({ length: count }, (_, at) => Math.floor(((at + (seed % 97) / 97) % count) * step)).flatMap(
    (index) => all.slice(index, index + 1),
  )
}

/** So many of them, or all, where each sort has as large a part as another, or all that there are of it. */
export function spread<P extends Place>(all: readonly P[], count: number, seed: number): readonly P[] {
  const sorts = [...new Set(all.map(({ sort }) => sort))].map((sort) => all.filter((place) => place.sort === sort))
  let left = count
  return sorts
    .toSorted((a, b) => a.length - b.length)
    .flatMap((places, at) => {
      const taken = sample(places, Math.min(places.length, Math.ceil(left / (sorts.length - at))), seed)
      left -= taken.length
      return taken
    })
}
