/**
 * Cached checks of a site's templates, with the inputs of each. After an edit that changes the inputs of few templates, building the list
 * of all inputs of each template would take most of the time. This module therefore compares the inputs in place.
 */
import { derived } from '../../core/model/derived.ts'
import { shareList } from '../../core/model/shared-values.ts'
import { areSame, type Memo } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import { typeKey } from '../../language/types/type-key.ts'
import type { AnyPartial } from '../analyze/any-partial.ts'
import { usedOperations } from '../analyze/keys.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { calledFacts, callersKey, isCalledAsBefore } from './rules/dependencies.ts'
import type { CheckedUnit, TemplateEnvironment, UnitFacts } from './rules/facts.ts'
import type { RequestValues } from './rules/request-values.ts'
import type { SiteNames } from './site-names.ts'

/** Types by parameter name. */
export type GivenTypes = ReadonlyMap<string, Type>

/** The part of the environment that is specific to one template. */
export type OwnEnvironment = Pick<
  TemplateEnvironment,
  'isPartial' | 'globals' | 'oldNames' | 'params' | 'closed' | 'likely' | 'misspelt'
>

/** The inputs of a template's last check. */
export interface LastCheck {
  readonly environment: OwnEnvironment
  /** The types that callers pass, and the values that tags put into the request, if the template reads those. */
  readonly givenTypes: GivenTypes | null
  readonly requests: RequestValues | null
  /** How many times the template has been checked, including this check. */
  readonly checkNumber: number
}

/** The inputs of a template's check that come from the site and from other templates. */
export interface KnownSite {
  readonly site: Site
  readonly operations: Operations
  /** Facts of partials as callers see them, by file. */
  readonly seenFacts: Pick<ReadonlyMap<string, UnitFacts>, 'get'>
  /** Identifies everything in the site that all checks depend on. */
  readonly siteKey: unknown
  readonly names: SiteNames
  /** Types of the data that notifications receive, by file. */
  readonly notifications: ReadonlyMap<string, Type>
}

export interface EarlierCheck {
  readonly siteTemplate: SiteTemplate
  readonly last: LastCheck
  /** Names that an included template sets for others; null for a template that is not included. */
  readonly sharedNames: string | null
  readonly checked: CheckedUnit
  /** The facts as callers see them; null for a template that is not a partial. */
  readonly seenFacts: UnitFacts | null
}

interface CachedCheck extends EarlierCheck {
  /** The facts of the template's callees at the time of the check. */
  readonly calleeFacts: readonly unknown[]
  readonly operations: readonly unknown[]
}

/** Cached checks of a site's templates. They are valid until something changes that all of them depend on. */
export class EarlierChecks {
  /** The cached checks by number of the check (see `LastCheck.checkNumber`), then by template key. */
  readonly #checksByNumber: Map<string, CachedCheck>[] = []

  /**
   * Returns an earlier check of a template if its inputs are the same; null otherwise. Argument types and shared names are not compared.
   * @param checkNumber the number of the check, counted from 1
   */
  find(
    siteTemplate: SiteTemplate,
    checkNumber: number,
    { site, operations, seenFacts }: KnownSite,
  ): EarlierCheck | null {
    const cached = this.#checksByNumber[checkNumber]?.get(siteTemplate.key)
    if (cached === undefined) return null
    const { unit, template, outline } = cached.siteTemplate
    if (unit !== siteTemplate.unit || template !== siteTemplate.template || outline !== siteTemplate.outline)
      return null
    if (!isCalledAsBefore(site, siteTemplate, seenFacts, cached.calleeFacts)) return null
    const isSame = outline.queries.length === 0 || areSame(cached.operations, usedOperations(operations, siteTemplate))
    return isSame ? cached : null
  }

  keep(check: EarlierCheck, { site, operations, seenFacts }: KnownSite): void {
    const { siteTemplate, last } = check
    const calleeFacts = shareList(calledFacts(site, siteTemplate, seenFacts))
    const checks = (this.#checksByNumber[last.checkNumber] ??= new Map())
    checks.set(siteTemplate.key, {
      ...check,
      calleeFacts,
      operations: shareList(usedOperations(operations, siteTemplate)),
    })
  }
}

/**
 * Returns the cached checks for a site with these names.
 * @param inputs everything else that all checks depend on
 */
export function earlierChecks(memo: Memo, names: SiteNames, inputs: readonly unknown[]): EarlierChecks {
  const {
    oldNamesOf,
    filesCalledByName,
    includedFiles,
    lacksModule,
    graph,
    namesGiven,
    namesForForms,
    anyPartial,
    namesAtIncludes,
  } = names
  const inCalls = [oldNamesOf, filesCalledByName, includedFiles, lacksModule, graph]
  const contents = [anyPartial === null ? null : keysOf(anyPartial).all, contentOf(namesAtIncludes)]
  return memo.once(
    'earlier checks',
    '',
    [...inputs, ...inCalls, namesGiven, namesForForms, ...contents],
    () => new EarlierChecks(),
  )
}

/** Returns the facts of a partial as callers see them: the same object while they are equal for callers. */
export function factsForCallers(memo: Memo, key: string, checked: CheckedUnit, checkNumber: number): UnitFacts {
  const seenKey = memo.once(`for callers ${checkNumber}`, key, [checked], () => callersKey(checked.facts))
  return memo.once(`seen ${checkNumber}`, key, [seenKey], () => checked.facts)
}

/** Returns everything that the check of a template depends on, except for argument types and shared names. */
export function checkInputsOf(siteTemplate: SiteTemplate, known: KnownSite): readonly unknown[] {
  const { site, operations, seenFacts, siteKey, names, notifications } = known
  const { path } = siteTemplate.unit.file
  return [
    siteKey,
    siteTemplate.unit,
    siteTemplate.template,
    siteTemplate.outline,
    names.oldNamesOf(siteTemplate),
    site.formSchemas.get(path),
    typeKey(notifications.get(path) ?? UNKNOWN),
    anyPartialKey(names, siteTemplate),
    ...calledFacts(site, siteTemplate, seenFacts),
    ...usedOperations(operations, siteTemplate),
  ]
}

/**
 * Returns a text that describes the effects of a call that may run any partial, as far as they matter to a template. Equal texts mean equal
 * effects.
 */
function anyPartialKey({ anyPartial }: SiteNames, { outline }: SiteTemplate): string | null {
  if (anyPartial === null) return null
  const { all, changedKeys } = keysOf(anyPartial)
  return outline.calls.some(({ kind, literal }) => kind === 'include' || literal === null) ? all : changedKeys
}

const keysOf = derived((any: AnyPartial) => ({ all: contentOf(any), changedKeys: contentOf(any.changedKeys) }))

/** Returns a text that identifies these names. Equal names give the same text. */
function contentOf(names: unknown): string {
  return JSON.stringify(names, (_, each: unknown) => (each instanceof Set || each instanceof Map ? [...each] : each))
}
