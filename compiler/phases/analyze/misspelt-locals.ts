/** Finds names that a partial reads, that no caller passes, and that are spelled nearly like a variable of the partial. */
import { findLikelyTypo, findTypo } from '../../core/diagnostics/suggest.ts'
import type { Site } from '../../core/model/site.ts'
import { CONTEXT_FIELDS } from '../../language/types/context.ts'
import { oldVariable } from '../../language/types/old-variables.ts'
import { isBlock } from '../../core/model/unit.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { getOrMake } from '../../core/source/maps.ts'

const NONE: ReadonlyMap<string, string> = new Map()
const LANGUAGE_NAMES: ReadonlySet<string> = new Set(['context', 'forloop', 'tablerowloop', 'self', '*'])

const NO_NAMES: readonly string[] = []

/** Constants of other languages, which are variables in Liquid. */
const FOREIGN_CONSTANTS: ReadonlyMap<string, string> = new Map([
  ...['True', 'TRUE', 'yes'].map((name) => [name, 'true'] as const),
  ...['False', 'FALSE', 'no'].map((name) => [name, 'false'] as const),
  ...['None', 'undefined', 'NULL', 'Null', 'Nil', 'NIL', 'none'].map((name) => [name, 'nil'] as const),
])

/** Names that files of old sites read without the prefix `context.`. */
const OLD_NAMES: ReadonlySet<string> = new Set(Object.keys(CONTEXT_FIELDS))

const LOOP_VARIABLE = /\b(?:for|tablerow)\s+(\w+)\s+in\b/g

/** The sources of a template's names. */
interface NameSources {
  /** Returns whether a caller may pass a variable of this name. */
  readonly isGiven: (name: string) => boolean
  /** Whether all callers are known. */
  readonly areCallersKnown: boolean
  /** Returns the names that exist where the template is called. */
  readonly namesAtCalls: () => readonly string[]
  /** Returns how often a name is written in the site. */
  readonly countOf: (name: string) => number
}

/** Returns whether the template receives names from others. `isCalled`: it is called as a partial. */
export function isMisspellable({ unit, inner }: SiteTemplate, isCalled: boolean): boolean {
  return isBlock(inner) ? false : isCalled || (unit.file.kind === 'form' && inner === null)
}

/** Returns the intended variable for each misspelt name. */
export function misspeltLocals(
  { outline, template, unit }: SiteTemplate,
  { isGiven, areCallersKnown, namesAtCalls, countOf }: NameSources,
): ReadonlyMap<string, string> {
  // A documented partial declares its parameters.
  if (template.doc !== null && template.doc.params.length > 0) return NONE
  const loops = [...unit.file.text.matchAll(LOOP_VARIABLE)].map(([, name = '']) => name)
  // A name spelled like an unread loop variable is treated as a misspelling of it, even if a caller may pass the name.
  const unreadLoops = loops.filter((name) => countIn(unit.file.text, name) === 1)
  const candidates = [...outline.reads.keys()].filter(
    (name) =>
      !outline.writes.has(name) &&
      !outline.counters.has(name) &&
      !LANGUAGE_NAMES.has(name) &&
      oldVariable(name) === null &&
      (!isGiven(name) || findTypo(name, unreadLoops) !== null || findLikelyTypo(name, unreadLoops) !== null),
  )
  if (candidates.length === 0) return NONE
  const ownNames = new Set([...outline.writes.keys(), ...loops])
  for (const name of LANGUAGE_NAMES) ownNames.delete(name)
  const isForm = unit.file.kind === 'form'
  if (isForm) ownNames.add('form')
  const intendedNames = new Map<string, string>()
  for (const name of candidates) {
    const meantName = !areCallersKnown
      ? (FOREIGN_CONSTANTS.get(name) ?? null)
      : (FOREIGN_CONSTANTS.get(name) ??
        findTypo(name, ownNames) ??
        findLikelyTypo(name, isForm ? ['form'] : NO_NAMES) ??
        findLikelyTypo(name, unreadNames(ownNames, outline.reads)) ??
        givenSlip(name, outline.reads, isGiven) ??
        callSlip(name, namesAtCalls(), countOf) ??
        callSlip(name, OLD_NAMES, countOf))
    if (meantName !== null) intendedNames.set(name, meantName)
  }
  return intendedNames.size === 0 ? NONE : intendedNames
}

function countIn(text: string, name: string): number {
  return text.split(new RegExp(`\\b${name}\\b`)).length - 1
}

function unreadNames(names: ReadonlySet<string>, reads: ReadonlyMap<string, unknown>): readonly string[] {
  return [...names].filter((name) => !reads.has(name))
}

/**
 * Returns a name that callers pass, that the template reads, and that is spelled like this one; null if there is none. Singular and plural
 * are different names.
 */
function givenSlip(
  name: string,
  reads: ReadonlyMap<string, unknown>,
  isGiven: (name: string) => boolean,
): string | null {
  const givenNames = [...reads.keys()].filter(
    (other) => !LANGUAGE_NAMES.has(other) && `${other}s` !== name && `${name}s` !== other && isGiven(other),
  )
  return findTypo(name, givenNames)
}

/** Returns a similar name that exists where the template is called and that the site writes more often; null if there is none. */
function callSlip(name: string, atCalls: Iterable<string>, countOf: (name: string) => number): string | null {
  const similarNames = [...atCalls].filter(
    (other) =>
      `${other}s` !== name && `${name}s` !== other && findLikelyTypo(name, [other]) !== null && isTypo(name, other),
  )
  return similarNames.find((other) => countOf(name) < countOf(other)) ?? null
}

/**
 * Returns whether two names have the same letters, the same first letter, or one ends with the other. Otherwise they are different words,
 * as `kind` and `find` are.
 */
function isTypo(name: string, other: string): boolean {
  const isAnagram = [...name].sort().join('') === [...other].sort().join('')
  return isAnagram || name[0] === other[0] || name.endsWith(other) || other.endsWith(name)
}

/** Returns the names that includes share with a file, by its path. */
export function namesAtIncludes(
  site: Site,
  siteTemplates: readonly SiteTemplate[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  for (const { outline } of siteTemplates) {
    for (const { literal, kind, hidden, boundBefore } of outline.calls) {
      const path = literal === null || kind !== 'include' ? undefined : site.partials.get(literal)?.file.path
      if (path === undefined) continue
      const knownNames = getOrMake(names, path, () => new Set<string>())
      for (const name of hidden) knownNames.add(name)
      for (const name of boundBefore) knownNames.add(name)
    }
  }
  return names
}

/** Returns the names that the text of a file passes to forms. */
export function namesForForm(text: string): readonly string[] {
  if (!text.includes('include_form')) return NO_NAMES
  return [...text.matchAll(/\binclude_form\b([^%]*)/g)].flatMap(([, writtenText = '']) =>
    [...writtenText.matchAll(/(\w+)\s*:/g)].map(([, name = '']) => name),
  )
}
