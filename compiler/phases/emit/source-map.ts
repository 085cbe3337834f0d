/** Version-3 source maps from the marks that printing left, down to the templates as their authors wrote them. */
import { lineStarts, position, type SourceFile } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { writtenSpan } from '../../core/source/template-values.ts'
import type { Printed } from '../../core/model/printed.ts'
import { Mappings } from './mappings.ts'

/** A position in a template: line and column are 1-based. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Gives the position where a span begins in the text that the author wrote. */
export function positionsOf(files: readonly SourceFile[]): (span: Span) => SourcePosition {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const starts = new Map<string, readonly number[]>()
  return (span) => {
    const known = byPath.get(span.file)
    let table = starts.get(span.file)
    if (table === undefined) starts.set(span.file, (table = lineStarts(known?.written?.text ?? known?.text ?? '')))
    const { start } = known?.written === undefined ? span : writtenSpan(known.written, span)
    return { file: span.file, ...position(table, start) }
  }
}

/** What the compiler itself writes, as a map names its source: a module of the build, which is called as no template is. */
const MADE = 'modules/site.ts'

/** The map of printed texts, one below the other. `source` gives the path of a template as the map names it. */
export function sourceMap(
  printed: readonly Printed[],
  places: (span: Span) => SourcePosition,
  source: (file: string) => string,
): string {
  const mappings = new Mappings()
  const sources: string[] = []
  /** Numbers of the sources by the files of templates; null for what the compiler writes. */
  const numbers = new Map<string | null, number>()
  const numberOf = (file: string | null): number => {
    let number = numbers.get(file)
    if (number === undefined) {
      number = sources.push(file === null ? MADE : source(file)) - 1
      numbers.set(file, number)
    }
    return number
  }
  // What stands before the first mark comes from no template.
  mappings.addUnmapped(0, 0)
  let above = 0
  for (const { lines, marks } of printed) {
    for (const { line, column, span } of marks) {
      // Bundlers leave out what has no source, and it would then count as what stands before it.
      if (span === null) mappings.add(above + line, column, numberOf(null), 0, 0)
      else {
        const place = places(span)
        mappings.add(above + line, column, numberOf(place.file), place.line - 1, place.column - 1)
      }
    }
    above += lines
  }
  const sourcesContent = sources.map(() => null)
  return JSON.stringify({ version: 3, names: [], sources, sourcesContent, mappings: mappings.text, ignoreList: [] })
}

/** A map as the comment that ends a module. */
export function inlineMap(map: string): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}
