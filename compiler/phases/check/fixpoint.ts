/**
 * Checks the templates of a site in rounds. Each template is checked alone, with the facts that are known about the others. A value starts as
 * unknown, and each round makes the facts more exact, until nothing changes. The result of every round is therefore correct.
 */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { withMarks } from '../../core/diagnostics/places-elsewhere.ts'
import { plain } from '../../core/model/codec.ts'
import { areSame, type Memo, type RecordRead } from '../../core/model/memo.ts'
import type { Steps } from '../../core/model/steps.ts'
import { derived } from '../../core/model/derived.ts'
import type { Site } from '../../core/model/site.ts'
import type { Type } from '../../core/model/type.ts'
import { isBlock } from '../../core/model/unit.ts'
import type { InferInput } from '../analyze/site.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import type { CheckStamps, checkStamps } from './check-stamps.ts'
import { Environment, type GivenTypes, type ReadKind, type SiteKnowledge } from './environment.ts'
import { isSameForCallers } from './site/caller-facts.ts'
import type { CheckedUnit, OutgoingCall, RecheckRequest, UnitFacts } from './walk/facts.ts'
import {
  givenOverData,
  type KnownCalls,
  knownCalls,
  likelyTypes,
  passedTypes,
  sameTypes,
  widenedTypes,
} from './site/passed-types.ts'
import { type Reach, reachOf } from './site/reach.ts'
import { requestValues } from './walk/request-values.ts'
import type { CheckQuery } from './types/likely-types.ts'
import { checkUnit } from './types/unit.ts'
import { type SiteNames, siteNames } from './site-names.ts'

/** Number of times that the types passed to a file may change. After that, types that still change are unknown, so that the rounds end. */
const MAX_CHANGES = 16
/** Number of templates without new results that are processed in one step, which takes about 0.1 ms. */
const UNCHANGED_PER_STEP = 50

export interface CheckInput extends InferInput {
  readonly siteTemplates: readonly SiteTemplate[]
  /** Types of the data that notifications receive, by file. */
  readonly notifications: ReadonlyMap<string, Type>
  readonly checkQuery: CheckQuery
  /** Null if each template is checked again each time. */
  readonly checkStamps: typeof checkStamps | null
}

/** Starts a check of these templates. */
export function startFixpoint(input: CheckInput): Fixpoint {
  return new Fixpoint(input, siteNames(input.site, input.siteTemplates, input.graph, input.memo))
}

export class Fixpoint {
  readonly #input: CheckInput
  readonly #site: Site
  readonly #memo: Memo
  readonly #known: SiteKnowledge
  /** Null if nothing is kept. */
  readonly #stamps: CheckStamps | null
  readonly names: SiteNames
  readonly passedTypes = new Map<string, GivenTypes>()
  readonly #likelyTypes = new Map<string, GivenTypes>()
  readonly #checkedUnits = new Map<string, CheckedUnit>()
  /** The calls of files with several templates. */
  readonly #callLists = new Map<string, readonly OutgoingCall[]>()
  #requests: ReturnType<SiteKnowledge['requestsOf']> = null
  #reach: Reach | null = null
  /** The calls of the last round. */
  #callsOfLastRound: KnownCalls = new Map()
  /** How often the types that callers pass to a file have changed. */
  readonly #changeCounts = new Map<string, number>()
  /** Number of templates without new results since the last step. */
  #sinceStep = 0

  constructor(input: CheckInput, names: SiteNames) {
    const { site, operations, language, notifications, memo } = input
    this.#input = input
    this.#site = site
    this.#memo = memo
    this.names = names
    const { includedFiles } = names
    this.#known = {
      ...{ site, operations, language, names, notifications },
      passedTypes: this.passedTypes,
      likelyTypes: this.#likelyTypes,
      checkedUnits: this.#checkedUnits,
      requestsOf: (key) => (this.factsOf(key)?.readsRequest === true ? this.#requests : null),
      isIncluded: (file) =>
        includedFiles === null || includedFiles.has(file) || this.#reach?.included.has(file) === true,
    }
    this.#stamps = input.checkStamps?.(this.#known) ?? null
  }

  // ---- known facts ------------------------------------------------------------------------------------------------

  /** Returns the facts of a template. `key`: a file, or `file#path` for Liquid in settings. */
  factsOf(key: string): UnitFacts | undefined {
    return this.#checkedUnits.get(key)?.facts
  }

  /** Returns the diagnostics of a template. Places in other files may be marked. */
  diagnosticsOf(key: string): readonly Diagnostic[] {
    return this.#checkedUnits.get(key)?.diagnostics ?? []
  }

  /** Returns all calls of a file, including those in its settings. */
  callsOf(file: string): readonly OutgoingCall[] {
    const siteTemplates = this.names.byFile.get(file)
    if (siteTemplates === undefined) return NO_CALLS
    const [only] = siteTemplates
    if (only !== undefined && siteTemplates.length === 1) return this.factsOf(only.key)?.calls ?? NO_CALLS
    const known = this.#callLists.get(file)
    if (known !== undefined) return known
    const calls = siteTemplates.flatMap(({ key }) => this.factsOf(key)?.calls ?? NO_CALLS)
    this.#callLists.set(file, calls)
    return calls
  }

  /** Returns the facts of the templates that run with a file. A block has its own key. */
  ownFacts(key: string): readonly UnitFacts[] {
    return (this.names.byFile.get(key) ?? [])
      .filter((siteTemplate) => siteTemplate.key === key || !isBlock(siteTemplate.inner))
      .flatMap((siteTemplate) => this.factsOf(siteTemplate.key) ?? [])
  }

  /**
   * Checks a template again with the final facts about the others, and passes its findings to an observer. The template's text may be newer
   * than the one checked in the rounds. An unknown template is checked with unknown callers.
   */
  recheck({ siteTemplate, ...newer }: RecheckRequest): CheckedUnit {
    const environment = new Environment(siteTemplate, this.#known, () => undefined, newer)
    return checkUnit(siteTemplate, environment, this.#input.checkQuery)
  }

  /**
   * Checks each template with unknown callers, because the input may lack some of its callers. The only caller of a `background` block is
   * its own file.
   */
  checkAlone(): void {
    for (const siteTemplate of this.#input.order) this.#check(siteTemplate)
    for (const siteTemplate of this.#input.order.toReversed()) {
      const { key, unit, inner } = siteTemplate
      if (!isBlock(inner)) continue
      const calls = this.callsOf(unit.file.path).filter(({ open, targets }) => !open && targets?.includes(key) === true)
      this.passedTypes.set(key, passedTypes(calls))
      this.#check(siteTemplate)
    }
  }

  // ---- rounds -------------------------------------------------------------------------------------------------------

  /** Checks all templates. Returns what can be reached by the calls that were found. */
  *steps(): Steps<Reach> {
    for (const [at, siteTemplate] of this.#input.order.entries()) {
      if (this.#isStep(this.#check(siteTemplate)))
        yield { doing: 'Checking', share: { doneCount: at + 1, total: this.#input.order.length, things: 'template' } }
    }
    // The number of further checks depends on what the rounds learn.
    yield { doing: 'Checking templates again' }
    yield* this.#checkCycles()
    // After a round in which nothing was checked, the reach is final.
    for (let round = 1; ; round++) if (!(yield* this.#round(round)) && this.#reach !== null) return this.#reach
  }

  /** Returns what can be reached now. The same object as long as the calls of the site are the same. */
  #reachNow(): Reach {
    const { structureVersion } = this.#site
    const calls = this.#input.siteTemplates.map(({ key }) => {
      const facts = this.factsOf(key)
      return facts === undefined ? null : targetsKey(facts)
    })
    return this.#memo.once('reach', '', [structureVersion, ...calls], () =>
      reachOf(this.#site, this.#input.roots, (file) => this.callsOf(file)),
    )
  }

  /** Checks templates again that were checked before their callees, because they are in a cycle. */
  *#checkCycles(): Steps<void> {
    const { places } = this.#input.graph
    const callsLater = ({ key, unit }: SiteTemplate): boolean => {
      const calls = this.callsOf(unit.file.path)
      const own = calls.length === 0 ? 0 : (places.get(key) ?? 0)
      for (const { targets } of calls) {
        if (targets === null) return true
        for (const target of targets) if ((places.get(target) ?? -1) >= own) return true
      }
      return false
    }
    for (const siteTemplate of this.#input.order)
      if (this.#isStep(callsLater(siteTemplate) && this.#check(siteTemplate))) yield
  }

  /** Returns whether enough was done for one step: a template was checked, or many were taken from the cache. */
  #isStep(isNew: boolean): boolean {
    return isNew || ++this.#sinceStep % UNCHANGED_PER_STEP === 0
  }

  /** Checks the templates again whose inputs are now more exact. Returns whether there were any. */
  *#round(round: number): Steps<boolean> {
    this.#reach = this.#reachNow()
    yield
    const dirty = this.#takePassedTypes(this.#reach, round)
    if (round === 1) for (const siteTemplate of this.#takeRequestValues()) dirty.add(siteTemplate)
    const changed = new Set<string>()
    // Callers come first, so that the types they pass are known in the same round.
    for (const siteTemplate of this.#input.order.toReversed())
      if (dirty.has(siteTemplate) && this.#isStep(this.#checkAgain(siteTemplate, changed))) yield
    if (dirty.size === 0) return false
    yield
    if (changed.size === 0) return true
    for (const siteTemplate of this.#input.order)
      if (
        this.#isStep(
          callsAny(this.callsOf(siteTemplate.unit.file.path), changed) && this.#checkAgain(siteTemplate, changed),
        )
      )
        yield
    return true
  }

  /** Stores the types that callers currently pass. Returns the templates whose types changed. */
  #takePassedTypes(reach: Reach, round: number): Set<SiteTemplate> {
    const dirty = new Set<SiteTemplate>()
    const callsOf = (each: string) => this.callsOf(each)
    if (this.#site.globalsAreAll) {
      const given = givenOverData(this.#site, reach, callsOf, this.names.namesSet)
      for (const [file, types] of given) this.#storeTypes(this.passedTypes, file, types, dirty)
    }
    const before = this.#callsOfLastRound
    this.#callsOfLastRound = knownCalls(this.#site, callsOf)
    for (const [file, calls] of this.#callsOfLastRound) {
      const isOpen = reach.open.has(file)
      const isGiven = !isOpen && !reach.included.has(file)
      if (isGiven && this.passedTypes.has(file) && areSame(before.get(file) ?? [], calls)) continue
      // An include also shares its caller's names with the partial.
      if (isGiven) {
        if (this.#site.globalsAreAll) continue
        const types = this.#memo.once(`passed ${round}`, file, calls, () => passedTypes(calls))
        this.#storeTypes(this.passedTypes, file, types, dirty)
      } else if (!this.#site.openEntries) {
        const types = this.#memo.once(`likely ${round}`, file, [isOpen, ...calls], () => likelyTypes(calls, isOpen))
        this.#storeTypes(this.#likelyTypes, file, types, dirty)
      }
    }
    return dirty
  }

  /** Stores the types of a file, and adds its templates to `dirty` if the types changed. */
  #storeTypes(known: Map<string, GivenTypes>, file: string, types: GivenTypes, dirty: Set<SiteTemplate>): void {
    const before = known.get(file)
    const changeCount = this.#changeCounts.get(file) ?? 0
    const stored = before === undefined || changeCount < MAX_CHANGES ? types : widenedTypes(before, types)
    if (before !== undefined && sameTypes(before, stored)) return
    this.#changeCounts.set(file, changeCount + 1)
    known.set(file, stored)
    for (const siteTemplate of this.names.byFile.get(file) ?? []) dirty.add(siteTemplate)
  }

  /** Stores the values that tags put into the request. Returns the templates that read them. */
  #takeRequestValues(): readonly SiteTemplate[] {
    // A module that is not installed may also put values into the request.
    if (this.#site.dialect !== 'platform' || this.#site.openEntries || this.names.lacksModule) return []
    const values = requestValues(this.#input.siteTemplates.flatMap(({ key }) => this.factsOf(key) ?? []))
    if (values === null) return []
    this.#requests = values
    return this.#input.siteTemplates.filter(({ key }) => this.factsOf(key)?.readsRequest === true)
  }

  /** Checks a template, and adds its file to `changed` if its callers see other facts than before. Returns the result of `#check`. */
  #checkAgain(siteTemplate: SiteTemplate, changed: Set<string>): boolean {
    const oldFacts = this.factsOf(siteTemplate.key)
    const isNew = this.#check(siteTemplate)
    const newFacts = this.factsOf(siteTemplate.key)
    if (oldFacts !== undefined && newFacts !== undefined && !isSameForCallers(oldFacts, newFacts))
      changed.add(siteTemplate.unit.file.path)
    return isNew
  }

  // ---- one template -------------------------------------------------------------------------------------------------

  /** Checks a template. Returns false if an earlier check is still valid. */
  #check(siteTemplate: SiteTemplate): boolean {
    const { key, unit } = siteTemplate
    let isNew = false
    const make = (record: RecordRead<ReadKind>): CheckedUnit => {
      isNew = true
      const environment = new Environment(siteTemplate, this.#known, record)
      const { facts, diagnostics } = checkUnit(siteTemplate, environment, this.#input.checkQuery)
      const textOf = (file: string) => this.#site.byFile.get(file)?.file.text
      return { facts, diagnostics: diagnostics.map((each) => withMarks(each, unit.file.path, textOf)) }
    }
    const stamps = this.#stamps
    const checked =
      stamps === null
        ? make(() => undefined)
        : this.#memo.query({
            name: 'check',
            key,
            inputs: () => stamps.inputsOf(siteTemplate),
            sources: stamps.sources,
            codec: plain<CheckedUnit>,
            make,
          })
    this.#checkedUnits.set(key, checked)
    this.#callLists.delete(unit.file.path)
    return isNew
  }
}

const NO_CALLS: readonly OutgoingCall[] = []

/** Returns what the calls of a template can reach, as a text. */
const targetsKey = derived(({ calls }: UnitFacts) =>
  calls.map(({ kind, open, targets }) => [kind, open, ...(targets ?? ['*'])].join(' ')).join('\n'),
)

function callsAny(calls: readonly OutgoingCall[], files: ReadonlySet<string>): boolean {
  return calls.some((call) => call.targets?.some((target) => files.has(target)) === true)
}
