/**
 * Infers the types that are certain in every template of a site. Results of partials are inferred from the callees up, parameters from the
 * callers down. Each template is walked at most twice, and types that depend on a cycle are unknown.
 */
import type { Language } from '../../../language/language.ts'
import { attached } from '../../../core/model/attached.ts'
import type { Linked } from '../../../core/model/effects.ts'
import type { Facts } from '../../../core/model/facts.ts'
import { type Memo, NO_MEMO } from '../../../core/model/memo.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import { NIL, SAFE, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { isBlock } from '../../../core/model/unit.ts'
import { join } from '../../../language/types/relate.ts'
import { type CallEffects, type Inferred, inferTemplate, type Outside, type Surroundings } from './template.ts'
import type { CallGraph } from './call-graph.ts'
import { typeKey, typesKey } from '../../../language/types/type-key.ts'
import { usedOperations } from './keys.ts'
import type { Piece } from '../piece.ts'

export interface InferInput {
  readonly site: Site
  readonly operations: Operations
  /** The templates, with those in front matter and the blocks of `background`, in the order of the graph. */
  readonly order: readonly Piece[]
  readonly graph: CallGraph
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly memo: Memo
  readonly language: Language
}

/** Returns the facts of a site. They are inferred on demand. */
export function inferSite(input: InferInput, linked: Linked): Facts {
  const last = LAST_INFERENCES.get(input.graph) ?? null
  const inference = last?.isFor(input, linked) === true ? last : new SiteInference(input, linked)
  if (last !== null && last !== inference) inference.takeOver(last)
  LAST_INFERENCES.set(input.graph, inference)
  return inference.facts()
}

/** The last inference for each call graph. */
const LAST_INFERENCES = attached<CallGraph, SiteInference>()

/** Infers a template on demand: the facts of most templates are never needed. */
class SiteInference {
  readonly #site: Site
  readonly #operations: Operations
  readonly #linked: Linked
  readonly #memo: Memo
  /** Templates, each after all that it calls by a literal name. */
  readonly #order: readonly Piece[]
  readonly #graph: CallGraph
  readonly #roots: ReadonlySet<string>
  readonly #filters: Surroundings['filters']
  readonly #tags: Surroundings['tags']
  /** Inferences without the types of parameters. */
  readonly #bottomUp = new Map<string, Inferred>()
  readonly #callEffects = new Map<string, CallEffects>()
  /** Inferences with the types of parameters. */
  readonly #topDown = new Map<string, Inferred>()
  readonly #givenNames = new Map<Piece, ReadonlySet<string> | null>()

  constructor({ site, operations, order, graph, roots, memo, language }: InferInput, linked: Linked) {
    this.#site = site
    this.#operations = operations
    this.#linked = linked
    this.#memo = memo
    this.#order = order
    this.#graph = graph
    this.#roots = roots
    this.#filters = language.filters(site.dialect)
    this.#tags = language.tags
  }

  isFor({ site, order, operations, language }: InferInput, linked: Linked): boolean {
    const isSame = this.#site === site && this.#order === order && this.#operations === operations
    return isSame && this.#linked === linked && this.#tags === language.tags
  }

  /** Reuses earlier inferences of templates that have not changed and that call no changed template. */
  takeOver(before: SiteInference): void {
    const isAlike =
      before.#site.frame === this.#site.frame &&
      before.#operations === this.#operations &&
      before.#linked.deeds === this.#linked.deeds &&
      before.#tags === this.#tags &&
      before.#order.length === this.#order.length
    if (!isAlike) return
    const changed = new Set<string>()
    for (const [at, piece] of this.#order.entries()) if (before.#order[at] !== piece) changed.add(piece.key)
    // The loop also visits the keys that it adds.
    for (const key of changed) for (const caller of this.#graph.callers.get(key) ?? []) changed.add(caller)
    for (const [key, known] of before.#bottomUp) if (!changed.has(key)) this.#bottomUp.set(key, known)
    for (const [key, known] of before.#callEffects) if (!changed.has(key)) this.#callEffects.set(key, known)
  }

  facts(): Facts {
    return {
      templates: { get: (key) => this.#withPiece(key, (piece) => this.#inferDown(piece).facts) },
      alone: { get: (key) => this.#withPiece(key, (piece) => this.#inferAlone(piece).facts) },
      given: { get: (key) => this.#withPiece(key, (piece) => this.#givenNamesOf(piece)) },
      order: this.#graph.callersFirst,
      linked: this.#linked,
    }
  }

  #withPiece<Answer>(key: string, compute: (piece: Piece) => Answer): Answer | undefined {
    const place = this.#graph.places.get(key)
    const piece = place === undefined ? undefined : this.#order[place]
    return piece === undefined ? undefined : compute(piece)
  }

  #isCalledByName({ unit }: Piece): boolean {
    return this.#graph.callers.has(unit.file.path)
  }

  // ---- from the callees up ----------------------------------------------------------------------------------------

  #inferAlone(piece: Piece): Inferred {
    const isCalled = piece.inner === null && this.#isCalledByName(piece)
    return isCalled || this.#areCallersKnown(piece) ? this.#inferUp(piece) : this.#inferDown(piece)
  }

  #inferUp(piece: Piece): Inferred {
    let known = this.#bottomUp.get(piece.key)
    if (known === undefined) {
      const place = this.#graph.places.get(piece.key) ?? 0
      // In a cycle, the results of templates that come later in the order are unknown.
      known = this.#infer('up', piece, outsideOf(this.#site, piece, null), (file) =>
        (this.#graph.places.get(file) ?? place) < place ? this.#callEffectsOf(file) : undefined,
      )
      this.#bottomUp.set(piece.key, known)
    }
    return known
  }

  #callEffectsOf(file: string): CallEffects | undefined {
    const known = this.#callEffects.get(file)
    const piece = this.#order[this.#graph.places.get(file) ?? -1]
    if (known !== undefined || piece === undefined || !this.#isCalledByName(piece)) return known
    const { result, mayMutate, mayLeave } = this.#inferUp(piece)
    // Equal facts are one object, so that a change that no caller sees causes no further inference.
    const inputs = [typeKey(result), mayMutate, mayLeave]
    const callEffects = this.#memo.once('doing', piece.key, inputs, () => ({
      result,
      mayMutate,
      mayLeave,
    }))
    this.#callEffects.set(file, callEffects)
    return callEffects
  }

  // ---- from the callers down --------------------------------------------------------------------------------------

  #inferDown(piece: Piece): Inferred {
    let known = this.#topDown.get(piece.key)
    if (known === undefined) {
      const parameters = this.#parametersOf(piece)
      known = this.#infer('down', piece, outsideOf(this.#site, piece, parameters), (file) => this.#callEffectsOf(file))
      this.#topDown.set(piece.key, known)
    }
    return known
  }

  /** Returns the types that callers pass; null if some caller is unknown. */
  #parametersOf(piece: Piece): ReadonlyMap<string, Type> | null {
    if (!this.#areCallersKnown(piece)) return null
    const { path } = piece.unit.file
    const calls = (this.#graph.callers.get(path) ?? []).flatMap(
      (key) =>
        this.#withPiece(key, (caller) => this.#inferDown(caller).calls.filter(({ target }) => target === path)) ?? [],
    )
    const passed = joinArguments(calls.map((call) => call.passed))
    // Equal types are one object, so that cached inferences are found again.
    return this.#memo === NO_MEMO ? passed : this.#memo.once('parameters', path, [typesKey(passed)], () => passed)
  }

  /** Returns whether every caller of a template is known. */
  #areCallersKnown(piece: Piece): boolean {
    const { path } = piece.unit.file
    const known = this.#linked.effects.get(path)
    const { dialect, openEntries } = this.#site
    if (piece.inner !== null || !isCalled(this.#site, piece) || dialect !== 'platform' || openEntries) return false
    if (this.#roots.has(path) || this.#graph.jobs.has(path) || known === undefined) return false
    return !known.recursive && !known.included && known.open.size === 0
  }

  #givenNamesOf(piece: Piece): ReadonlySet<string> | null {
    let known = this.#givenNames.get(piece)
    if (known === undefined) this.#givenNames.set(piece, (known = this.#findGivenNames(piece)))
    return known
  }

  #findGivenNames(piece: Piece): ReadonlySet<string> | null {
    const { path } = piece.unit.file
    const isKnown = this.#areCallersKnown(piece)
    const { isClosed, host } = outsideOf(this.#site, piece, isKnown ? NO_PARAMETERS : null)
    if (!isClosed) return null
    return new Set([...host.keys(), ...(isKnown ? (this.#graph.passedNames.get(path) ?? []) : [])])
  }

  #infer(pass: string, piece: Piece, outside: Outside, callEffects: Surroundings['callEffects']): Inferred {
    const { effects } = this.#linked
    const { template, bound, key } = piece
    const counters = effects.get(key)?.counters ?? bound.counters
    const around: Surroundings = {
      site: this.#site,
      operations: this.#operations,
      tags: this.#tags,
      filters: this.#filters,
      callEffects,
      effects: (file) => effects.get(file),
      counters,
    }
    const make = () => inferTemplate(template, around, outside)
    if (this.#memo === NO_MEMO) return make()
    const { dialect, raise, openEntries, strictVariables, config } = this.#site
    const inputs = [
      ...[dialect, raise, openEntries, strictVariables, config.liquidAddOldVariables],
      ...[template, bound, outside.parameters, outside.isCalled, outside.isClosed, piece.unit.file.kind],
      [...counters].join(' '),
      ...calleesOf(this.#site, piece, around),
      ...usedOperations(this.#operations, piece),
    ]
    return this.#memo.once(`infer ${pass}`, key, inputs, make)
  }
}

const NO_PARAMETERS: ReadonlyMap<string, Type> = new Map()

/** Returns everything that an inference depends on in the templates that are called by a literal name. */
function calleesOf(site: Site, { bound }: Piece, { callEffects, effects }: Surroundings): readonly unknown[] {
  return bound.calls.flatMap(({ literal, kind }) => {
    const file = literal === null ? undefined : site.partials.get(literal)?.file.path
    if (file === undefined) return [null]
    const known = kind === 'include' ? effects(file) : undefined
    return [file, callEffects(file), known?.spills, known?.recursive, [...(known?.frameWrites ?? [])].join(' ')]
  })
}

function isCalled(site: Site, { unit, inner }: Piece): boolean {
  return isBlock(inner) || unit.file.kind === 'partial' || site.layoutParts.has(unit)
}

function outsideOf(site: Site, piece: Piece, parameters: ReadonlyMap<string, Type> | null): Outside {
  const { kind } = piece.unit.file
  const called = isCalled(site, piece)
  const isPlatform = site.dialect === 'platform' && !site.openEntries
  const host = new Map<string, Type>()
  // Templates may change the values of the host, or pass them to templates that do.
  if (site.dialect === 'platform') {
    const names = ['context', 'form', 'form_builder', 'data', 'response']
    for (const name of kind === 'partial' ? ['context'] : names) host.set(name, UNKNOWN)
    if (kind === 'layout' && !called && isPlatform) host.set('content_for_layout', SAFE)
  }
  // A layout of mails also has the names of the mail.
  const hasOwnNames = kind === 'page' || kind === 'authorization_policy' || kind === 'migration'
  return {
    parameters,
    isCalled: called,
    isClosed: isPlatform && (called ? parameters !== null : hasOwnNames && piece.inner === null),
    host,
  }
}

/** Returns the types of the names that some of several calls pass. */
function joinArguments(calls: readonly ReadonlyMap<string, Type>[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const name of new Set(calls.flatMap((call) => [...call.keys()]))) {
    let type = calls[0]?.get(name) ?? NIL
    for (const call of calls.slice(1)) type = join(type, call.get(name) ?? NIL)
    types.set(name, type)
  }
  return types
}
