/** What may be nil and is used as if it were not: results of functions, and the user on a page that anybody may see. */
import { anonymousUser } from '../../../core/diagnostics/codes/values/anonymous-user.ts'
import { nilResult } from '../../../core/diagnostics/codes/values/nil-result.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived } from '../../../core/model/derived.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from '../rules/facts.ts'
import { namesOf, type TemplateNames } from './scan.ts'

/** Parts of results of functions that return nil on some way, where nothing before them asks whether there is one. */
export function checkNilResults(
  site: Site,
  pieces: readonly Piece[],
  factsOf: (key: string) => UnitFacts | undefined,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const piece of pieces) {
    const { functions, parts, guarded } = namesOf(piece)
    for (const { variable, partial, span } of functions) {
      const same = functions.filter((each) => each.variable === variable)
      // What else sets the variable may give it a value.
      if ((piece.bound.writes.get(variable) ?? 0) > same.length) continue
      const next = same.find((each) => each.span.start > span.start)?.span.start ?? Number.POSITIVE_INFINITY
      const target = site.partials.get(partial)
      const facts = target === undefined ? undefined : factsOf(target.file.path)
      const empty = facts?.returned == null ? null : facts.emptyAt
      const read = parts.find(
        (each) => each.variable === variable && each.span.start > span.end && each.span.start < next,
      )
      if (empty == null || read === undefined) continue
      // Who asks later knows that there may be none; a policy of the page may have asked.
      const guards = guarded.get(variable)
      if (guards === undefined ? isGuardedPage(piece) : guards.some((at) => isBetween(at, span, read.span))) continue
      const found = nilResult(read.span, variable, partial, empty)
      // Nothing of the file asks: the author may know that there always is one.
      diagnostics.push(guards === undefined ? { ...found, severity: 'info' } : found)
    }
  }
  return diagnostics
}

/** Whether it is asked between the call and the read, or for a part of the value. */
function isBetween(at: number, call: Span, read: Span): boolean {
  return at === 0 || (at >= call.end && at <= read.start)
}

function isGuardedPage({ unit: { settings } }: Piece): boolean {
  return settings.kind === 'page' && settings.authorizationPolicies.length > 0
}

/** Calls that let nobody but users pass. */
const ASKING = /authoriz|authenticat|can_do|signed|logged|sign_in|current_profile|require|guard|polic/i

const userReads = derived(({ context }: TemplateNames) => context.filter(({ path }) => path[0] === 'current_user'))

/**
 * Pages without a policy that use the user's id, and nowhere ask whether there is a user. Of partials only what such a page surely comes to is
 * looked at, where all that it calls is known.
 */
export function checkAnonymous(
  pieces: readonly Piece[],
  factsOf: (key: string) => UnitFacts | undefined,
): readonly Diagnostic[] {
  const byKey = new Map(pieces.map((piece) => [piece.key, piece]))
  const found = new Map<string, Diagnostic>()
  for (const piece of pieces) {
    if (piece.unit.file.kind !== 'page' || piece.inner !== null || isGuardedPage(piece) || asks(piece)) continue
    const at = neededId(piece) ?? neededBehind(piece, byKey, factsOf)
    if (at === null) continue
    const { file } = piece.unit
    const key = `${at.file}:${at.start}`
    const page = at.file === file.path ? null : { file: file.path, start: 0, end: 0 }
    if (!found.has(key)) found.set(key, anonymousUser(at, page))
  }
  return [...found.values()]
}

/** Whether a template asks who is there. */
function asks(piece: Piece): boolean {
  return ASKING.test(piece.unit.file.text) || userReads(namesOf(piece)).some(({ guarded }) => guarded)
}

/** Where a template uses the user's id so that there must be one. */
function neededId(piece: Piece): Span | null {
  return userReads(namesOf(piece)).find(({ path, needed }) => path[1] === 'id' && needed)?.spans[1] ?? null
}

/** The same in what a page calls; null where any of it may ask. */
function neededBehind(
  page: Piece,
  pieces: ReadonlyMap<string, Piece>,
  factsOf: (key: string) => UnitFacts | undefined,
): Span | null {
  const keys = new Set([page.key])
  let needed: Span | null = null
  for (const key of keys) {
    const piece = pieces.get(key)
    if (piece === undefined || (piece !== page && asks(piece))) return null
    needed ??= neededId(piece)
    for (const { kind, open, targets } of factsOf(key)?.calls ?? []) {
      if (open || targets === null) return null
      if (kind !== 'background') for (const target of targets) keys.add(target)
    }
  }
  return needed
}
