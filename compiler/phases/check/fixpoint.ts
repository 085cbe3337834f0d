/**
 * Checks the templates of a site in rounds. Each template is checked alone, with the facts that are known about the others. A value starts as
 * unknown, and each round makes the facts more exact, until nothing changes. The result of every round is therefore correct.
 */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { withMarks } from '../../core/diagnostics/places-elsewhere.ts'
import type { Language } from '../../language/language.ts'
import { areSame, type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { Site } from '../../core/model/site.ts'
import type { Type } from '../../core/model/type.ts'
import { isBlock, type Unit } from '../../core/model/unit.ts'
import type { CallGraph } from '../analyze/call-graph.ts'
import { isMisspellable, misspeltLocals } from '../analyze/misspelt-locals.ts'
import { typeKey, typesKey } from '../../language/types/type-key.ts'
import type {
  EarlierChecks,
  earlierChecks,
  GivenTypes,
  LastCheck,
  KnownSite,
  OwnEnvironment,
} from './earlier-checks.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { isSameForCallers } from './site/dependencies.ts'
import type { CheckedUnit, RecheckRequest, OutgoingCall, SiteEnvironment, UnitFacts } from './walk/facts.ts'
import { globalsOf, isClosedKind } from './walk/host-names.ts'
import { timesWritten } from './walk/written-names.ts'
import {
  givenOverData,
  type KnownCalls,
  knownCalls,
  likelyTypes,
  passedTypes,
  sameTypes,
  widenedTypes,
} from './site/passed-types.ts'
import { hasOwnPages, type Reach, reachSteps } from './site/reach.ts'
import { type RequestValues, requestValues } from './walk/request-values.ts'
import type { CheckQuery } from './types/likely-types.ts'
import { checkUnit } from './types/unit.ts'
import { emptyState, type FixpointState } from './fixpoint-state.ts'
import { type SiteNames, siteNames } from './site-names.ts'

/** Number of times that the types passed to a file may change. After that, types that still change are unknown, so that the rounds end. */
const MAX_CHANGES = 16
/** Number of templates without new results that are processed in one step, which takes about 0.1 ms. */
const UNCHANGED_PER_STEP = 50

export interface CheckInput {
  readonly site: Site
  readonly operations: Operations
  readonly siteTemplates: readonly SiteTemplate[]
  /** The templates to check, each after all templates that it calls by a literal name. */
  readonly order: readonly SiteTemplate[]
  readonly graph: CallGraph
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  /** Types of the data that notifications receive, by file. */
  readonly notifications: ReadonlyMap<string, Type>
  readonly memo: Memo
  readonly language: Language
  readonly checkQuery: CheckQuery
  /** Null if each template is checked again each time. */
  readonly earlierChecks: typeof earlierChecks | null
}

/** A site in which further rounds find nothing new. */
export interface SettledFixpoint {
  readonly input: CheckInput
  readonly rounds: Fixpoint
  readonly siteKey: unknown
  /** What is reachable through the calls that were found. */
  readonly reach: Reach
}

/** Runs rounds over a site until a round finds nothing new. `siteKey`: see `startFixpoint`. */
export function* runRounds(input: CheckInput, siteKey: unknown): Steps<SettledFixpoint> {
  const rounds = yield* startFixpoint(input, siteKey)
  yield
  return { input, rounds, siteKey, reach: yield* rounds.steps() }
}

/** Starts a check of these templates. `siteKey` identifies everything in the site that all checks depend on. */
export function* startFixpoint(input: CheckInput, siteKey: unknown): Steps<Fixpoint> {
  return new Fixpoint(
    input,
    yield* siteNames(input.site, input.siteTemplates, input.graph, input.memo),
    siteKey,
    emptyState(),
  )
}

export class Fixpoint {
  readonly #site: Site
  readonly #siteTemplates: readonly SiteTemplate[]
  readonly #roots: ReadonlySet<string>
  readonly #memo: Memo
  /** The templates by file. A block of `background` is also listed under its own key. */
  readonly #byFile: SiteNames['byFile']
  readonly #order: readonly SiteTemplate[]
  readonly #graph: CallGraph
  /** Null if nothing is cached, so that the inputs of checks need not be compared. */
  readonly #earlierChecks: EarlierChecks | null
  readonly #knownSite: KnownSite
  readonly #checkQuery: CheckQuery
  readonly #environment: SiteEnvironment
  readonly #notificationTypes: ReadonlyMap<string, Type>
  readonly names: SiteNames
  /** Whether templates call a module that the site does not have. */
  readonly lacksModule: boolean
  readonly knowledge: FixpointState
  /** The calls of the last round. */
  #callsOfLastRound: KnownCalls = new Map()
  /** How often the types that callers pass to a file have changed. */
  readonly #changeCounts = new Map<string, number>()
  /** Number of templates without new results since the last step. */
  #sinceStep = 0
  readonly #globals = new Map<SiteTemplate, ReadonlyMap<string, Type>>()

  constructor(input: CheckInput, names: SiteNames, siteKey: unknown, knowledge: FixpointState) {
    const { site, operations, siteTemplates, order, graph, roots, notifications, memo, language } = input
    this.#site = site
    this.#siteTemplates = siteTemplates
    this.#roots = roots
    this.#memo = memo
    this.#byFile = names.byFile
    this.#order = order
    this.#graph = graph
    this.#earlierChecks =
      memo === NO_MEMO ? null : (input.earlierChecks?.(memo, names, [siteKey, site.formSchemas, notifications]) ?? null)
    this.#checkQuery = input.checkQuery
    this.#knownSite = { site, operations, seenFacts: knowledge.factsForCallers, siteKey, names, notifications }
    this.names = names
    this.knowledge = knowledge
    this.#notificationTypes = notifications
    this.lacksModule = names.lacksModule
    const { includedFiles } = names
    this.#environment = {
      site,
      operations,
      tags: language.tags,
      filters: language.filters(site.dialect),
      partialNames: [...site.partials.keys()],
      facts: (file) => this.factsOf(file),
      isIncluded: (file) =>
        includedFiles === null || includedFiles.has(file) || this.knowledge.reach?.included.has(file) === true,
      anyPartial: names.anyPartial,
      namesRead: names.namesRead,
    }
  }

  // ---- known facts ------------------------------------------------------------------------------------------------

  /** Returns the facts of a template. `key`: a file, or `file#path` for Liquid in settings. */
  factsOf(key: string): UnitFacts | undefined {
    return this.knowledge.checkedUnits.get(key)?.facts
  }

  *allFacts(): Generator<UnitFacts> {
    for (const { facts } of this.knowledge.checkedUnits.values()) yield facts
  }

  /** Returns the diagnostics of a template. Places in other files may be marked. */
  diagnosticsOf(key: string): readonly Diagnostic[] {
    return this.knowledge.checkedUnits.get(key)?.diagnostics ?? []
  }

  /** Returns all calls of a file, including those in its settings. */
  callsOf(file: string): readonly OutgoingCall[] {
    const siteTemplates = this.#byFile.get(file)
    if (siteTemplates === undefined) return NO_CALLS
    const [only] = siteTemplates
    if (only !== undefined && siteTemplates.length === 1) return this.factsOf(only.key)?.calls ?? NO_CALLS
    const known = this.knowledge.callLists.get(file)
    if (known !== undefined) return known
    const calls = siteTemplates.flatMap(({ key }) => this.factsOf(key)?.calls ?? NO_CALLS)
    this.knowledge.callLists.set(file, calls)
    return calls
  }

  /** Returns the facts of the templates that run with a file. A block has its own key. */
  ownFacts(key: string): readonly UnitFacts[] {
    return (this.#byFile.get(key) ?? [])
      .filter((siteTemplate) => siteTemplate.key === key || !isBlock(siteTemplate.inner))
      .flatMap((siteTemplate) => this.factsOf(siteTemplate.key) ?? [])
  }

  /**
   * Checks a template again with the final facts about the others, and passes its findings to an observer. The template's text may be newer
   * than the one checked in the rounds. An unknown template is checked with unknown callers.
   */
  recheck({ siteTemplate, site, operations, observer, facts }: RecheckRequest): CheckedUnit {
    const environment =
      this.knowledge.lastChecks.get(siteTemplate.key)?.environment ?? this.#unknownEnvironment(siteTemplate)
    return checkUnit(
      siteTemplate,
      {
        ...this.#environment,
        ...environment,
        site,
        operations,
        ...(facts !== undefined && { facts: (key) => facts.get(key) ?? this.factsOf(key) }),
        ...(observer !== null && { observer }),
      },
      this.#checkQuery,
    )
  }

  #unknownEnvironment(siteTemplate: SiteTemplate): OwnEnvironment {
    const isPartial = !isBlock(siteTemplate.inner) && this.#isCalled(siteTemplate.unit)
    const closed = this.#isClosed(siteTemplate, isPartial, null)
    const nameEnvironment = {
      globals: this.#globalsOf(siteTemplate, null),
      oldNames: this.names.oldNamesOf(siteTemplate),
    }
    return { isPartial, ...nameEnvironment, params: null, closed, likely: null, misspelt: NONE }
  }

  /**
   * Checks each template with unknown callers, because the input may lack some of its callers. The only caller of a `background` block is
   * its own file.
   */
  checkAlone(): void {
    for (const siteTemplate of this.#order) this.#check(siteTemplate)
    for (const siteTemplate of this.#order.toReversed()) {
      const { key, unit, inner } = siteTemplate
      if (!isBlock(inner)) continue
      const calls = this.callsOf(unit.file.path).filter(({ open, targets }) => !open && targets?.includes(key) === true)
      this.knowledge.passedTypes.set(key, passedTypes(calls))
      this.#check(siteTemplate)
    }
  }

  // ---- rounds -------------------------------------------------------------------------------------------------------

  /** Checks all templates. Returns what can be reached by the calls that were found. */
  *steps(): Steps<Reach> {
    for (const [at, siteTemplate] of this.#order.entries()) {
      if (this.#isStep(this.#check(siteTemplate)))
        yield { doing: 'Checking', share: { doneCount: at + 1, total: this.#order.length, things: 'template' } }
    }
    // The number of further checks depends on what the rounds learn.
    yield { doing: 'Checking templates again' }
    yield* this.#checkCycles()
    // After a round in which nothing was checked, the reach is final.
    for (let round = 1; ; round++)
      if (!(yield* this.#round(round)) && this.knowledge.reach !== null) return this.knowledge.reach
  }

  #reachNow(): Steps<Reach> {
    return reachSteps(this.#site, this.#roots, (file) => this.callsOf(file))
  }

  /** Checks templates again that were checked before their callees, because they are in a cycle. */
  *#checkCycles(): Steps<void> {
    const { places } = this.#graph
    const callsLater = ({ key, unit }: SiteTemplate): boolean => {
      const calls = this.callsOf(unit.file.path)
      const own = calls.length === 0 ? 0 : (places.get(key) ?? 0)
      for (const { targets } of calls) {
        if (targets === null) return true
        for (const target of targets) if ((places.get(target) ?? -1) >= own) return true
      }
      return false
    }
    for (const siteTemplate of this.#order)
      if (this.#isStep(callsLater(siteTemplate) && this.#check(siteTemplate))) yield
  }

  /** Returns whether enough was done for one step: a template was checked, or many were taken from the cache. */
  #isStep(isNew: boolean): boolean {
    return isNew || ++this.#sinceStep % UNCHANGED_PER_STEP === 0
  }

  /** Checks the templates again whose inputs are now more exact. Returns whether there were any. */
  *#round(round: number): Steps<boolean> {
    this.knowledge.reach = yield* this.#reachNow()
    yield
    const dirty = yield* this.#takePassedTypes(this.knowledge.reach, round)
    if (round === 1) for (const siteTemplate of this.#takeRequestValues()) dirty.add(siteTemplate)
    const changed = new Set<string>()
    // Callers come first, so that the types they pass are known in the same round.
    for (const siteTemplate of this.#order.toReversed())
      if (dirty.has(siteTemplate) && this.#isStep(this.#checkAgain(siteTemplate, changed))) yield
    if (dirty.size === 0) return false
    yield
    if (changed.size === 0) return true
    for (const siteTemplate of this.#order)
      if (
        this.#isStep(
          callsAny(this.callsOf(siteTemplate.unit.file.path), changed) && this.#checkAgain(siteTemplate, changed),
        )
      )
        yield
    return true
  }

  /** Stores the types that callers currently pass. Returns the templates whose types changed. */
  *#takePassedTypes(reach: Reach, round: number): Steps<Set<SiteTemplate>> {
    const dirty = new Set<SiteTemplate>()
    const callsOf = (each: string) => this.callsOf(each)
    if (this.#site.globalsAreAll) {
      const given = givenOverData(this.#site, reach, callsOf, this.names.namesSet)
      for (const [file, types] of given)
        this.#storeTypes(this.knowledge.passedTypes, file, this.#internTypes(`passed ${round}`, file, types), dirty)
    }
    const before = this.#callsOfLastRound
    this.#callsOfLastRound = yield* knownCalls(this.#site, callsOf)
    for (const [file, calls] of this.#callsOfLastRound) {
      if (this.#isStep(false)) yield
      const isOpen = reach.open.has(file)
      const isGiven = !isOpen && !reach.included.has(file)
      if (isGiven && this.knowledge.passedTypes.has(file) && areSame(before.get(file) ?? [], calls)) continue
      // An include also shares its caller's names with the partial.
      if (isGiven) {
        if (this.#site.globalsAreAll) continue
        const types = this.#typesOf(`passed ${round}`, file, calls, () => passedTypes(calls))
        this.#storeTypes(this.knowledge.passedTypes, file, types, dirty)
      } else if (!this.#site.openEntries) {
        const types = this.#typesOf(`likely ${round}`, file, [isOpen, ...calls], () => likelyTypes(calls, isOpen))
        this.#storeTypes(this.knowledge.likelyTypes, file, types, dirty)
      }
    }
    return dirty
  }

  /** Returns the types that calls pass, cached until one of the calls is checked again. */
  #typesOf(kind: string, file: string, inputs: readonly unknown[], make: () => GivenTypes): GivenTypes {
    if (this.#earlierChecks === null) return make()
    return this.#memo.once(`${kind} by calls`, file, inputs, () => this.#internTypes(kind, file, make()))
  }

  /** Returns the same object for equal types, so that cached results are found again. */
  #internTypes(kind: string, file: string, types: GivenTypes): GivenTypes {
    return this.#earlierChecks !== null ? this.#memo.once(kind, file, [typesKey(types)], () => types) : types
  }

  /** Stores the types of a file, and adds its templates to `dirty` if the types changed. */
  #storeTypes(known: FixpointState['passedTypes'], file: string, types: GivenTypes, dirty: Set<SiteTemplate>): void {
    const before = known.get(file)
    const changeCount = this.#changeCounts.get(file) ?? 0
    const stored = before === undefined || changeCount < MAX_CHANGES ? types : widenedTypes(before, types)
    if (before !== undefined && sameTypes(before, stored)) return
    this.#changeCounts.set(file, changeCount + 1)
    known.set(file, stored)
    for (const siteTemplate of this.#byFile.get(file) ?? []) dirty.add(siteTemplate)
  }

  /** Stores the values that tags put into the request. Returns the templates that read them. */
  #takeRequestValues(): readonly SiteTemplate[] {
    // A module that is not installed may also put values into the request.
    if (this.#site.dialect !== 'platform' || this.#site.openEntries || this.lacksModule) return []
    const values = requestValues(this.#siteTemplates.flatMap(({ key }) => this.factsOf(key) ?? []))
    if (values === null) return []
    const inputs = [typeKey(values.exports), typeKey(values.session)]
    this.knowledge.requests = this.#memo.once('request values', '', inputs, () => values)
    return this.#siteTemplates.filter(({ key }) => this.factsOf(key)?.readsRequest === true)
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

  /** Checks a template. Returns false if an earlier check with the same inputs was used. */
  #check(siteTemplate: SiteTemplate): boolean {
    const { key, unit } = siteTemplate
    const requests = this.factsOf(key)?.readsRequest === true ? this.knowledge.requests : null
    const isJob = isBlock(siteTemplate.inner)
    const isPartial = !isJob && this.#isCalled(unit)
    const givenTypes = isPartial || isJob ? (this.knowledge.passedTypes.get(key) ?? null) : null
    // With the data of a host, arguments are added to the global names.
    const [params, overData] = this.#site.globalsAreAll ? [null, givenTypes] : [givenTypes, null]
    const likely = isPartial && params === null ? (this.knowledge.likelyTypes.get(key) ?? null) : null
    const checkNumber = (this.knowledge.lastChecks.get(key)?.checkNumber ?? 0) + 1
    const sharedNames = this.#sharedBy(siteTemplate)
    const earlier = this.#earlierChecks?.find(siteTemplate, checkNumber, this.#knownSite)
    if (earlier != null && earlier.sharedNames === sharedNames) {
      const { last, checked, seenFacts } = earlier
      if (last.givenTypes === givenTypes && last.requests === requests && last.environment.likely === likely) {
        this.#storeCheck(siteTemplate, last, checked)
        if (seenFacts !== null) this.knowledge.factsForCallers.set(key, seenFacts)
        return false
      }
    }
    const hostGlobals = this.#globalsOf(siteTemplate, requests)
    const environment = {
      isPartial,
      globals: overData === null ? hostGlobals : new Map([...hostGlobals, ...overData]),
      oldNames: this.names.oldNamesOf(siteTemplate),
      params,
      closed: this.#isClosed(siteTemplate, isPartial, params),
      likely,
      misspelt: this.misspeltIn(siteTemplate, params),
    }
    const last = { environment, givenTypes, requests, checkNumber }
    const checked = this.checkedWith(siteTemplate, last)
    if (this.#earlierChecks === null) return true
    const seenFacts = isPartial ? this.#earlierChecks.factsForCallers(this.#memo, key, checked, checkNumber) : null
    // The comparison of inputs does not cover how often names are written in the site.
    if (!this.knowledge.countDependent.has(key))
      this.#earlierChecks.keep({ siteTemplate, last, sharedNames, checked, seenFacts }, this.#knownSite)
    if (seenFacts !== null) this.knowledge.factsForCallers.set(key, seenFacts)
    return true
  }

  #storeCheck({ key, unit }: SiteTemplate, last: LastCheck, checked: CheckedUnit): void {
    this.knowledge.lastChecks.set(key, last)
    this.knowledge.checkedUnits.set(key, checked)
    this.knowledge.callLists.delete(unit.file.path)
  }

  /** Checks a template with these inputs, or takes the result from the cache. */
  checkedWith(siteTemplate: SiteTemplate, last: LastCheck): CheckedUnit {
    const { key } = siteTemplate
    const { environment, givenTypes, requests, checkNumber } = last
    const { isPartial, closed, likely, misspelt } = environment
    const make = () => {
      const { facts, diagnostics } = checkUnit(siteTemplate, { ...this.#environment, ...environment }, this.#checkQuery)
      const { path } = siteTemplate.unit.file
      const textOf = (file: string) => this.#site.byFile.get(file)?.file.text
      return { facts, diagnostics: diagnostics.map((each) => withMarks(each, path, textOf)) }
    }
    const own = [isPartial, givenTypes, closed, requests, likely, [...misspelt].join(), this.#sharedBy(siteTemplate)]
    const inputs = this.#earlierChecks?.inputsOf(siteTemplate, this.#knownSite)
    const checked =
      inputs === undefined ? make() : this.#memo.once(`check ${checkNumber}`, key, [...own, ...inputs], make)
    this.#storeCheck(siteTemplate, last, checked)
    return checked
  }

  /** Returns the names that an included template sets and some template reads; null if the template is not included. */
  #sharedBy({ key, outline }: SiteTemplate): string | null {
    if (!this.#environment.isIncluded(key)) return null
    return [...outline.writes.keys()].filter((name) => this.#environment.namesRead.has(name)).join()
  }

  /** Returns the intended variable for each misspelt name. `params`: the types that all callers pass; null if some caller is unknown. */
  misspeltIn(siteTemplate: SiteTemplate, params: ReadonlyMap<string, Type> | null): ReadonlyMap<string, string> {
    if (this.#site.dialect !== 'platform' || this.#site.openEntries) return NONE
    if (!isMisspellable(siteTemplate, this.#isCalled(siteTemplate.unit))) return NONE
    const givenNames =
      params ?? (siteTemplate.unit.file.kind === 'form' ? this.names.namesForForms : this.names.namesGiven)
    const areCallersKnown = !this.lacksModule && hasOwnPages(this.#site)
    return misspeltLocals(siteTemplate, {
      isGiven: (name) => this.#site.globals.has(name) || givenNames.has(name),
      areCallersKnown,
      namesAtCalls: () => this.names.namesAtCalls(siteTemplate.unit.file.path),
      countOf: (name) => {
        this.knowledge.countDependent.add(siteTemplate.key)
        return timesWritten(name, this.#site)
      },
    })
  }

  /** Returns whether templates call the file and pass it names. A file in the folder of layouts can be called as well. */
  #isCalled({ file }: Unit): boolean {
    return file.kind === 'partial' || (file.kind === 'layout' && this.names.filesCalledByName.has(file.path))
  }

  /** Returns whether neither a caller nor the host can set a name that is not known here. */
  #isClosed(siteTemplate: SiteTemplate, isPartial: boolean, params: ReadonlyMap<string, Type> | null): boolean {
    if (isBlock(siteTemplate.inner)) return true
    if (this.#site.dialect !== 'platform' || this.#site.openEntries) return false
    return isPartial ? params !== null : isClosedKind(siteTemplate)
  }

  /** Returns the names that the host sets: the same object until values of the request are known. */
  #globalsOf(siteTemplate: SiteTemplate, requests: RequestValues | null): ReadonlyMap<string, Type> {
    const known = requests === null ? this.#globals.get(siteTemplate) : undefined
    if (known !== undefined) return known
    const globals = globalsOf(
      this.#site,
      siteTemplate,
      requests,
      this.#notificationTypes.get(siteTemplate.unit.file.path),
    )
    if (requests === null) this.#globals.set(siteTemplate, globals)
    return globals
  }
}

const NONE: ReadonlyMap<string, string> = new Map()
const NO_CALLS: readonly OutgoingCall[] = []

function callsAny(calls: readonly OutgoingCall[], files: ReadonlySet<string>): boolean {
  return calls.some((call) => call.targets?.some((target) => files.has(target)) === true)
}
