/** Creates version-3 source maps from the marks of the printer. They map to the original templates. */
import { lineStarts, position, type SourceFile } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { writtenSpan } from '../../core/source/template-values.ts'
import type { Printed } from '../../core/model/printed.ts'
import { Mappings } from './mappings.ts'
import { getOrMake } from '../../core/source/maps.ts'

/** A position in a template: line and column are 1-based. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Returns a function that returns the start of a span in the original text. */
export function positionsOf(files: readonly SourceFile[]): (span: Span) => SourcePosition {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const starts = new Map<string, readonly number[]>()
  return (span) => {
    const sourceFile = byPath.get(span.file)
    const table = getOrMake(starts, span.file, () =>
      lineStarts(sourceFile?.writtenText?.text ?? sourceFile?.text ?? ''),
    )
    const { start } = sourceFile?.writtenText === undefined ? span : writtenSpan(sourceFile.writtenText, span)
    return { file: span.file, ...position(table, start) }
  }
}

/** The source that source maps name for code that comes from no template. It is a module of the build, whose path no template has. */
const COMPILER_SOURCE = 'modules/site.ts'

/** Returns the map of consecutive printed texts. `source`: returns the path of a template for the map. */
export function sourceMap(
  printed: readonly Printed[],
  places: (span: Span) => SourcePosition,
  source: (file: string) => string,
): string {
  const mappings = new Mappings()
  const sources: string[] = []
  /** The source numbers by template file; null for code of the compiler. */
  const numbers = new Map<string | null, number>()
  const numberOf = (file: string | null): number =>
    getOrMake(numbers, file, () => sources.push(file === null ? COMPILER_SOURCE : source(file)) - 1)
  // Code before the first mark comes from no template.
  mappings.addUnmapped(0, 0)
  let lineOffset = 0
  for (const { lines, marks } of printed) {
    for (const { line, column, span } of marks) {
      // Bundlers drop places without a source. The code there would then be mapped to the place before it.
      if (span === null) mappings.add(lineOffset + line, column, numberOf(null), 0, 0)
      else {
        const place = places(span)
        mappings.add(lineOffset + line, column, numberOf(place.file), place.line - 1, place.column - 1)
      }
    }
    lineOffset += lines
  }
  const sourcesContent = sources.map(() => null)
  return JSON.stringify({ version: 3, names: [], sources, sourcesContent, mappings: mappings.text, ignoreList: [] })
}

/** Returns a map as the comment at the end of a module. */
export function inlineMap(map: string): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}
