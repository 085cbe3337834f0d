/**
 * Infers the types that are certain in every template of a site. Results of partials are inferred from the callees up, parameters from the
 * callers down. Each template is walked at most twice, and types that depend on a cycle are unknown.
 */
import type { Language } from '../../language/language.ts'
import { attached } from '../../core/model/attached.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Facts } from '../../core/model/facts.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { NIL, SAFE, type Type, UNKNOWN } from '../../core/model/type.ts'
import { isBlock } from '../../core/model/unit.ts'
import { join } from '../../language/types/relate.ts'
import {
  type CallEffects,
  type Inferred,
  inferTemplate,
  type Outside,
  type Surroundings,
} from './domains/certain-types.ts'
import type { CallGraph } from './call-graph.ts'
import { typeKey, typesKey } from '../../language/types/type-key.ts'
import { usedOperations } from './keys.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'

export interface InferInput {
  readonly site: Site
  readonly operations: Operations
  /** The templates, with those in front matter and the blocks of `background`, in the order of the graph. */
  readonly order: readonly SiteTemplate[]
  readonly graph: CallGraph
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly memo: Memo
  readonly language: Language
}

/** Returns the facts of a site. They are inferred on demand. */
export function inferSite(input: InferInput, linkedEffects: LinkedEffects): Facts {
  const last = LAST_INFERENCES.get(input.graph) ?? null
  const inference = last?.isFor(input, linkedEffects) === true ? last : new SiteInference(input, linkedEffects)
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
  readonly #linked: LinkedEffects
  readonly #memo: Memo
  /** Templates, each after all that it calls by a literal name. */
  readonly #order: readonly SiteTemplate[]
  readonly #graph: CallGraph
  readonly #roots: ReadonlySet<string>
  readonly #filters: Surroundings['filters']
  readonly #tags: Surroundings['tags']
  /** Inferences without the types of parameters. */
  readonly #bottomUp = new Map<string, Inferred>()
  readonly #callEffects = new Map<string, CallEffects>()
  /** Inferences with the types of parameters. */
  readonly #topDown = new Map<string, Inferred>()
  readonly #givenNames = new Map<SiteTemplate, ReadonlySet<string> | null>()

  constructor({ site, operations, order, graph, roots, memo, language }: InferInput, linkedEffects: LinkedEffects) {
    this.#site = site
    this.#operations = operations
    this.#linked = linkedEffects
    this.#memo = memo
    this.#order = order
    this.#graph = graph
    this.#roots = roots
    this.#filters = language.filters(site.dialect)
    this.#tags = language.tags
  }

  isFor({ site, order, operations, language }: InferInput, linkedEffects: LinkedEffects): boolean {
    const isSame = this.#site === site && this.#order === order && this.#operations === operations
    return isSame && this.#linked === linkedEffects && this.#tags === language.tags
  }

  /** Reuses earlier inferences of templates that have not changed and that call no changed template. */
  takeOver(before: SiteInference): void {
    const isAlike =
      before.#site.structureVersion === this.#site.structureVersion &&
      before.#operations === this.#operations &&
      before.#linked.sharedEffects === this.#linked.sharedEffects &&
      before.#tags === this.#tags &&
      before.#order.length === this.#order.length
    if (!isAlike) return
    const changed = new Set<string>()
    for (const [at, siteTemplate] of this.#order.entries())
      if (before.#order[at] !== siteTemplate) changed.add(siteTemplate.key)
    // The loop also visits the keys that it adds.
    for (const key of changed) for (const caller of this.#graph.callers.get(key) ?? []) changed.add(caller)
    for (const [key, known] of before.#bottomUp) if (!changed.has(key)) this.#bottomUp.set(key, known)
    for (const [key, known] of before.#callEffects) if (!changed.has(key)) this.#callEffects.set(key, known)
  }

  facts(): Facts {
    return {
      templates: { get: (key) => this.#withTemplate(key, (siteTemplate) => this.#inferDown(siteTemplate).facts) },
      alone: { get: (key) => this.#withTemplate(key, (siteTemplate) => this.#inferAlone(siteTemplate).facts) },
      givenNames: { get: (key) => this.#withTemplate(key, (siteTemplate) => this.#givenNamesOf(siteTemplate)) },
      order: this.#graph.callersFirst,
      linkedEffects: this.#linked,
    }
  }

  #withTemplate<Answer>(key: string, compute: (siteTemplate: SiteTemplate) => Answer): Answer | undefined {
    const place = this.#graph.places.get(key)
    const siteTemplate = place === undefined ? undefined : this.#order[place]
    return siteTemplate === undefined ? undefined : compute(siteTemplate)
  }

  #isCalledByName({ unit }: SiteTemplate): boolean {
    return this.#graph.callers.has(unit.file.path)
  }

  // ---- from the callees up ----------------------------------------------------------------------------------------

  #inferAlone(siteTemplate: SiteTemplate): Inferred {
    const isCalled = siteTemplate.inner === null && this.#isCalledByName(siteTemplate)
    return isCalled || this.#areCallersKnown(siteTemplate) ? this.#inferUp(siteTemplate) : this.#inferDown(siteTemplate)
  }

  #inferUp(siteTemplate: SiteTemplate): Inferred {
    let known = this.#bottomUp.get(siteTemplate.key)
    if (known === undefined) {
      const place = this.#graph.places.get(siteTemplate.key) ?? 0
      // In a cycle, the results of templates that come later in the order are unknown.
      known = this.#infer('up', siteTemplate, outsideOf(this.#site, siteTemplate, null), (file) =>
        (this.#graph.places.get(file) ?? place) < place ? this.#callEffectsOf(file) : undefined,
      )
      this.#bottomUp.set(siteTemplate.key, known)
    }
    return known
  }

  #callEffectsOf(file: string): CallEffects | undefined {
    const known = this.#callEffects.get(file)
    const siteTemplate = this.#order[this.#graph.places.get(file) ?? -1]
    if (known !== undefined || siteTemplate === undefined || !this.#isCalledByName(siteTemplate)) return known
    const { result, mayMutate, mayLeave } = this.#inferUp(siteTemplate)
    // Equal facts are one object, so that a change that no caller sees causes no further inference.
    const inputs = [typeKey(result), mayMutate, mayLeave]
    const callEffects = this.#memo.once('doing', siteTemplate.key, inputs, () => ({
      result,
      mayMutate,
      mayLeave,
    }))
    this.#callEffects.set(file, callEffects)
    return callEffects
  }

  // ---- from the callers down --------------------------------------------------------------------------------------

  #inferDown(siteTemplate: SiteTemplate): Inferred {
    let known = this.#topDown.get(siteTemplate.key)
    if (known === undefined) {
      const parameters = this.#parametersOf(siteTemplate)
      known = this.#infer('down', siteTemplate, outsideOf(this.#site, siteTemplate, parameters), (file) =>
        this.#callEffectsOf(file),
      )
      this.#topDown.set(siteTemplate.key, known)
    }
    return known
  }

  /** Returns the types that callers pass; null if some caller is unknown. */
  #parametersOf(siteTemplate: SiteTemplate): ReadonlyMap<string, Type> | null {
    if (!this.#areCallersKnown(siteTemplate)) return null
    const { path } = siteTemplate.unit.file
    const calls = (this.#graph.callers.get(path) ?? []).flatMap(
      (key) =>
        this.#withTemplate(key, (caller) => this.#inferDown(caller).calls.filter(({ target }) => target === path)) ??
        [],
    )
    const passedTypes = joinArguments(calls.map((call) => call.passedTypes))
    // Equal types are one object, so that cached inferences are found again.
    return this.#memo === NO_MEMO
      ? passedTypes
      : this.#memo.once('parameters', path, [typesKey(passedTypes)], () => passedTypes)
  }

  /** Returns whether every caller of a template is known. */
  #areCallersKnown(siteTemplate: SiteTemplate): boolean {
    const { path } = siteTemplate.unit.file
    const known = this.#linked.effects.get(path)
    const { dialect, openEntries } = this.#site
    if (siteTemplate.inner !== null || !isCalled(this.#site, siteTemplate) || dialect !== 'platform' || openEntries)
      return false
    if (this.#roots.has(path) || this.#graph.jobs.has(path) || known === undefined) return false
    return !known.recursive && !known.included && known.open.size === 0
  }

  #givenNamesOf(siteTemplate: SiteTemplate): ReadonlySet<string> | null {
    let known = this.#givenNames.get(siteTemplate)
    if (known === undefined) this.#givenNames.set(siteTemplate, (known = this.#findGivenNames(siteTemplate)))
    return known
  }

  #findGivenNames(siteTemplate: SiteTemplate): ReadonlySet<string> | null {
    const { path } = siteTemplate.unit.file
    const isKnown = this.#areCallersKnown(siteTemplate)
    const { isClosed, host } = outsideOf(this.#site, siteTemplate, isKnown ? NO_PARAMETERS : null)
    if (!isClosed) return null
    return new Set([...host.keys(), ...(isKnown ? (this.#graph.passedNames.get(path) ?? []) : [])])
  }

  #infer(
    pass: string,
    siteTemplate: SiteTemplate,
    outside: Outside,
    callEffects: Surroundings['callEffects'],
  ): Inferred {
    const { effects } = this.#linked
    const { template, outline, key } = siteTemplate
    const counters = effects.get(key)?.counters ?? outline.counters
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
      ...[template, outline, outside.parameters, outside.isCalled, outside.isClosed, siteTemplate.unit.file.kind],
      [...counters].join(' '),
      ...calleesOf(this.#site, siteTemplate, around),
      ...usedOperations(this.#operations, siteTemplate),
    ]
    return this.#memo.once(`infer ${pass}`, key, inputs, make)
  }
}

const NO_PARAMETERS: ReadonlyMap<string, Type> = new Map()

/** Returns everything that an inference depends on in the templates that are called by a literal name. */
function calleesOf(site: Site, { outline }: SiteTemplate, { callEffects, effects }: Surroundings): readonly unknown[] {
  return outline.calls.flatMap(({ literal, kind }) => {
    const file = literal === null ? undefined : site.partials.get(literal)?.file.path
    if (file === undefined) return [null]
    const known = kind === 'include' ? effects(file) : undefined
    return [file, callEffects(file), known?.spills, known?.recursive, [...(known?.frameWrites ?? [])].join(' ')]
  })
}

function isCalled(site: Site, { unit, inner }: SiteTemplate): boolean {
  return isBlock(inner) || unit.file.kind === 'partial' || site.layoutParts.has(unit)
}

function outsideOf(site: Site, siteTemplate: SiteTemplate, parameters: ReadonlyMap<string, Type> | null): Outside {
  const { kind } = siteTemplate.unit.file
  const called = isCalled(site, siteTemplate)
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
    isClosed: isPlatform && (called ? parameters !== null : hasOwnNames && siteTemplate.inner === null),
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
