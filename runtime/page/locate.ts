/** Finds the location of a fault in a template. In raise mode, only the JavaScript stack tells the location. */
import { SourceMap, type SourceMapPayload } from 'node:module'
import type { Frame, LiquidFault } from './fault.ts'

/** Maps locations in emitted code to locations in templates. */
export interface SourceLocator {
  /**
   * Returns the location in a template; null when the file is not emitted code, or the position has no source.
   * @param file a URL or path as in the stack. Lines and columns are counted from 1
   */
  find(file: string, line: number, column: number): Frame | null
  /** Returns the path of the template in the site, for a path or URL in a stack; null for other files. */
  name(file: string): string | null
}

/** Sets the file, the line and the frames of a fault from its stack. If the location is already set, it is kept. */
export function locate(fault: LiquidFault, places: SourceLocator): void {
  const cause = fault.cause instanceof Error ? parseFrames(fault.cause.stack ?? '', places) : []
  // The stacks of errors in connections and timers contain no templates, so the stack of the fault itself is used.
  const frames = cause.length > 0 ? cause : parseFrames(fault.stack ?? '', places)
  if (fault.file === null && frames[0] !== undefined) {
    fault.file = frames[0].file
    fault.line = frames[0].line
  }
  if (fault.frames.length > 0) return
  const faultLocation = fault.file !== null && fault.line !== null ? { file: fault.file, line: fault.line } : null
  fault.frames =
    faultLocation === null || isSameFrame(frames[0], faultLocation)
      ? frames
      : [faultLocation, ...frames.filter((frame) => !isSameFrame(frame, faultLocation))]
}

/**
 * Returns the template frames of a stack, innermost first. Consecutive equal frames (recursion, closures) are merged.
 * @internal Exported for tests.
 */
export function parseFrames(stack: string, places: SourceLocator): Frame[] {
  const frames: Frame[] = []
  for (const entry of stack.split('\n')) {
    const [, path, line, column] = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/.exec(entry) ?? []
    if (path === undefined) continue
    const file = path.replace(/^async /, '')
    // With source maps enabled, stacks name the templates themselves.
    const name = /\.liquid$/.test(file) ? places.name(file) : null
    const frame = name === null ? places.find(file, Number(line), Number(column)) : { file: name, line: Number(line) }
    if (frame !== null && !isSameFrame(frames.at(-1), frame)) frames.push(frame)
  }
  return frames
}

/**
 * Returns a locator that uses version-3 source maps.
 * @param payload returns the source map of a file in a stack, null when the file has none. It is called once for each file, for the first
 * fault that needs the file.
 * @param name does the same as `SourceLocator.name`; names in a source map are relative to the file `from` that contains the map
 */
export function createSourceLocator(
  payload: (file: string) => SourceMapPayload | null,
  name: (source: string, from: string | null) => string | null,
): SourceLocator {
  const maps = new Map<string, SourceMap | null>()
  function loadMap(file: string): SourceMap | null {
    const cachedMap = maps.get(file)
    if (cachedMap !== undefined) return cachedMap
    const mapPayload = payload(file)
    const map = mapPayload === null ? null : new SourceMap(mapPayload)
    maps.set(file, map)
    return map
  }
  return {
    find(file, line, column) {
      const entry = loadMap(file)?.findEntry(line - 1, column - 1)
      if (entry === undefined || !('originalSource' in entry) || entry.originalSource === undefined) return null
      const source = name(entry.originalSource, file)
      return source === null ? null : { file: source, line: entry.originalLine + 1 }
    },
    name: (file) => name(file, null),
  }
}

function isSameFrame(a: Frame | undefined, b: Frame): boolean {
  return a !== undefined && a.file === b.file && a.line === b.line
}
