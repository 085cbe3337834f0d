/** Finds where in the templates a fault came from: in raise mode its only trace is the JavaScript stack. */
import { SourceMap, type SourceMapPayload } from 'node:module'
import type { Frame, LiquidFault } from './fault.ts'

/** Says where in a template a place of the emitted code came from. */
export interface SourceLocator {
  /**
   * The place in a template, null where the file is no emitted code or the place maps to nothing.
   * @param file URL or path as the stack names it; line and column are 1-based
   */
  find(file: string, line: number, column: number): Frame | null
  /** The template's path in the site, of a path or URL that a stack names; null for other files. */
  name(file: string): string | null
}

/** Fills the fault's file, line and frames from its stack. A place that is known already stays. */
export function locate(fault: LiquidFault, places: SourceLocator): void {
  const cause = fault.cause instanceof Error ? framesOf(fault.cause.stack ?? '', places) : []
  // What a connection or a timer has thrown knows of no template.
  const frames = cause.length > 0 ? cause : framesOf(fault.stack ?? '', places)
  if (fault.file === null && frames[0] !== undefined) {
    fault.file = frames[0].file
    fault.line = frames[0].line
  }
  if (fault.frames.length > 0) return
  const here = fault.file !== null && fault.line !== null ? { file: fault.file, line: fault.line } : null
  fault.frames =
    here === null || same(frames[0], here) ? frames : [here, ...frames.filter((frame) => !same(frame, here))]
}

/** Frames of templates in a stack, innermost first; the same place twice in a row (a recursion, a closure) counts once. */
export function framesOf(stack: string, places: SourceLocator): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n')) {
    const found = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/.exec(line)
    if (found === null) continue
    const file = found[1]!.replace(/^async /, '')
    // With source maps enabled in the process, its stacks name the templates themselves.
    const name = /\.liquid$/.test(file) ? places.name(file) : null
    const frame =
      name === null ? places.find(file, Number(found[2]), Number(found[3])) : { file: name, line: Number(found[2]) }
    if (frame !== null && !same(frames.at(-1), frame)) frames.push(frame)
  }
  return frames
}

/**
 * Places by version-3 source maps.
 * @param payload the map of a file that a stack names, null where it has none; asked once a file, when the first fault needs it
 * @param name see `Places.name`; what a map names is relative to the file `from` that has the map
 */
export function mappedPlaces(
  payload: (file: string) => SourceMapPayload | null,
  name: (source: string, from: string | null) => string | null,
): SourceLocator {
  const maps = new Map<string, SourceMap | null>()
  function mapOf(file: string): SourceMap | null {
    const known = maps.get(file)
    if (known !== undefined) return known
    const read = payload(file)
    const map = read === null ? null : new SourceMap(read)
    maps.set(file, map)
    return map
  }
  return {
    find(file, line, column) {
      const entry = mapOf(file)?.findEntry(line - 1, column - 1)
      if (entry === undefined || !('originalSource' in entry) || entry.originalSource === undefined) return null
      const source = name(entry.originalSource, file)
      return source === null ? null : { file: source, line: entry.originalLine + 1 }
    },
    name: (file) => name(file, null),
  }
}

function same(a: Frame | undefined, b: Frame): boolean {
  return a !== undefined && a.file === b.file && a.line === b.line
}
