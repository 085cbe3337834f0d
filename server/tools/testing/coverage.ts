/** Measures which lines of templates the tests run. V8 counts the executed ranges of modules, and source maps lead to the templates. */
import { Session } from 'node:inspector/promises'
import type { SourceMapPayload } from 'node:module'
import { digestIn, mapOfModule, readModuleList } from '../../web/site/release-modules.ts'

/** The lines of a template that contain code, and whether they ran. */
export interface FileCoverage {
  readonly file: string
  readonly lines: ReadonlyMap<number, boolean>
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

export class Coverage {
  readonly #session = new Session()

  /** Starts counting. Code that was loaded before is not counted. */
  async start(): Promise<void> {
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Returns the coverage of a build's templates. */
  async take(folder: string, code: string): Promise<readonly FileCoverage[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    this.#session.disconnect()
    const list = await readModuleList(folder)
    if (list === null) return []
    const files = new Map<string, Map<number, boolean>>()
    const byDigest = new Map(
      result.flatMap((each) => (digestIn(each.url) === null ? [] : [[digestIn(each.url), each]])),
    )
    for (const [at, { digest, at: start, length }] of [...list.modules.values()].entries()) {
      const script = byDigest.get(digest)
      const map = mapOfModule(folder, at)
      if (script !== undefined && map !== null) add(files, script, map, code.slice(start, start + length))
    }
    return [...files].map(([file, lines]) => ({ file, lines }))
  }
}

/** The code that `scriptOf` puts before a module. */
const SCRIPT_PREFIX = "((factories) => { 'use strict'\n".length

function add(
  files: Map<string, Map<number, boolean>>,
  { functions }: ScriptCoverage,
  map: SourceMapPayload,
  code: string,
): void {
  const ranges = functions.flatMap((each) => each.ranges)
  const starts = lineStarts(code)
  for (const [line, segments] of mappingsOf(map.mappings).entries())
    for (const { column, source, sourceLine } of segments) {
      const file = map.sources[source]?.replace(/^(?:\.\.?\/)+/, '')
      const start = starts[line]
      if (file === undefined || start === undefined || !file.endsWith('.liquid')) continue
      const isRun = countAt(ranges, SCRIPT_PREFIX + start + column) > 0
      const lines = files.get(file) ?? new Map<number, boolean>()
      files.set(file, lines)
      lines.set(sourceLine + 1, isRun || lines.get(sourceLine + 1) === true)
    }
}

function lineStarts(code: string): readonly number[] {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns how often the code at an offset ran, which is the count of the innermost range. */
function countAt(ranges: readonly Range[], offset: number): number {
  let best: Range | null = null
  for (const range of ranges) {
    if (offset < range.startOffset || offset >= range.endOffset) continue
    if (best === null || range.endOffset - range.startOffset <= best.endOffset - best.startOffset) best = range
  }
  return best?.count ?? 0
}

interface Segment {
  readonly column: number
  readonly source: number
  readonly sourceLine: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Parses the mappings of a source map, by line of the code. @internal Exported for tests. */
export function mappingsOf(mappings: string): readonly (readonly Segment[])[] {
  let [source, sourceLine] = [0, 0]
  return mappings.split(';').map((line) => {
    let column = 0
    return line.split(',').flatMap((segment): readonly Segment[] => {
      const [columns, sources, lines] = decodeVlq(segment)
      if (columns === undefined) return []
      column += columns
      if (sources === undefined || lines === undefined) return []
      source += sources
      sourceLine += lines
      return [{ column, source, sourceLine }]
    })
  })
}

/** Decodes the numbers of a segment (base 64 VLQ, with the sign in the lowest bit). */
function decodeVlq(segment: string): readonly number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const sign of segment) {
    const digit = DIGITS.indexOf(sign)
    value += (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

/** Returns the coverage of the application, and of modules with tests. Other modules are tested in their own repositories. */
export function testedCoverage(files: readonly FileCoverage[], tests: readonly string[]): readonly FileCoverage[] {
  const moduleOf = (file: string): string | undefined => /^(?:app\/)?modules\/([^/]+)\//.exec(file)?.[1]
  const tested = new Set(tests.map(moduleOf))
  return files.filter(({ file }) => {
    const module = moduleOf(file)
    return !/_test\.liquid$|\/liquid_exec\.txt\.liquid$/.test(file) && (module === undefined || tested.has(module))
  })
}

/** Formats the coverage as a table: the share of run lines of each file, and the lines that did not run. */
export function formatCoverage(files: readonly FileCoverage[]): string {
  const rows = files
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, lines }) => {
      const missed = [...lines].filter(([, isRun]) => !isRun).map(([line]) => line)
      return { file, run: lines.size - missed.length, all: lines.size, missed: missed.toSorted((a, b) => a - b) }
    })
  const [run, total] = [rows.reduce((sum, row) => sum + row.run, 0), rows.reduce((sum, row) => sum + row.all, 0)]
  const width = Math.max(8, ...rows.map(({ file }) => file.length))
  const line = (name: string, ran: number, of: number, rest: string): string =>
    `${name.padEnd(width)}  ${formatShare(ran, of).padStart(6)}  ${rest}`.trimEnd()
  const lines = rows.map((row) => line(row.file, row.run, row.all, formatRanges(row.missed)))
  return `${['Lines that ran', ...lines, line('all', run, total, `${run} of ${total} lines`)].join('\n')}\n`
}

function formatShare(run: number, total: number): string {
  return total === 0 ? '-' : `${((run / total) * 100).toFixed(1)}%`
}

/** Formats line numbers as ranges: `3-5, 9`. */
function formatRanges(lines: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
