/**
 * The order in which the templates of a site are checked. Each is checked alone against what is known of the others; what is learned
 * is only ever made more exact, so that every round is right and few are enough.
 */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Language } from '../../language/language.ts'
import { areSame, type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Table } from '../../core/model/layered.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { Site } from '../../core/model/site.ts'
import type { Type } from '../../core/model/type.ts'
import { isBlock, type Unit } from '../../core/model/unit.ts'
import type { CallGraph } from './infer/call-graph.ts'
import { isMisspellable, misspeltLocals } from './infer/misspelt-locals.ts'
import { typeKey, typesKey } from '../../language/types/type-key.ts'
import {
  type EarlierChecks,
  earlierChecks,
  type GivenTypes,
  inputsOf,
  type LastCheck,
  type KnownSite,
  type OwnEnvironment,
  seenByCallers,
} from './earlier-checks.ts'
import type { Piece } from './piece.ts'
import { sameFace } from './rules/dependencies.ts'
import type { CheckedUnit, Look, OutgoingCall, SiteEnvironment, UnitFacts } from './rules/facts.ts'
import { globalsOf, isClosedKind } from './rules/host-names.ts'
import { timesWritten } from './rules/written-names.ts'
import {
  givenOverData,
  type KnownCalls,
  knownCalls,
  likelyTypes,
  passedTypes,
  sameTypes,
} from './rules/passed-types.ts'
import { hasOwnPages, type Reach, reachSteps } from './rules/reach.ts'
import { type RequestValues, requestValues } from './rules/request-values.ts'
import { checkUnit } from './rules/unit.ts'
import { type SiteNames, siteNames } from './site-names.ts'

/** What rounds find out of the templates of a site, by the keys of these, or by file. */
export interface Learnt {
  readonly checked: Table<string, CheckedUnit>
  readonly callLists: Table<string, readonly OutgoingCall[]>
  /** Types of what callers pass. */
  readonly params: Table<string, GivenTypes>
  /** What is likely of what callers give, where not all of them are known. */
  readonly likely: Table<string, GivenTypes>
  /** Facts as callers see them: the same value for the same facts, so that a change ends where nobody sees it. */
  readonly seenByCallers: Table<string, UnitFacts>
  readonly lastChecks: Table<string, LastCheck>
  /** Templates of which something was found by how often names are written in the site. */
  readonly counted: Set<string>
  requests: RequestValues | null
  reach: Reach | null
}

/** Rounds over the templates, one for each partial that a value is handed on through; what is not known by then stays unknown. */
const ROUNDS = 8
/** Templates of which nothing is to be found anew that are done in one go: a tenth of a millisecond. */
const IN_A_ROW = 50

export interface CheckInput {
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  /** The same, behind all that they call by a literal name. */
  readonly order: readonly Piece[]
  readonly graph: CallGraph
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  /** What notifications are given, by file. */
  readonly notifications: ReadonlyMap<string, Type>
  readonly memo: Memo
  readonly language: Language
}

/** Begins to check these templates. `siteKey` stands for all of the site that the check of each depends on. */
export function* checkRounds(input: CheckInput, siteKey: unknown): Steps<CheckRounds> {
  const learnt: Learnt = {
    checked: new Map(),
    callLists: new Map(),
    params: new Map(),
    likely: new Map(),
    seenByCallers: new Map(),
    lastChecks: new Map(),
    counted: new Set(),
    requests: null,
    reach: null,
  }
  return new CheckRounds(input, yield* siteNames(input.site, input.pieces, input.graph, input.memo), siteKey, learnt)
}

export class CheckRounds {
  readonly #site: Site
  readonly #pieces: readonly Piece[]
  readonly #roots: ReadonlySet<string>
  readonly #memo: Memo
  /** By file; a block of `background` by its own key, too. */
  readonly #byFile: SiteNames['byFile']
  readonly #order: readonly Piece[]
  readonly #graph: CallGraph
  /** Null where nothing is remembered, so that what a check depends on need not be told. */
  readonly #earlier: EarlierChecks | null
  readonly #known: KnownSite
  readonly #environment: SiteEnvironment
  readonly #notificationTypes: ReadonlyMap<string, Type>
  readonly names: SiteNames
  /** Templates call a module that is not there. */
  readonly lacksModule: boolean
  readonly learnt: Learnt
  /** As they were in the last round. */
  #knownCalls: KnownCalls = new Map()
  /** Templates that came by since the last step. */
  #sinceStep = 0
  readonly #globals = new Map<Piece, ReadonlyMap<string, Type>>()

  constructor(
    { site, operations, pieces, order, graph, roots, notifications, memo, language }: CheckInput,
    names: SiteNames,
    siteKey: unknown,
    learnt: Learnt,
  ) {
    this.#site = site
    this.#pieces = pieces
    this.#roots = roots
    this.#memo = memo
    this.#byFile = names.byFile
    this.#order = order
    this.#graph = graph
    this.#earlier = memo === NO_MEMO ? null : earlierChecks(memo, names, [siteKey, site.formSchemas, notifications])
    this.#known = { site, operations, seen: learnt.seenByCallers, siteKey, names, notifications }
    this.names = names
    this.learnt = learnt
    this.#notificationTypes = notifications
    this.lacksModule = names.lacksModule
    const { included } = names
    this.#environment = {
      site,
      operations,
      tags: language.tags,
      filters: language.filters(site.dialect),
      partialNames: [...site.partials.keys()],
      facts: (file) => this.factsOf(file),
      isIncluded: (file) => included === null || included.has(file) || this.learnt.reach?.included.has(file) === true,
      anyPartial: names.anyPartial,
      namesRead: names.read,
    }
  }

  // ---- what is known ------------------------------------------------------------------------------------------------

  /** `key`: a file, or that of Liquid in settings. */
  factsOf(key: string): UnitFacts | undefined {
    return this.learnt.checked.get(key)?.facts
  }

  *allFacts(): Generator<UnitFacts> {
    for (const { facts } of this.learnt.checked.values()) yield facts
  }

  diagnosticsOf(key: string): readonly Diagnostic[] {
    return this.learnt.checked.get(key)?.diagnostics ?? []
  }

  /** All calls of a file, with those of its settings. */
  callsOf(file: string): readonly OutgoingCall[] {
    const pieces = this.#byFile.get(file)
    if (pieces === undefined) return NO_CALLS
    const [only] = pieces
    if (only !== undefined && pieces.length === 1) return this.factsOf(only.key)?.calls ?? NO_CALLS
    const known = this.learnt.callLists.get(file)
    if (known !== undefined) return known
    const calls = pieces.flatMap(({ key }) => this.factsOf(key)?.calls ?? NO_CALLS)
    this.learnt.callLists.set(file, calls)
    return calls
  }

  /** Of what runs when the file does, and of a block by its own key. */
  ownFacts(key: string): readonly UnitFacts[] {
    return (this.#byFile.get(key) ?? [])
      .filter((piece) => piece.key === key || !isBlock(piece.inner))
      .flatMap((piece) => this.factsOf(piece.key) ?? [])
  }

  /**
   * Checks a template once more with what is known of the others now, and tells an observer what is seen on the way. The template may
   * have another text than the one that was checked before; one that is not known is checked with nothing known of its callers.
   */
  look({ piece, site, operations, observer, facts }: Look): CheckedUnit {
    const known = this.learnt.lastChecks.get(piece.key)?.environment ?? this.#unknownEnvironment(piece)
    return checkUnit(piece, {
      ...this.#environment,
      ...known,
      site,
      operations,
      ...(facts !== undefined && { facts: (key) => facts.get(key) ?? this.factsOf(key) }),
      ...(observer !== null && { observer }),
    })
  }

  #unknownEnvironment(piece: Piece): OwnEnvironment {
    const isPartial = !isBlock(piece.inner) && this.#isCalled(piece.unit)
    const closed = this.#isClosed(piece, isPartial, null)
    const known = { globals: this.#globalsOf(piece, null), oldNames: this.names.oldNamesOf(piece) }
    return { isPartial, ...known, params: null, closed, likely: null, misspelt: NONE }
  }

  /**
   * Checks each template with nothing known of its callers, of which only some may be given here. A block of `background` has no other
   * than the file that it stands in.
   */
  once(): void {
    for (const piece of this.#order) this.#check(piece)
    for (const piece of this.#order.toReversed()) {
      const { key, unit, inner } = piece
      if (!isBlock(inner)) continue
      const calls = this.callsOf(unit.file.path).filter(({ open, targets }) => !open && targets?.includes(key) === true)
      this.learnt.params.set(key, passedTypes(calls))
      this.#check(piece)
    }
  }

  // ---- rounds -------------------------------------------------------------------------------------------------------

  /** Checks all templates. Gives what can be reached by the calls that were found. */
  *steps(): Steps<Reach> {
    for (const [at, piece] of this.#order.entries()) {
      if (this.#isStep(this.#check(piece)))
        yield { doing: 'Checking', share: { done: at + 1, of: this.#order.length, things: 'template' } }
    }
    // How often it comes to a template once more depends on what it learns.
    yield { doing: 'Checking templates again' }
    yield* this.#checkCycles()
    // A round in which nothing was checked has found what can be reached.
    for (let round = 1; round < ROUNDS; round++)
      if (!(yield* this.#round(round)) && this.learnt.reach !== null) return this.learnt.reach
    return yield* this.#reachNow()
  }

  #reachNow(): Steps<Reach> {
    return reachSteps(this.#site, this.#roots, (file) => this.callsOf(file))
  }

  /** Units of a cycle were checked before what they call was known. */
  *#checkCycles(): Steps<void> {
    const { places } = this.#graph
    const callsLater = ({ key, unit }: Piece): boolean => {
      const calls = this.callsOf(unit.file.path)
      const own = calls.length === 0 ? 0 : (places.get(key) ?? 0)
      for (const { targets } of calls) {
        if (targets === null) return true
        for (const target of targets) if ((places.get(target) ?? -1) >= own) return true
      }
      return false
    }
    for (const piece of this.#order) if (this.#isStep(callsLater(piece) && this.#check(piece))) yield
  }

  /** Whether that was enough work for one step: a template was checked anew, or many were not. */
  #isStep(isNew: boolean): boolean {
    return isNew || ++this.#sinceStep % IN_A_ROW === 0
  }

  /** Checks again what is known better now; false where nothing is. */
  *#round(round: number): Steps<boolean> {
    this.learnt.reach = yield* this.#reachNow()
    yield
    const dirty = yield* this.#takePassedTypes(this.learnt.reach, round)
    if (round === 1) for (const piece of this.#takeRequestValues()) dirty.add(piece)
    const changed = new Set<string>()
    // Callers first, so that what they pass is known in the same round.
    for (const piece of this.#order.toReversed())
      if (dirty.has(piece) && this.#isStep(this.#checkAgain(piece, changed))) yield
    if (dirty.size === 0) return false
    yield
    if (changed.size === 0) return true
    for (const piece of this.#order)
      if (this.#isStep(callsAny(this.callsOf(piece.unit.file.path), changed) && this.#checkAgain(piece, changed))) yield
    return true
  }

  /** Takes over what callers pass now. Gives the templates that are passed other types than before. */
  *#takePassedTypes(reach: Reach, round: number): Steps<Set<Piece>> {
    const dirty = new Set<Piece>()
    const callsOf = (each: string) => this.callsOf(each)
    if (this.#site.globalsAreAll) {
      const given = givenOverData(this.#site, reach, callsOf, this.names.set)
      for (const [file, types] of given)
        this.#take(this.learnt.params, file, this.#sameAs(`passed ${round}`, file, types), dirty)
    }
    const before = this.#knownCalls
    this.#knownCalls = yield* knownCalls(this.#site, callsOf)
    for (const [file, calls] of this.#knownCalls) {
      if (this.#isStep(false)) yield
      const isOpen = reach.open.has(file)
      const isGiven = !isOpen && !reach.included.has(file)
      if (isGiven && this.learnt.params.has(file) && areSame(before.get(file) ?? [], calls)) continue
      // An include gives the partial its caller's names too.
      if (isGiven) {
        if (this.#site.globalsAreAll) continue
        const types = this.#typesOf(`passed ${round}`, file, calls, () => passedTypes(calls))
        this.#take(this.learnt.params, file, types, dirty)
      } else if (!this.#site.openEntries) {
        const types = this.#typesOf(`likely ${round}`, file, [isOpen, ...calls], () => likelyTypes(calls, isOpen))
        this.#take(this.learnt.likely, file, types, dirty)
      }
    }
    return dirty
  }

  /** What calls give, which is found once for as long as none of them is checked anew. */
  #typesOf(kind: string, file: string, inputs: readonly unknown[], make: () => GivenTypes): GivenTypes {
    if (this.#earlier === null) return make()
    return this.#memo.once(`${kind} by calls`, file, inputs, () => this.#sameAs(kind, file, make()))
  }

  /** Equal types are one value, so that what was found with them is found again. */
  #sameAs(kind: string, file: string, types: GivenTypes): GivenTypes {
    return this.#earlier !== null ? this.#memo.once(kind, file, [typesKey(types)], () => types) : types
  }

  /** Adds to `dirty` the templates that are given other types than before. */
  #take(known: Learnt['params'], file: string, types: GivenTypes, dirty: Set<Piece>): void {
    const before = known.get(file)
    if (before !== undefined && sameTypes(before, types)) return
    known.set(file, types)
    for (const piece of this.#byFile.get(file) ?? []) dirty.add(piece)
  }

  /** Takes over what tags put into the request. Gives the templates that read it. */
  #takeRequestValues(): readonly Piece[] {
    // A module that is not there may put in values of its own.
    if (this.#site.dialect !== 'platform' || this.#site.openEntries || this.lacksModule) return []
    const values = requestValues(this.#pieces.flatMap(({ key }) => this.factsOf(key) ?? []))
    if (values === null) return []
    const inputs = [typeKey(values.exports), typeKey(values.session)]
    this.learnt.requests = this.#memo.once('request values', '', inputs, () => values)
    return this.#pieces.filter(({ key }) => this.factsOf(key)?.readsRequest === true)
  }

  /** Adds the template's file to `changed` where its callers see other facts than before. Gives what `#check` does. */
  #checkAgain(piece: Piece, changed: Set<string>): boolean {
    const before = this.factsOf(piece.key)
    const isNew = this.#check(piece)
    const after = this.factsOf(piece.key)
    if (before !== undefined && after !== undefined && !sameFace(before, after)) changed.add(piece.unit.file.path)
    return isNew
  }

  // ---- one template -------------------------------------------------------------------------------------------------

  /** False where it is what was found with the same before. */
  #check(piece: Piece): boolean {
    const { key, unit } = piece
    const requests = this.factsOf(key)?.readsRequest === true ? this.learnt.requests : null
    const isJob = isBlock(piece.inner)
    const isPartial = !isJob && this.#isCalled(unit)
    const given = isPartial || isJob ? (this.learnt.params.get(key) ?? null) : null
    // Beside the data of a host arguments are more of the names that are given.
    const [params, overData] = this.#site.globalsAreAll ? [null, given] : [given, null]
    const likely = isPartial && params === null ? (this.learnt.likely.get(key) ?? null) : null
    const turn = (this.learnt.lastChecks.get(key)?.turn ?? 0) + 1
    const shared = this.#sharedBy(piece)
    const earlier = this.#earlier?.find(piece, turn, this.#known)
    if (earlier != null && earlier.shared === shared) {
      const { last, checked, seen } = earlier
      if (last.given === given && last.requests === requests && last.environment.likely === likely) {
        this.#takeOver(piece, last, checked)
        if (seen !== null) this.learnt.seenByCallers.set(key, seen)
        return false
      }
    }
    const hostGlobals = this.#globalsOf(piece, requests)
    const environment = {
      isPartial,
      globals: overData === null ? hostGlobals : new Map([...hostGlobals, ...overData]),
      oldNames: this.names.oldNamesOf(piece),
      params,
      closed: this.#isClosed(piece, isPartial, params),
      likely,
      misspelt: this.misspeltIn(piece, params),
    }
    const last = { environment, given, requests, turn }
    const checked = this.checkedWith(piece, last)
    if (this.#earlier === null) return true
    const seen = isPartial ? seenByCallers(this.#memo, key, checked, turn) : null
    // How often names are written in the site is not among what is compared.
    if (!this.learnt.counted.has(key)) this.#earlier.keep({ piece, last, shared, checked, seen }, this.#known)
    if (seen !== null) this.learnt.seenByCallers.set(key, seen)
    return true
  }

  #takeOver({ key, unit }: Piece, last: LastCheck, checked: CheckedUnit): void {
    this.learnt.lastChecks.set(key, last)
    this.learnt.checked.set(key, checked)
    this.learnt.callLists.delete(unit.file.path)
  }

  /** Checks a template with what is known of the others. */
  checkedWith(piece: Piece, last: LastCheck): CheckedUnit {
    const { key } = piece
    const { environment, given, requests, turn } = last
    const { isPartial, closed, likely, misspelt } = environment
    const make = () => checkUnit(piece, { ...this.#environment, ...environment })
    const own = [isPartial, given, closed, requests, likely, [...misspelt].join(), this.#sharedBy(piece)]
    const checked =
      this.#earlier !== null
        ? this.#memo.once(`check ${turn}`, key, [...own, ...inputsOf(piece, this.#known)], make)
        : make()
    this.#takeOver(piece, last, checked)
    return checked
  }

  /** Names that an included template sets, and that some template reads; null for one that is not included. */
  #sharedBy({ key, bound }: Piece): string | null {
    if (!this.#environment.isIncluded(key)) return null
    return [...bound.writes.keys()].filter((name) => this.#environment.namesRead.has(name)).join()
  }

  /** `params`: what all callers pass, where all of them are known. */
  misspeltIn(piece: Piece, params: ReadonlyMap<string, Type> | null): ReadonlyMap<string, string> {
    if (
      !isMisspellable(piece, this.#isCalled(piece.unit)) ||
      this.#site.dialect !== 'platform' ||
      this.#site.openEntries
    )
      return NONE
    const given = params ?? (piece.unit.file.kind === 'form' ? this.names.forForms : this.names.given)
    const isKnown = !this.lacksModule && hasOwnPages(this.#site)
    return misspeltLocals(piece, {
      isGiven: (name) => this.#site.globals.has(name) || given.has(name),
      isKnown,
      atCalls: () => this.names.atCalls(piece.unit.file.path),
      times: (name) => {
        this.learnt.counted.add(piece.key)
        return timesWritten(name, this.#site)
      },
    })
  }

  /** Whether others call the file with names that it does not know: one beside layouts may be such a file, too. */
  #isCalled({ file }: Unit): boolean {
    return file.kind === 'partial' || (file.kind === 'layout' && this.names.calledByName.has(file.path))
  }

  /** Whether no caller and no host can give the template a name that is not known. */
  #isClosed(piece: Piece, isPartial: boolean, params: ReadonlyMap<string, Type> | null): boolean {
    if (isBlock(piece.inner)) return true
    if (this.#site.dialect !== 'platform' || this.#site.openEntries) return false
    return isPartial ? params !== null : isClosedKind(piece)
  }

  /** Names from the host; the same value as before while no values of the request are known. */
  #globalsOf(piece: Piece, requests: RequestValues | null): ReadonlyMap<string, Type> {
    const known = requests === null ? this.#globals.get(piece) : undefined
    if (known !== undefined) return known
    const globals = globalsOf(this.#site, piece, requests, this.#notificationTypes.get(piece.unit.file.path))
    if (requests === null) this.#globals.set(piece, globals)
    return globals
  }
}

const NONE: ReadonlyMap<string, string> = new Map()
const NO_CALLS: readonly OutgoingCall[] = []

function callsAny(calls: readonly OutgoingCall[], files: ReadonlySet<string>): boolean {
  return calls.some((call) => call.targets?.some((target) => files.has(target)) === true)
}
