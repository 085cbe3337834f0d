/** Regular expressions of Ruby, run in linear time by RE2. */
import { RE2JS } from 're2js'
import { ArgumentFault, LimitFault } from '../fault.ts'
import { characterSlice } from '../values/text.ts'
import { type LinearPattern, linearPattern } from './linear.ts'
import type { ReadPattern, RegexOptions } from './node.ts'
import { readPattern } from './reader.ts'

/** A part of the text that matches, in UTF-16 units. */
export interface Match {
  readonly start: number
  readonly end: number
  /** Texts of the groups, without the whole; null for one that took no part. */
  readonly groups: readonly (string | null)[]
}

/** Milliseconds of one search for all matches: each match is found in linear time, all of them together may not be. */
const MAX_MILLIS = 3000

/** A pattern in the hands of the engine. */
interface Running {
  readonly linear: LinearPattern
  readonly engine: RE2JS
  /** Made by the first match that needs it. */
  atEnd: RE2JS | null
}

export class Regex {
  readonly #read: ReadPattern
  readonly #narrow: Running
  /** For texts with letters beyond ASCII; made by the first one. */
  #wide: Running | null = null
  /** The groups of each name. */
  readonly names: ReadonlyMap<string, readonly number[]>
  readonly groups: number

  constructor(source: string, options: RegexOptions) {
    this.#read = readPattern(source, options)
    this.#narrow = running(this.#read, false)
    this.names = this.#read.names
    this.groups = this.#read.groups
  }

  #for(text: string): Running {
    if (!this.#narrow.linear.hasBoundaries || !BEYOND_ASCII.test(text)) return this.#narrow
    this.#wide ??= running(this.#read, true)
    return this.#wide
  }

  /** Whether something in the text matches. */
  test(text: string): boolean {
    const { engine, linear } = this.#for(text)
    if (!engine.test(text)) return false
    // The one place where a line begins for RE2 and not for Ruby is behind the last line feed.
    if (linear.atEnd === null || !text.endsWith('\n')) return true
    for (const _ of this.matches(text)) return true
    return false
  }

  /** All matches from left to right, none over another. @throws LimitFault when they take too long together */
  *matches(text: string): Generator<Match> {
    const run = this.#for(text)
    const matcher = run.engine.matcher(text)
    const started = performance.now()
    const { slots, tails, keeps } = run.linear
    for (let count = 1; matcher.find(); count++) {
      if (count % 32 === 0 && performance.now() - started > MAX_MILLIS)
        throw new LimitFault('a regular expression took too long', 'time')
      if (!holdsAtEnd(run, matcher.start(), matcher.end(), text)) continue
      const cut = tails.map((each) => matcher.start(each)).find((at) => at >= 0) ?? matcher.end()
      const start = Math.min(cut, Math.max(matcher.start(), ...keeps.map((each) => matcher.start(each))))
      const groups = slots.slice(1).map((slot) => {
        const from = matcher.start(slot)
        return from < 0 ? null : text.slice(Math.min(from, cut), Math.min(matcher.end(slot), cut))
      })
      // What only had to stand behind the match may begin the next one.
      if (cut < matcher.end()) matcher.groups[1] = cut
      yield { start, end: cut, groups }
    }
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/

function running(read: ReadPattern, wide: boolean): Running {
  const linear = linearPattern(read, wide)
  return { linear, engine: compiled(linear.source, linear), atEnd: null }
}

/** Whether Ruby finds the match too, if it is an empty one at the end. */
function holdsAtEnd(run: Running, start: number, end: number, text: string): boolean {
  const { linear } = run
  if (linear.atEnd === null || start !== end || end !== text.length || !text.endsWith('\n')) return true
  run.atEnd ??= compiled(linear.atEnd, linear)
  return run.atEnd.matcher(text).find(end)
}

function compiled(source: string, { looksBehind }: LinearPattern): RE2JS {
  try {
    return RE2JS.compile(source, looksBehind ? RE2JS.LOOKBEHINDS : 0)
  } catch (error) {
    throw new ArgumentFault(reason(error))
  }
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (text.includes('repeat count') || text.includes('too large')) return 'it repeats too much'
  if (text.includes('nests too deeply')) return 'too deeply nested'
  return text.replace(/^error parsing regexp: /, '').slice(0, 200)
}

/** A pattern as errors show it. */
export function shownPattern(source: string): string {
  return `/${source.length > 100 ? `${characterSlice(source, 0, 100)}…` : source}/`
}
