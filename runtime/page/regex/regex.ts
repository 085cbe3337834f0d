/** Runs Ruby's regular expressions with RE2, in linear time. Patterns that RE2 cannot run are searched with a limit. */
import { RE2JS } from 're2js'
import { startCpuLimit } from '../cpu-limit.ts'
import { ArgumentFault, LimitFault } from '../fault.ts'
import { sliceCharacters } from '../values/text.ts'
import { chargeText } from '../values/meter.ts'
import { UnsupportedByRe2, type LinearPattern, printLinearPattern } from './linear.ts'
import type { ParsedPattern, RegexOptions } from './node.ts'
import { type Program, compileProgram } from './program.ts'
import { parsePattern } from './reader.ts'
import { Search } from './search.ts'

/** A match. Offsets are in UTF-16 units. */
export interface RegexMatch {
  readonly start: number
  readonly end: number
  /** The texts of the groups, without the whole match. Null for a group that did not take part in the match. */
  readonly groups: readonly (string | null)[]
}

/** Milliseconds after which a search for all matches ends. Each match is found in linear time, but there may be many. */
const MAX_MILLIS = 3000

/** A pattern compiled for RE2. */
interface CompiledRegex {
  readonly linear: LinearPattern
  readonly engine: RE2JS
  /** Compiled when a match first needs it. */
  atEnd: RE2JS | null
}

export class Regex {
  readonly #read: ParsedPattern
  /** RE2's pattern, or the program of a pattern that RE2 cannot run. */
  readonly #engine: CompiledRegex | Program
  /** The variant for texts with letters beyond ASCII. It is compiled on first use. */
  #wide: CompiledRegex | null = null
  /** The numbers of the groups with each name. */
  readonly names: ReadonlyMap<string, readonly number[]>
  readonly groups: number

  constructor(source: string, options: RegexOptions) {
    this.#read = parsePattern(source, options)
    this.#engine = createEngine(this.#read)
    this.names = this.#read.names
    this.groups = this.#read.groups
  }

  #variantFor(narrow: CompiledRegex, text: string): CompiledRegex {
    if (!narrow.linear.hasBoundaries || !BEYOND_ASCII.test(text)) return narrow
    this.#wide ??= compileLinear(this.#read, true)
    return this.#wide
  }

  /**
   * Checks whether the pattern matches somewhere in the text.
   * @throws LimitFault when the search takes too long
   */
  test(text: string): boolean {
    chargeText(8 * text.length)
    if ('steps' in this.#engine) return new Search(this.#engine, text).find(0) !== null
    const { engine, linear } = this.#variantFor(this.#engine, text)
    if (!engine.test(text)) return false
    // RE2 and Ruby disagree only on whether a line begins after the last line feed.
    if (linear.atEnd === null || !text.endsWith('\n')) return true
    for (const _ of this.matches(text)) return true
    return false
  }

  /**
   * Yields all matches from left to right, without overlaps.
   * @throws LimitFault when the whole search takes too long
   */
  *matches(text: string): Generator<RegexMatch> {
    chargeText(8 * text.length)
    if ('steps' in this.#engine) {
      yield* searchMatches(this.#engine, text)
      return
    }
    const run = this.#variantFor(this.#engine, text)
    const matcher = run.engine.matcher(text)
    const { slots, trailingGroups, matchStartGroups } = run.linear
    // The clock is checked only after many matches, because most texts have few.
    let isLate: (() => boolean) | null = null
    for (let count = 1; matcher.find(); count++) {
      if (count % 32 === 0 && (isLate ??= startCpuLimit(MAX_MILLIS))())
        throw new LimitFault('a regular expression took too long', 'time')
      if (!isMatchAtEnd(run, matcher.start(), matcher.end(), text)) continue
      const cut = trailingGroups.map((each) => matcher.start(each)).find((at) => at >= 0) ?? matcher.end()
      const start = Math.min(cut, Math.max(matcher.start(), ...matchStartGroups.map((each) => matcher.start(each))))
      const groups = slots.slice(1).map((slot) => {
        const from = matcher.start(slot)
        return from < 0 ? null : text.slice(Math.min(from, cut), Math.min(matcher.end(slot), cut))
      })
      // Characters after the match that were only asserted may begin the next match.
      if (cut < matcher.end()) matcher.groups[1] = cut
      yield { start, end: cut, groups }
    }
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/

function createEngine(pattern: ParsedPattern): CompiledRegex | Program {
  try {
    return compileLinear(pattern, false)
  } catch (error) {
    if (error instanceof UnsupportedByRe2) return compileProgram(pattern)
    throw error
  }
}

function* searchMatches(program: Program, text: string): Generator<RegexMatch> {
  const search = new Search(program, text)
  let from = 0
  while (from <= text.length) {
    const searchResult = search.find(from)
    if (searchResult === null) return
    const { start, end, slots } = searchResult
    const groups = Array.from({ length: program.groups }, (_, at) => {
      const [first = -1, last = -1] = slots.slice(2 * at + 2, 2 * at + 4)
      return first === -1 || last < first ? null : text.slice(first, last)
    })
    yield { start, end, groups }
    from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
  }
}

function compileLinear(pattern: ParsedPattern, wide: boolean): CompiledRegex {
  const linear = printLinearPattern(pattern, wide)
  return { linear, engine: compileRe2(linear.source, linear), atEnd: null }
}

/** Checks whether Ruby also finds an empty match at the end of the text. */
function isMatchAtEnd(run: CompiledRegex, start: number, end: number, text: string): boolean {
  const { linear } = run
  if (linear.atEnd === null || start !== end || end !== text.length || !text.endsWith('\n')) return true
  run.atEnd ??= compileRe2(linear.atEnd, linear)
  return run.atEnd.matcher(text).find(end)
}

function compileRe2(source: string, { looksBehind }: LinearPattern): RE2JS {
  try {
    return RE2JS.compile(source, looksBehind ? RE2JS.LOOKBEHINDS : 0)
  } catch (error) {
    throw new ArgumentFault(explainRe2Error(error))
  }
}

function explainRe2Error(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (text.includes('repeat count') || text.includes('too large')) return 'it repeats too much'
  if (text.includes('nests too deeply')) return 'too deeply nested'
  return text.replace(/^error parsing regexp: /, '').slice(0, 200)
}

/** Returns a pattern as error messages show it. */
export function printPattern(source: string): string {
  return `/${source.length > 100 ? `${sliceCharacters(source, 0, 100)}…` : source}/`
}
