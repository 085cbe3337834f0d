/**
 * What the templates of a site were checked with before, and what was found then. To put together all that the check of a template depends on,
 * so that it is compared, is most of the work where an edit changes what a few of some thousand templates are checked with. Here it is
 * compared in its place.
 */
import { derived } from '../../core/model/derived.ts'
import { shareList } from '../../core/model/shared-values.ts'
import { areSame, type Memo } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import { typeKey } from '../../language/types/type-key.ts'
import type { AnyPartial } from './infer/any-partial.ts'
import { usedOperations } from './infer/keys.ts'
import type { Piece } from './piece.ts'
import { calledFacts, faceKey, isCalledAsBefore } from './rules/dependencies.ts'
import type { CheckedUnit, TemplateEnvironment, UnitFacts } from './rules/facts.ts'
import type { RequestValues } from './rules/request-values.ts'
import type { SiteNames } from './site-names.ts'

/** Types by the names that they are given under. */
export type GivenTypes = ReadonlyMap<string, Type>

/** What is known of one template alone. */
export type OwnEnvironment = Pick<
  TemplateEnvironment,
  'isPartial' | 'globals' | 'oldNames' | 'params' | 'closed' | 'likely' | 'misspelt'
>

/** What a template was checked with last. */
export interface LastCheck {
  readonly environment: OwnEnvironment
  /** What its callers give, and what tags put into the request, where it reads that. */
  readonly given: GivenTypes | null
  readonly requests: RequestValues | null
  /** How often it was checked. */
  readonly turn: number
}

/** What of a site, and of its other templates, the check of one template goes by. */
export interface KnownSite {
  readonly site: Site
  readonly operations: Operations
  /** Facts of partials as their callers see them, by file. */
  readonly seen: Pick<ReadonlyMap<string, UnitFacts>, 'get'>
  /** Stands for all of the site that every template's check depends on. */
  readonly siteKey: unknown
  readonly names: SiteNames
  /** What notifications are given, by file. */
  readonly notifications: ReadonlyMap<string, Type>
}

export interface EarlierCheck {
  readonly piece: Piece
  readonly last: LastCheck
  /** Names that the template, which is included, sets for others; null for one that is not. */
  readonly shared: string | null
  readonly checked: CheckedUnit
  /** The facts as its callers see them; null for one that is no partial. */
  readonly seen: UnitFacts | null
}

interface Kept extends EarlierCheck {
  /** The templates that it calls, each with what was known of it. */
  readonly called: readonly unknown[]
  readonly operations: readonly unknown[]
}

/** The checks of the templates of a site, for as long as nothing changes that all of them depend on. */
export class EarlierChecks {
  /** By the keys of the templates: the first check of each, the second, and so on. */
  readonly #turns: Map<string, Kept>[] = []

  /**
   * The check of a template that was made with the same, but for what its callers give, and for what it shares.
   * @param turn how often the template was checked then, with that time: from 1
   */
  find(piece: Piece, turn: number, { site, operations, seen }: KnownSite): EarlierCheck | null {
    const kept = this.#turns[turn]?.get(piece.key)
    if (kept === undefined) return null
    const { unit, template, bound } = kept.piece
    if (unit !== piece.unit || template !== piece.template || bound !== piece.bound) return null
    if (!isCalledAsBefore(site, piece, seen, kept.called)) return null
    const isSame = bound.queries.length === 0 || areSame(kept.operations, usedOperations(operations, piece))
    return isSame ? kept : null
  }

  keep(check: EarlierCheck, { site, operations, seen }: KnownSite): void {
    const { piece, last } = check
    const called = shareList(calledFacts(site, piece, seen))
    const turn = (this.#turns[last.turn] ??= new Map())
    turn.set(piece.key, { ...check, called, operations: shareList(usedOperations(operations, piece)) })
  }
}

/**
 * The checks of templates of a site with these names.
 * @param inputs all that every check depends on besides
 */
export function earlierChecks(memo: Memo, names: SiteNames, inputs: readonly unknown[]): EarlierChecks {
  const { oldNamesOf, calledByName, included, lacksModule, graph, given, forForms, anyPartial, atIncludes } = names
  const inCalls = [oldNamesOf, calledByName, included, lacksModule, graph]
  const contents = [anyPartial === null ? null : keysOf(anyPartial).all, contentOf(atIncludes)]
  return memo.once(
    'earlier checks',
    '',
    [...inputs, ...inCalls, given, forForms, ...contents],
    () => new EarlierChecks(),
  )
}

/** The facts of a partial as its callers see them: the same value for as long as they see the same. */
export function seenByCallers(memo: Memo, key: string, checked: CheckedUnit, turn: number): UnitFacts {
  const face = memo.once(`face ${turn}`, key, [checked], () => faceKey(checked.facts))
  return memo.once(`seen ${turn}`, key, [face], () => checked.facts)
}

/** All that the check of a template depends on, but for what its callers give and what it shares. */
export function inputsOf(piece: Piece, known: KnownSite): readonly unknown[] {
  const { site, operations, seen, siteKey, names, notifications } = known
  const { path } = piece.unit.file
  return [
    siteKey,
    piece.unit,
    piece.template,
    piece.bound,
    names.oldNamesOf(piece),
    site.formSchemas.get(path),
    typeKey(notifications.get(path) ?? UNKNOWN),
    anyPartialKey(names, piece),
    ...calledFacts(site, piece, seen),
    ...usedOperations(operations, piece),
  ]
}

/** What any partial may do, as far as it matters to a template: a text that is the same for as long as that is. */
function anyPartialKey({ anyPartial }: SiteNames, { bound }: Piece): string | null {
  if (anyPartial === null) return null
  const { all, changedKeys } = keysOf(anyPartial)
  return bound.calls.some(({ kind, literal }) => kind === 'include' || literal === null) ? all : changedKeys
}

const keysOf = derived((any: AnyPartial) => ({ all: contentOf(any), changedKeys: contentOf(any.changedKeys) }))

/** A text that is the same for equal names. */
function contentOf(names: unknown): string {
  return JSON.stringify(names, (_, each: unknown) => (each instanceof Set || each instanceof Map ? [...each] : each))
}
