/** Renames single names in a site, and tests whether the compiler reports it. */
import { type CompileOptions, diagnose } from '../../compiler/compile.ts'
import type { Diagnostic } from '../../compiler/core/diagnostics/diagnostic.ts'
import type { Memory } from '../../compiler/core/model/memo.ts'
import { lineStarts, position, type SourceFile } from '../../compiler/core/source/file.ts'
import type { NamePlace } from './rename-places.ts'

export const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }

type Place = NamePlace<string>

/** Maximum number of renames in one compilation. */
const MAX_RENAMES = 12

/**
 * Returns the renames that no diagnostic reports. Several renames in different files are tried at once, and a diagnostic counts if it
 * contains the new name. Renames without such a diagnostic are tried again separately, and a diagnostic counts if it points to the place.
 */
export function findUnreported<P extends Place>(
  files: readonly SourceFile[],
  places: readonly P[],
  memo: Memory,
): readonly P[] {
  const alone = groupRenames(files, places).flatMap((group) => {
    const texts = new Map(group.map((place) => [place.file, renamed(files, place)]))
    const changed = files.map((file) => {
      const text = texts.get(file.path)
      return text === undefined ? file : { ...file, text }
    })
    const said = reports(diagnose(changed, OPTIONS, memo)).map(({ message, hint }) => `${message} ${hint}`)
    return group.filter((place) => !said.some((words) => word(`${nameAt(files, place)}x`).test(words)))
  })
  return alone.filter((place) => !isReported(files, place, memo))
}

function groupRenames<P extends Place>(files: readonly SourceFile[], places: readonly P[]): readonly (readonly P[])[] {
  const made: P[][] = []
  for (const place of places) {
    const name = nameAt(files, place)
    const fits = made.find(
      (group) =>
        group.length < MAX_RENAMES && group.every((one) => one.file !== place.file && nameAt(files, one) !== name),
    )
    if (fits === undefined) made.push([place])
    else fits.push(place)
  }
  return made
}

/** Renames a place and compiles. Returns true if a diagnostic points to the place, or to a use of the old name. */
function isReported(files: readonly SourceFile[], place: Place, memo: Memory): boolean {
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

/** Returns the file's text with a letter added to the name. */
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

/** Formats a place: `app/x.liquid:3 name`. */
export function describePlace(files: readonly SourceFile[], place: Place): string {
  return `${place.file}:${lineOf(textOf(files, place.file), place.start)} ${nameAt(files, place)}`
}

/** Returns `count` evenly spaced items. The seed selects the first one. */
export function sampleEvenly<Item>(all: readonly Item[], count: number, seed: number): readonly Item[] {
  if (count >= all.length) return all
  const step = all.length / count
  return Array.from({ length: count }, (_, at) => Math.floor(((at + (seed % 97) / 97) % count) * step)).flatMap(
    (index) => all.slice(index, index + 1),
  )
}

/** Returns up to `count` places, with about equal numbers of each sort. */
export function sampleBySort<P extends Place>(all: readonly P[], count: number, seed: number): readonly P[] {
  const sorts = [...new Set(all.map(({ sort }) => sort))].map((sort) => all.filter((place) => place.sort === sort))
  let left = count
  return sorts
    .toSorted((a, b) => a.length - b.length)
    .flatMap((places, at) => {
      const taken = sampleEvenly(places, Math.min(places.length, Math.ceil(left / (sorts.length - at))), seed)
      left -= taken.length
      return taken
    })
}
