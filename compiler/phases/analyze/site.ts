/**
 * Infers the types that are certain in every template of a site. Results of partials are inferred from the callees up, parameters from the
 * callers down. Each template is walked at most twice, and types that depend on a cycle are unknown.
 */
import { type Language, languageStamp } from '../../language/language.ts'
import { plain } from '../../core/model/codec.ts'
import { digest } from '../../core/model/digest.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Facts } from '../../core/model/facts.ts'
import { type Memo, NO_SOURCES } from '../../core/model/memo.ts'
import { unitStamp } from '../../core/model/stamps.ts'
import { type Operations, inlineKey, type Operation } from '../../core/model/operation.ts'
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
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { getOrMake } from '../../core/source/maps.ts'
import { operationStamp } from '../../language/types/operation-stamp.ts'

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
  return new SiteInference(input, linkedEffects).facts()
}

/** `up`: without the types of parameters. `down`: with the types that callers pass. */
type Pass = 'up' | 'down'

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
  readonly #language: Language
  /** Inferences without the types of parameters. */
  readonly #bottomUp = new Map<string, Inferred>()
  readonly #callEffects = new Map<string, CallEffects>()
  /** Inferences with the types of parameters. */
  readonly #topDown = new Map<string, Inferred>()
  /** The stamps of inferences, by their pass and their template. */
  readonly #stamps = new Map<string, string>()
  readonly #givenNames = new Map<SiteTemplate, ReadonlySet<string> | null>()

  constructor({ site, operations, order, graph, roots, memo, language }: InferInput, linkedEffects: LinkedEffects) {
    this.#site = site
    this.#operations = operations
    this.#linked = linkedEffects
    this.#memo = memo
    this.#order = order
    this.#graph = graph
    this.#roots = roots
    this.#language = language
  }

  facts(): Facts {
    return {
      templates: { get: (key) => this.#withTemplate(key, (siteTemplate) => this.#inferDown(siteTemplate).facts) },
      alone: {
        get: (key) => this.#withTemplate(key, (siteTemplate) => this.#inferAlone(siteTemplate).facts),
        stamp: (key) => this.#withTemplate(key, (siteTemplate) => this.#aloneStamp(siteTemplate)) ?? '',
      },
      callEffectsKey: (file) => keyOf(this.#callEffectsOf(file)),
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
    return this.#isInferredUp(siteTemplate) ? this.#inferUp(siteTemplate) : this.#inferDown(siteTemplate)
  }

  #aloneStamp(siteTemplate: SiteTemplate): string {
    return this.#stampOf(this.#isInferredUp(siteTemplate) ? 'up' : 'down', siteTemplate)
  }

  #isInferredUp(siteTemplate: SiteTemplate): boolean {
    const isCalled = siteTemplate.inner === null && this.#isCalledByName(siteTemplate)
    return isCalled || this.#areCallersKnown(siteTemplate)
  }

  #inferUp(siteTemplate: SiteTemplate): Inferred {
    return getOrMake(this.#bottomUp, siteTemplate.key, () => this.#infer('up', siteTemplate))
  }

  readonly #callEffectsOf = (file: string): CallEffects | undefined => {
    const known = this.#callEffects.get(file)
    const siteTemplate = this.#order[this.#graph.places.get(file) ?? -1]
    if (known !== undefined || siteTemplate === undefined || !this.#isCalledByName(siteTemplate)) return known
    const callEffects = this.#memo.query({
      name: 'call effects',
      key: file,
      inputs: () => [this.#stampOf('up', siteTemplate)],
      sources: NO_SOURCES,
      codec: plain<CallEffects>,
      make: () => {
        const { result, mayMutate, mayLeave } = this.#inferUp(siteTemplate)
        return { result, mayMutate, mayLeave }
      },
    })
    this.#callEffects.set(file, callEffects)
    return callEffects
  }

  // ---- from the callers down --------------------------------------------------------------------------------------

  #inferDown(siteTemplate: SiteTemplate): Inferred {
    return getOrMake(this.#topDown, siteTemplate.key, () => this.#infer('down', siteTemplate))
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
    return joinArguments(calls.map((call) => call.passedTypes))
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

  #infer(pass: Pass, siteTemplate: SiteTemplate): Inferred {
    const { template, key } = siteTemplate
    const make = () => {
      const around: Surroundings = {
        site: this.#site,
        operations: this.#operations,
        tags: this.#language.tags,
        filters: this.#language.filters(this.#site.dialect),
        callEffects: this.#callEffectsIn(pass, siteTemplate),
        effects: (file) => this.#linked.effects.get(file),
        counters: this.#countersOf(siteTemplate),
      }
      return inferTemplate(
        template,
        around,
        outsideOf(this.#site, siteTemplate, this.#parametersIn(pass, siteTemplate)),
      )
    }
    return this.#memo.query({
      name: `infer ${pass}`,
      key,
      // Facts refer to nodes, so they are only valid for the same tree.
      inputs: () => [template, this.#stampOf(pass, siteTemplate)],
      sources: NO_SOURCES,
      codec: null,
      make,
    })
  }

  #parametersIn(pass: Pass, siteTemplate: SiteTemplate): ReadonlyMap<string, Type> | null {
    return pass === 'up' ? null : this.#parametersOf(siteTemplate)
  }

  #callEffectsIn(pass: Pass, { key }: SiteTemplate): Surroundings['callEffects'] {
    if (pass === 'down') return this.#callEffectsOf
    const place = this.#graph.places.get(key) ?? 0
    // In a cycle, the results of templates that come later in the order are unknown.
    return (file) => ((this.#graph.places.get(file) ?? place) < place ? this.#callEffectsOf(file) : undefined)
  }

  #countersOf({ key, outline }: SiteTemplate): ReadonlySet<string> {
    return this.#linked.effects.get(key)?.counters ?? outline.counters
  }

  /** Returns a stamp of everything that an inference depends on. */
  #stampOf(pass: Pass, siteTemplate: SiteTemplate): string {
    const { key, unit } = siteTemplate
    const make = () => `${unitStamp(unit, this.#site.config)} ${digest(this.#inputsOf(pass, siteTemplate).join('\n'))}`
    return getOrMake(this.#stamps, `${pass} ${key}`, make)
  }

  /** Returns everything that an inference depends on, apart from the file of the template. */
  #inputsOf(pass: Pass, siteTemplate: SiteTemplate): readonly unknown[] {
    const { unit, outline } = siteTemplate
    const { dialect, raise, openEntries, strictVariables, partials, layoutParts } = this.#site
    const parameters = this.#parametersIn(pass, siteTemplate)
    const callEffects = this.#callEffectsIn(pass, siteTemplate)
    const inputs: unknown[] = [dialect, raise, openEntries, strictVariables, layoutParts.has(unit)]
    inputs.push(languageStamp(this.#language), parameters && typesKey(parameters), ...this.#countersOf(siteTemplate))
    for (const { literal, kind } of outline.calls) {
      const file = literal === null ? undefined : partials.get(literal)?.file.path
      if (file === undefined) continue
      const included = kind === 'include' ? this.#linked.effects.get(file) : undefined
      inputs.push(file, keyOf(callEffects(file)))
      if (included) inputs.push(included.spills, included.recursive, ...included.frameWrites)
    }
    return [...inputs, ...usedOperationStamps(this.#operations, siteTemplate)]
  }
}

/** Returns what a call does as a text. Equal effects give the same text. */
function keyOf(effects: CallEffects | undefined): string {
  return effects === undefined ? '' : [typeKey(effects.result), effects.mayMutate, effects.mayLeave].join(' ')
}

const NO_PARAMETERS: ReadonlyMap<string, Type> = new Map()

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

// ---- stamps of queries ---------------------------------------------------------------------------------------------

/** Returns the stamps of the queries that a template runs. If one is unknown, any stored query may be meant, so that all are returned. */
function usedOperationStamps(
  { storedOperations, inline, data }: Operations,
  { outline }: SiteTemplate,
): readonly (string | null)[] {
  const stampOf = (operation: Operation | undefined) =>
    operation === undefined ? null : operationStamp(operation, data)
  const hasUnknown = outline.queries.some(
    (query) => query.kind === 'stored' && !storedOperations.has(query.literal ?? ''),
  )
  const used = outline.queries.map((query) =>
    stampOf(query.kind === 'stored' ? storedOperations.get(query.literal ?? '') : inline.get(inlineKey(query.span))),
  )
  const all = [...storedOperations].flatMap(([name, operation]) => [name, stampOf(operation)])
  return hasUnknown ? [...used, ...all] : used
}
