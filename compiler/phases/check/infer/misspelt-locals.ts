/** Names that a partial reads, that nobody gives it, and that are spelled nearly like one of its own variables. */
import { findLikelyTypo, findTypo } from '../../../core/diagnostics/suggest.ts'
import type { Site } from '../../../core/model/site.ts'
import { CONTEXT_FIELDS } from '../../../language/types/context.ts'
import { oldVariable } from '../../../language/types/old-variables.ts'
import { isBlock } from '../../../core/model/unit.ts'
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

/** What files of old sites read without `context.` before it. */
const OLD_NAMES: ReadonlySet<string> = new Set(Object.keys(CONTEXT_FIELDS))

const LOOPS = /\b(?:for|tablerow)\s+(\w+)\s+in\b/g

/** What may give a template its names. */
interface Givers {
  /** Whether a caller may give a variable of the name. */
  readonly isGiven: (name: string) => boolean
  /** Whether all callers are known. */
  readonly isKnown: boolean
  /** The names that there are at the calls of the template. */
  readonly atCalls: () => readonly string[]
  /** How often a name is written in the site. */
  readonly times: (name: string) => number
}

/** Whether others give the template names. `isCalled`: as a partial. */
export function isMisspellable({ unit, inner }: Piece, isCalled: boolean): boolean {
  return isBlock(inner) ? false : isCalled || (unit.file.kind === 'form' && inner === null)
}

/** By the misspelt name, the variable that is meant. */
export function misspeltLocals(
  { bound, template, unit }: Piece,
  { isGiven, isKnown, atCalls, times }: Givers,
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
      (!isGiven(name) || findTypo(name, idle) !== null || findLikelyTypo(name, idle) !== null),
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
        findTypo(name, own) ??
        findLikelyTypo(name, isForm ? ['form'] : NOTHING) ??
        findLikelyTypo(name, unread(own, bound.reads)) ??
        givenSlip(name, bound.reads, isGiven) ??
        callSlip(name, atCalls(), times) ??
        callSlip(name, OLD_NAMES, times))
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
  return findTypo(name, given)
}

/** A name that there is where the template is called, and that the site has more often than this one. */
function callSlip(name: string, atCalls: Iterable<string>, times: (name: string) => number): string | null {
  const near = [...atCalls].filter(
    (other) =>
      `${other}s` !== name && `${name}s` !== other && findLikelyTypo(name, [other]) !== null && isTypo(name, other),
  )
  return near.find((other) => times(name) < times(other)) ?? null
}

/** Whether both have the same letters, or begin or end alike: `kind` and `find` are words of their own. */
function isTypo(name: string, other: string): boolean {
  const isAnagram = [...name].sort().join('') === [...other].sort().join('')
  return isAnagram || name[0] === other[0] || name.endsWith(other) || other.endsWith(name)
}

/** By the path of a file, the names that includes share with it. */
export function namesAtIncludes(site: Site, pieces: readonly Piece[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  for (const { bound } of pieces) {
    for (const { literal, kind, hidden, boundBefore } of bound.calls) {
      const path = literal === null || kind !== 'include' ? undefined : site.partials.get(literal)?.file.path
      if (path === undefined) continue
      let known = names.get(path)
      if (known === undefined) names.set(path, (known = new Set()))
      for (const name of hidden) known.add(name)
      for (const name of boundBefore) known.add(name)
    }
  }
  return names
}

/** What the text of a file gives to forms that it shows. */
export function namesForForm(text: string): readonly string[] {
  if (!text.includes('include_form')) return NOTHING
  return [...text.matchAll(/\binclude_form\b([^%]*)/g)].flatMap(([, written = '']) =>
    [...written.matchAll(/(\w+)\s*:/g)].map(([, name = '']) => name),
  )
}
