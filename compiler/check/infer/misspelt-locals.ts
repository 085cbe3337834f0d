/** Names that a partial reads, that nobody gives it, and that are spelled nearly like one of its own variables. */
import { likelySlip, slipOf } from '../../diagnostics/suggest.ts'
import { oldVariable } from '../../types/old-variables.ts'
import type { Piece } from '../piece.ts'

const NONE: ReadonlyMap<string, string> = new Map()
const LANGUAGE_NAMES: ReadonlySet<string> = new Set(['context', 'forloop', 'tablerowloop', 'self', '*'])

const NOTHING: readonly string[] = []

/** Constants as other languages write them, which are variables here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...['True', 'TRUE', 'yes'].map((name) => [name, 'true'] as const),
  ...['False', 'FALSE', 'no'].map((name) => [name, 'false'] as const),
  ...['None', 'undefined', 'NULL', 'Null', 'Nil', 'NIL', 'none'].map((name) => [name, 'nil'] as const),
])

const LOOPS = /\b(?:for|tablerow)\s+(\w+)\s+in\b/g

/**
 * By the misspelt name, the variable that is meant. `isGiven`: whether a caller may give a variable of the name; `isKnown`: whether all
 * callers are known.
 */
export function misspeltLocals(
  { bound, template, unit }: Piece,
  isGiven: (name: string) => boolean,
  isKnown: boolean,
): ReadonlyMap<string, string> {
  // A documented partial says itself which names it takes.
  if (template.doc !== null && template.doc.params.length > 0) return NONE
  const loops = [...unit.file.text.matchAll(LOOPS)].map(([, name = '']) => name)
  // The variable of a loop that nothing reads was meant by whatever is spelled like it, whoever may give that.
  const idle = loops.filter((name) => timesIn(unit.file.text, name) === 1)
  const foreign = [...bound.reads.keys()].filter(
    (name) =>
      !bound.writes.has(name) &&
      !bound.counters.has(name) &&
      !LANGUAGE_NAMES.has(name) &&
      oldVariable(name) === null &&
      (!isGiven(name) || slipOf(name, idle) !== null || likelySlip(name, idle) !== null),
  )
  if (foreign.length === 0) return NONE
  const own = new Set([...bound.writes.keys(), ...loops])
  for (const name of LANGUAGE_NAMES) own.delete(name)
  const isForm = unit.file.kind === 'form'
  if (isForm) own.add('form')
  const found = new Map<string, string>()
  for (const name of foreign) {
    const meant = !isKnown
      ? (ELSEWHERE.get(name) ?? null)
      : (ELSEWHERE.get(name) ??
        slipOf(name, own) ??
        likelySlip(name, isForm ? ['form'] : NOTHING) ??
        likelySlip(name, unread(own, bound.reads)) ??
        givenSlip(name, bound.reads, isGiven))
    if (meant !== null) found.set(name, meant)
  }
  return found.size === 0 ? NONE : found
}

function timesIn(text: string, name: string): number {
  return text.split(new RegExp(`\\b${name}\\b`)).length - 1
}

function unread(names: ReadonlySet<string>, reads: ReadonlyMap<string, unknown>): readonly string[] {
  return [...names].filter((name) => !reads.has(name))
}

/** A name that callers give, and that is read beside this one. One and many are two names. */
function givenSlip(
  name: string,
  reads: ReadonlyMap<string, unknown>,
  isGiven: (name: string) => boolean,
): string | null {
  const given = [...reads.keys()].filter(
    (other) => !LANGUAGE_NAMES.has(other) && `${other}s` !== name && `${name}s` !== other && isGiven(other),
  )
  return slipOf(name, given)
}

/** What forms are given by those that show them. */
export function namesForForms(pieces: readonly Piece[]): ReadonlySet<string> {
  const given = new Set<string>()
  for (const { text } of new Set(pieces.map(({ unit }) => unit.file))) {
    for (const [, written = ''] of text.matchAll(/\binclude_form\b([^%]*)/g))
      for (const [, name = ''] of written.matchAll(/(\w+)\s*:/g)) given.add(name)
  }
  return given
}
