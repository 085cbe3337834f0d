/**
 * The order in which the templates of a site are checked. Each is checked alone against what is known of the others; what is learned
 * is only ever made more exact, so that every round is right and few are enough.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Language } from '../language.ts'
import { type Memo, NO_MEMO } from '../model/memo.ts'
import type { Operations } from '../model/operation.ts'
import type { Steps } from '../model/steps.ts'
import type { Site } from '../model/site.ts'
import { type Type, UNKNOWN } from '../model/type.ts'
import { isBlock, type Unit } from '../model/unit.ts'
import { anyPartial } from './infer/any-partial.ts'
import { calledByName, callsAbsentModule, staticallyIncluded } from './infer/call-names.ts'
import type { CallGraph } from './infer/call-graph.ts'
import { misspeltLocals, namesAtIncludes, namesForForms } from './infer/misspelt-locals.ts'
import { typeKey, typesKey, usedOperations } from './infer/keys.ts'
import type { Piece } from './piece.ts'
import { calledFacts, faceKey, sameFace, siteInputs } from './rules/dependencies.ts'
import type {
  CheckedUnit,
  Look,
  OldNames,
  OutgoingCall,
  SiteEnvironment,
  TemplateEnvironment,
  UnitFacts,
} from './rules/facts.ts'
import { globalsOf, isClosedKind } from './rules/host-names.ts'
import { notificationTypes } from './rules/notification-types.ts'
import { oldNames } from './rules/old-names.ts'
import { timesWritten } from './rules/written-names.ts'
import { givenOverData, likelyTypes, passedTypes, sameTypes } from './rules/passed-types.ts'
import { hasOwnPages, type Reach, reachOf } from './rules/reach.ts'
import { type RequestValues, requestValues } from './rules/request-values.ts'
import { checkUnit } from './rules/unit.ts'

/** What is known of one template alone. */
type OwnEnvironment = Pick<
  TemplateEnvironment,
  'isPartial' | 'globals' | 'oldNames' | 'params' | 'closed' | 'likely' | 'misspelt'
>

/** Rounds over the templates, one for each partial that a value is handed on through; what is not known by then stays unknown. */
const ROUNDS = 8

export interface CheckInput {
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  /** The same, behind all that they call by a literal name. */
  readonly order: readonly Piece[]
  readonly graph: CallGraph
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly memo: Memo
  readonly language: Language
}

export class CheckRounds {
  readonly #site: Site
  readonly #operations: Operations
  readonly #pieces: readonly Piece[]
  readonly #roots: ReadonlySet<string>
  readonly #memo: Memo
  /** Whether what a check depends on is worth telling. */
  readonly #isRemembered: boolean
  /** By file; a block of `background` by its own key, too. */
  readonly #byFile: ReadonlyMap<string, readonly Piece[]>
  readonly #order: readonly Piece[]
  readonly #environment: SiteEnvironment
  readonly #oldNamesOf: (piece: Piece) => OldNames
  readonly #notificationTypes: ReadonlyMap<string, Type>
  readonly #calledByName: ReadonlySet<string>
  /** Stands for all of the site that every template's check depends on. */
  readonly #siteKey: unknown
  /** All names that some template sets. */
  readonly #namesSet: ReadonlySet<string>
  /** All names that some template sets or passes. */
  readonly #namesGiven: ReadonlySet<string>
  readonly #namesForForms: ReadonlySet<string>
  /** Names that some call passes, and those that includes share, by the files that are called. */
  readonly #namesAtCalls: readonly ReadonlyMap<string, ReadonlySet<string>>[]
  /** Templates call a module that is not there. */
  readonly lacksModule: boolean
  readonly #checked = new Map<string, CheckedUnit>()
  readonly #callLists = new Map<string, readonly OutgoingCall[]>()
  /** Types of what callers pass, by file. */
  readonly params = new Map<string, ReadonlyMap<string, Type>>()
  /** What is likely of what callers give, by file, where not all of them are known. */
  readonly #likely = new Map<string, ReadonlyMap<string, Type>>()
  readonly #globals = new Map<Piece, ReadonlyMap<string, Type>>()
  /** Facts as callers see them: the same value for the same facts, so that a change ends where nobody sees it. */
  readonly #seenByCallers = new Map<string, UnitFacts>()
  /** What each template was checked with last, by key. */
  readonly #environments = new Map<string, OwnEnvironment>()
  /** How often each template was checked. */
  readonly #turns = new Map<Piece, number>()
  #requests: RequestValues | null = null
  #reach: Reach | null = null

  constructor({ site, operations, pieces, order, graph, roots, memo, language }: CheckInput) {
    this.#site = site
    this.#operations = operations
    this.#pieces = pieces
    this.#roots = roots
    this.#memo = memo
    this.#isRemembered = memo !== NO_MEMO
    this.#byFile = piecesByFile(pieces)
    this.#order = order
    this.#oldNamesOf = oldNames(site, pieces)
    this.#notificationTypes = notificationTypes(site, operations, memo)
    this.#calledByName = calledByName(site, pieces)
    this.#siteKey = memo.once('check site', '', siteInputs(site), () => ({}))
    this.#namesSet = site.globalsAreAll ? namesSetIn(pieces) : new Set()
    this.lacksModule = callsAbsentModule(site, pieces)
    const included = staticallyIncluded(site, pieces)
    this.#namesGiven = namesGivenIn(pieces)
    this.#namesForForms = namesForForms(pieces)
    this.#namesAtCalls = [graph.passedNames, namesAtIncludes(site, pieces)]
    this.#environment = {
      site,
      operations,
      tags: language.tags,
      filters: language.filters(site.dialect),
      partialNames: [...site.partials.keys()],
      facts: (file) => this.factsOf(file),
      isIncluded: (file) => included === null || included.has(file) || this.#reach?.included.has(file) === true,
      anyPartial: anyPartial(site, pieces, this.lacksModule),
      namesRead: new Set(pieces.flatMap(({ bound }) => [...bound.reads.keys()])),
    }
  }

  // ---- what is known ------------------------------------------------------------------------------------------------

  /** `key`: a file, or that of Liquid in settings. */
  factsOf(key: string): UnitFacts | undefined {
    return this.#checked.get(key)?.facts
  }

  diagnosticsOf(key: string): readonly Diagnostic[] {
    return this.#checked.get(key)?.diagnostics ?? []
  }

  /** All calls of a file, with those of its settings. */
  callsOf(file: string): readonly OutgoingCall[] {
    const known = this.#callLists.get(file)
    if (known !== undefined) return known
    const calls = (this.#byFile.get(file) ?? []).flatMap(({ key }) => this.factsOf(key)?.calls ?? [])
    this.#callLists.set(file, calls)
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
    const known = this.#environments.get(piece.key) ?? this.#unknownEnvironment(piece)
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
    const known = { globals: this.#globalsOf(piece, null), oldNames: this.#oldNamesOf(piece) }
    return { isPartial, ...known, params: null, closed, likely: null, misspelt: NONE }
  }

  // ---- rounds -------------------------------------------------------------------------------------------------------

  /** Checks all templates. Gives what can be reached by the calls that were found. */
  *steps(): Steps<Reach> {
    for (const piece of this.#order) {
      this.#check(piece)
      yield
    }
    yield* this.#checkCycles()
    for (let round = 1; round < ROUNDS; round++) if (!(yield* this.#round(round))) break
    return this.#reachNow()
  }

  #reachNow(): Reach {
    return reachOf(this.#site, this.#roots, (file) => this.callsOf(file))
  }

  /** Units of a cycle were checked before what they call was known. */
  *#checkCycles(): Steps<void> {
    const positions = new Map(this.#order.map((piece, at) => [piece.key, at]))
    const callsLater = (piece: Piece) => {
      const own = positions.get(piece.key) ?? 0
      return this.callsOf(piece.unit.file.path).some(
        ({ targets }) => targets === null || targets.some((target) => (positions.get(target) ?? -1) >= own),
      )
    }
    for (const piece of this.#order.filter(callsLater)) {
      yield
      this.#check(piece)
    }
  }

  /** Checks again what is known better now; false where nothing is. */
  *#round(round: number): Steps<boolean> {
    this.#reach = this.#reachNow()
    yield
    const dirty = yield* this.#takePassedTypes(this.#reach, round)
    if (round === 1) for (const piece of this.#takeRequestValues()) dirty.add(piece)
    const changed = new Set<string>()
    // Callers first, so that what they pass is known in the same round.
    for (const piece of this.#order.toReversed()) {
      if (!dirty.has(piece)) continue
      this.#checkAgain(piece, changed)
      yield
    }
    if (dirty.size === 0) return false
    for (const piece of this.#order) {
      if (!callsAny(this.callsOf(piece.unit.file.path), changed)) continue
      this.#checkAgain(piece, changed)
      yield
    }
    return true
  }

  /** Takes over what callers pass now. Gives the templates that are passed other types than before. */
  *#takePassedTypes(reach: Reach, round: number): Steps<Set<Piece>> {
    const dirty = new Set<Piece>()
    const calls = (each: string) => this.callsOf(each)
    const passed = this.#site.globalsAreAll
      ? givenOverData(this.#site, reach, calls, this.#namesSet)
      : passedTypes(this.#site, reach, calls)
    for (const [file, fresh] of passed) {
      yield
      // Equal types are one value, so that what was found with them is found again.
      const types = this.#isRemembered
        ? this.#memo.once(`passed ${round}`, file, [typesKey(fresh)], () => fresh)
        : fresh
      const before = this.params.get(file)
      if (before !== undefined && sameTypes(before, types)) continue
      this.params.set(file, types)
      for (const piece of this.#byFile.get(file) ?? []) dirty.add(piece)
    }
    yield* this.#takeLikelyTypes(reach, round, dirty)
    return dirty
  }

  /** Adds to `dirty` the templates of which callers that are known give other types than before. */
  *#takeLikelyTypes(reach: Reach, round: number, dirty: Set<Piece>): Steps<void> {
    for (const [file, fresh] of likelyTypes(this.#site, reach, (each) => this.callsOf(each))) {
      yield
      const types = this.#isRemembered
        ? this.#memo.once(`likely ${round}`, file, [typesKey(fresh)], () => fresh)
        : fresh
      const before = this.#likely.get(file)
      if (before !== undefined && sameTypes(before, types)) continue
      this.#likely.set(file, types)
      for (const piece of this.#byFile.get(file) ?? []) dirty.add(piece)
    }
  }

  /** Takes over what tags put into the request. Gives the templates that read it. */
  #takeRequestValues(): readonly Piece[] {
    // A module that is not there may put in values of its own.
    if (this.#site.dialect !== 'platform' || this.#site.openEntries || this.lacksModule) return []
    const values = requestValues(this.#pieces.flatMap(({ key }) => this.factsOf(key) ?? []))
    if (values === null) return []
    const inputs = [typeKey(values.exports), typeKey(values.session)]
    this.#requests = this.#memo.once('request values', '', inputs, () => values)
    return this.#pieces.filter(({ key }) => this.factsOf(key)?.readsRequest === true)
  }

  /** Adds the template's file to `changed` where its callers see other facts than before. */
  #checkAgain(piece: Piece, changed: Set<string>): void {
    const before = this.factsOf(piece.key)
    this.#check(piece)
    const after = this.factsOf(piece.key)
    if (before !== undefined && after !== undefined && !sameFace(before, after)) changed.add(piece.unit.file.path)
  }

  // ---- one template -------------------------------------------------------------------------------------------------

  #check(piece: Piece): void {
    const { key, unit } = piece
    const requests = this.factsOf(key)?.readsRequest === true ? this.#requests : null
    const isJob = isBlock(piece.inner)
    const isPartial = !isJob && this.#isCalled(unit)
    const given = isPartial || isJob ? (this.params.get(key) ?? null) : null
    // Beside the data of a host arguments are more of the names that are given.
    const [params, overData] = this.#site.globalsAreAll ? [null, given] : [given, null]
    const closed = this.#isClosed(piece, isPartial, params)
    const turn = (this.#turns.get(piece) ?? 0) + 1
    this.#turns.set(piece, turn)
    const hostGlobals = this.#globalsOf(piece, requests)
    const likely = isPartial && params === null ? (this.#likely.get(key) ?? null) : null
    const isForm = unit.file.kind === 'form' && piece.inner === null
    const misspelt = isPartial || isForm ? this.#misspeltIn(piece, params) : NONE
    const globals = overData === null ? hostGlobals : new Map([...hostGlobals, ...overData])
    const environment = { isPartial, globals, oldNames: this.#oldNamesOf(piece), params, closed, likely, misspelt }
    this.#environments.set(key, environment)
    const make = () => checkUnit(piece, { ...this.#environment, ...environment })
    const checked = this.#isRemembered
      ? this.#memo.once(
          `check ${turn}`,
          key,
          this.#inputsOf(piece, [isPartial, given, closed, requests, likely, [...misspelt].join()]),
          make,
        )
      : make()
    this.#checked.set(key, checked)
    this.#callLists.delete(unit.file.path)
    if (isPartial && this.#isRemembered) this.#showToCallers(key, checked, turn)
  }

  /** All that the check of a template depends on. */
  #inputsOf(piece: Piece, fromCallers: readonly unknown[]): readonly unknown[] {
    const { path } = piece.unit.file
    return [
      this.#siteKey,
      piece.unit,
      piece.template,
      piece.bound,
      ...fromCallers,
      this.#oldNamesOf(piece),
      this.#environment.isIncluded(piece.key) && this.#readElsewhere(piece),
      this.#site.formSchemas.get(path),
      typeKey(this.#notificationTypes.get(path) ?? UNKNOWN),
      ...calledFacts(this.#site, piece, this.#seenByCallers),
      ...usedOperations(this.#operations, piece),
    ]
  }

  /** Names that an included template sets, and that some template reads. */
  #readElsewhere({ bound }: Piece): string {
    return [...bound.writes.keys()].filter((name) => this.#environment.namesRead.has(name)).join()
  }

  /** `params`: what all callers pass, where all of them are known. */
  #misspeltIn(piece: Piece, params: ReadonlyMap<string, Type> | null): ReadonlyMap<string, string> {
    if (this.#site.dialect !== 'platform' || this.#site.openEntries) return NONE
    const given = params ?? (piece.unit.file.kind === 'form' ? this.#namesForForms : this.#namesGiven)
    const isKnown = !this.lacksModule && hasOwnPages(this.#site)
    return misspeltLocals(piece, {
      isGiven: (name) => this.#site.globals.has(name) || given.has(name),
      isKnown,
      atCalls: () => this.#namesAtCalls.flatMap((names) => [...(names.get(piece.unit.file.path) ?? NO_NAMES)]),
      times: (name) => timesWritten(name, this.#site),
    })
  }

  #showToCallers(key: string, checked: CheckedUnit, turn: number): void {
    const face = this.#memo.once(`face ${turn}`, key, [checked], () => faceKey(checked.facts))
    this.#seenByCallers.set(
      key,
      this.#memo.once(`seen ${turn}`, key, [face], () => checked.facts),
    )
  }

  /** Whether others call the file with names that it does not know: one beside layouts may be such a file, too. */
  #isCalled({ file }: Unit): boolean {
    return file.kind === 'partial' || (file.kind === 'layout' && this.#calledByName.has(file.path))
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
const NO_NAMES: ReadonlySet<string> = new Set()

/** What templates give to others: what they set, which an include shares, and what they pass. */
function namesGivenIn(pieces: readonly Piece[]): ReadonlySet<string> {
  const given = new Set<string>()
  for (const { bound, template } of pieces) {
    for (const name of [...bound.writes.keys(), ...bound.counters, ...(template.passed ?? [])]) given.add(name)
    for (const { passed, hidden } of bound.calls) for (const name of [...passed, ...hidden]) given.add(name)
  }
  return given
}

function namesSetIn(pieces: readonly Piece[]): ReadonlySet<string> {
  return new Set(
    pieces.flatMap(({ bound }) => [
      ...bound.writes.keys(),
      ...bound.counters,
      ...bound.calls.flatMap(({ hidden }) => [...hidden]),
    ]),
  )
}

function piecesByFile(pieces: readonly Piece[]): ReadonlyMap<string, readonly Piece[]> {
  const byFile = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const { path } = piece.unit.file
    byFile.set(path, [...(byFile.get(path) ?? []), piece])
    // A block of `background` is called by its own key.
    if (isBlock(piece.inner)) byFile.set(piece.key, [piece])
  }
  return byFile
}

function callsAny(calls: readonly OutgoingCall[], files: ReadonlySet<string>): boolean {
  return files.size > 0 && calls.some((call) => call.targets?.some((target) => files.has(target)) === true)
}
