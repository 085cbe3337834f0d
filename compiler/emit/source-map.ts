/** Version-3 source maps from the marks that writing left, down to the templates. */
import { addSegment, GenMapping, toEncodedMap } from '@jridgewell/gen-mapping'
import type { Module } from '../model/module.ts'
import { lineStarts, position } from '../source/file.ts'

export interface Placed {
  readonly module: Module
  /** 0-based line of the emitted text at which the module's body begins. */
  readonly line: number
}

/**
 * The map of one emitted text that holds the bodies of modules. `source` gives the path of a template as the map names it,
 * `text` its content, for lines and columns.
 */
export function sourceMap(
  placed: readonly Placed[],
  source: (file: string) => string,
  text: (file: string) => string,
): string {
  const map = new GenMapping()
  const sources = new Map<string, { readonly name: string; readonly starts: readonly number[] }>()
  for (const { module, line } of placed) {
    // What stands before and behind a body comes from no template; without a mark it would count to the one before.
    addSegment(map, 0, 0)
    addSegment(map, line + module.lines, 0)
    for (const mark of module.marks) {
      const { file, start } = mark.span
      let known = sources.get(file)
      if (known === undefined) {
        known = { name: source(file), starts: lineStarts(text(file)) }
        sources.set(file, known)
      }
      const place = position(known.starts, start)
      addSegment(map, line + mark.line, mark.column, known.name, place.line - 1, place.column - 1)
    }
  }
  return JSON.stringify(toEncodedMap(map))
}

/** A map as the comment that ends a module. */
export function inlineMap(map: string): string {
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}
