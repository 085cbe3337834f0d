/**
 * What surely holds of the values of every template of a site. What the partials give is inferred from the callees up, what they are given
 * from the callers down: each template is walked twice at the most, and what goes in a circle is unknown.
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
import { type Doing, type Inferred, inferTemplate, type Outside, type Surroundings } from './template.ts'
import type { CallGraph } from './call-graph.ts'
import { typeKey, typesKey } from '../../../language/types/type-key.ts'
import { usedOperations } from './keys.ts'
import type { Piece } from '../piece.ts'

export interface InferInput {
  readonly site: Site
  readonly operations: Operations
  /** The templates, with those inside front matter and the blocks of `background`, in the order of the graph. */
  readonly order: readonly Piece[]
  readonly graph: CallGraph
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly memo: Memo
  readonly language: Language
}

export function inferSite(input: InferInput, linked: Linked): Facts {
  const last = LAST.get(input.graph) ?? null
  const inference = last?.isOf(input, linked) === true ? last : new SiteInference(input, linked)
  if (last !== null && last !== inference) inference.takeOver(last)
  LAST.set(input.graph, inference)
  return inference.facts()
}

/** The last inference over sites whose templates call each other in one way. */
const LAST = attached<CallGraph, SiteInference>()

/** Infers a template when somebody asks for it: most sites have many of which nothing needs to be known. */
class SiteInference {
  readonly #site: Site
  readonly #operations: Operations
  readonly #linked: Linked
  readonly #memo: Memo
  /** Templates behind all that they call by a literal name. */
  readonly #order: readonly Piece[]
  readonly #graph: CallGraph
  readonly #roots: ReadonlySet<string>
  readonly #filters: Surroundings['filters']
  readonly #tags: Surroundings['tags']
  readonly #up = new Map<string, Inferred>()
  readonly #doings = new Map<string, Doing>()
  readonly #down = new Map<string, Inferred>()
  readonly #given = new Map<Piece, ReadonlySet<string> | null>()

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

  isOf({ site, order, operations, language }: InferInput, linked: Linked): boolean {
    const isSame = this.#site === site && this.#order === order && this.#operations === operations
    return isSame && this.#linked === linked && this.#tags === language.tags
  }

  /** What was inferred before of templates that have not changed, nor anything that they call. */
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
    // Those that are added here are gone through, too.
    for (const key of changed) for (const caller of this.#graph.callers.get(key) ?? []) changed.add(caller)
    for (const [key, known] of before.#up) if (!changed.has(key)) this.#up.set(key, known)
    for (const [key, known] of before.#doings) if (!changed.has(key)) this.#doings.set(key, known)
  }

  facts(): Facts {
    return {
      templates: { get: (key) => this.#ask(key, (piece) => this.#inferDown(piece).facts) },
      alone: { get: (key) => this.#ask(key, (piece) => this.#inferAlone(piece).facts) },
      given: { get: (key) => this.#ask(key, (piece) => this.#givenTo(piece)) },
      order: this.#graph.callersFirst,
      linked: this.#linked,
    }
  }

  #ask<Answer>(key: string, answer: (piece: Piece) => Answer): Answer | undefined {
    const place = this.#graph.places.get(key)
    const piece = place === undefined ? undefined : this.#order[place]
    return piece === undefined ? undefined : answer(piece)
  }

  #isCalledByName({ unit }: Piece): boolean {
    return this.#graph.callers.has(unit.file.path)
  }

  // ---- from the callees up ----------------------------------------------------------------------------------------

  #inferAlone(piece: Piece): Inferred {
    const isCalled = piece.inner === null && this.#isCalledByName(piece)
    return isCalled || this.#isKnown(piece) ? this.#inferUp(piece) : this.#inferDown(piece)
  }

  #inferUp(piece: Piece): Inferred {
    let known = this.#up.get(piece.key)
    if (known === undefined) {
      const place = this.#graph.places.get(piece.key) ?? 0
      // In a circle, those that come later in the order are unknown.
      known = this.#infer('up', piece, outsideOf(this.#site, piece, null), (file) =>
        (this.#graph.places.get(file) ?? place) < place ? this.#doing(file) : undefined,
      )
      this.#up.set(piece.key, known)
    }
    return known
  }

  #doing(file: string): Doing | undefined {
    const known = this.#doings.get(file)
    const piece = this.#order[this.#graph.places.get(file) ?? -1]
    if (known !== undefined || piece === undefined || !this.#isCalledByName(piece)) return known
    const { result, mutates, leaves } = this.#inferUp(piece)
    // One value for equal facts, so that a change ends where no caller sees it.
    const inputs = [typeKey(result), mutates, leaves]
    const doing = this.#memo.once('doing', piece.key, inputs, () => ({ result, mutates, leaves }))
    this.#doings.set(file, doing)
    return doing
  }

  // ---- from the callers down --------------------------------------------------------------------------------------

  #inferDown(piece: Piece): Inferred {
    let known = this.#down.get(piece.key)
    if (known === undefined) {
      const parameters = this.#passed(piece)
      known = this.#infer('down', piece, outsideOf(this.#site, piece, parameters), (file) => this.#doing(file))
      this.#down.set(piece.key, known)
    }
    return known
  }

  /** The types of what callers pass, where all of them are known. */
  #passed(piece: Piece): ReadonlyMap<string, Type> | null {
    if (!this.#isKnown(piece)) return null
    const { path } = piece.unit.file
    const calls = (this.#graph.callers.get(path) ?? []).flatMap(
      (key) => this.#ask(key, (caller) => this.#inferDown(caller).calls.filter(({ target }) => target === path)) ?? [],
    )
    const passed = joined(calls.map((call) => call.passed))
    // Equal types are one value, so that what was inferred with them is found again.
    return this.#memo === NO_MEMO ? passed : this.#memo.once('parameters', path, [typesKey(passed)], () => passed)
  }

  /** Whether every caller of a template is known. */
  #isKnown(piece: Piece): boolean {
    const { path } = piece.unit.file
    const known = this.#linked.effects.get(path)
    const { dialect, openEntries } = this.#site
    if (piece.inner !== null || !isCalled(this.#site, piece) || dialect !== 'platform' || openEntries) return false
    if (this.#roots.has(path) || this.#graph.jobs.has(path) || known === undefined) return false
    return !known.recursive && !known.included && known.open.size === 0
  }

  #givenTo(piece: Piece): ReadonlySet<string> | null {
    let known = this.#given.get(piece)
    if (known === undefined) this.#given.set(piece, (known = this.#namesGivenTo(piece)))
    return known
  }

  #namesGivenTo(piece: Piece): ReadonlySet<string> | null {
    const { path } = piece.unit.file
    const isKnown = this.#isKnown(piece)
    const { isClosed, host } = outsideOf(this.#site, piece, isKnown ? NO_PARAMETERS : null)
    if (!isClosed) return null
    return new Set([...host.keys(), ...(isKnown ? (this.#graph.passedNames.get(path) ?? []) : [])])
  }

  #infer(pass: string, piece: Piece, outside: Outside, doing: Surroundings['doing']): Inferred {
    const { effects } = this.#linked
    const { template, bound, key } = piece
    const counters = effects.get(key)?.counters ?? bound.counters
    const around: Surroundings = {
      site: this.#site,
      operations: this.#operations,
      tags: this.#tags,
      filters: this.#filters,
      doing,
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

/** All that a template's inference depends on of those that it calls by their names. */
function calleesOf(site: Site, { bound }: Piece, { doing, effects }: Surroundings): readonly unknown[] {
  return bound.calls.flatMap(({ literal, kind }) => {
    const file = literal === null ? undefined : site.partials.get(literal)?.file.path
    if (file === undefined) return [null]
    const known = kind === 'include' ? effects(file) : undefined
    return [file, doing(file), known?.spills, known?.recursive, [...(known?.frameWrites ?? [])].join(' ')]
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
  // Templates may change what the host gives, or hand it to those that do.
  if (site.dialect === 'platform') {
    const names = ['context', 'form', 'form_builder', 'data', 'response']
    for (const name of kind === 'partial' ? ['context'] : names) host.set(name, UNKNOWN)
    if (kind === 'layout' && !called && isPlatform) host.set('content_for_layout', SAFE)
  }
  // A layout of mails also has what the mail has.
  const hasOwnNames = kind === 'page' || kind === 'authorization_policy' || kind === 'migration'
  return {
    parameters,
    isCalled: called,
    isClosed: isPlatform && (called ? parameters !== null : hasOwnNames && piece.inner === null),
    host,
  }
}

/** The types of names that are passed in some of several calls. */
function joined(calls: readonly ReadonlyMap<string, Type>[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const name of new Set(calls.flatMap((call) => [...call.keys()]))) {
    let type = calls[0]?.get(name) ?? NIL
    for (const call of calls.slice(1)) type = join(type, call.get(name) ?? NIL)
    types.set(name, type)
  }
  return types
}
