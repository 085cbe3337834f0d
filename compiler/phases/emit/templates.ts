/**
 * Emits the modules of all templates. A template is emitted after the templates that it calls, so that their signatures are known.
 * Templates with only known callers are then emitted again, with the types that their callers pass.
 */
import type { EntryPoint } from '../../core/model/effects.ts'
import { plain } from '../../core/model/codec.ts'
import { areSame, type Memo, NO_SOURCES } from '../../core/model/memo.ts'
import type { Module } from '../../core/model/module.ts'
import { digest } from '../../core/model/digest.ts'
import { unitStamp } from '../../core/model/stamps.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { Unit } from '../../core/model/unit.ts'
import { joinValues, UNKNOWN_VALUE, type ValueType, valueTypeKey } from '../../core/model/value-type.ts'
import type { EmitContext, SiteContext } from './context.ts'
import { type Coverage, CoverageCounter } from './coverage.ts'
import { type EmittedUnit, emitKey, emitUnit, keysOf } from './emit.ts'
import { entryPointKey, signatureKey, signaturesOf } from './signatures.ts'

export interface EmittedTemplates {
  readonly context: EmitContext
  readonly modules: readonly Module[]
  /** Stays the same object as long as the calls of all templates stay the same. */
  readonly callState: object
  readonly coverage: () => Coverage
}

/** The types of values that are passed as separate arguments, by entry point key. */
type PassedTypes = ReadonlyMap<string, readonly ValueType[]>

const NO_PASSED_TYPES: PassedTypes = new Map()

/** Entry points that can take separate arguments. */
const ENTRY_POINTS: readonly EntryPoint[] = ['render', 'value']

/** The templates of a site in the order in which they are emitted, and their calls by literal names. By file. */
interface CallOrder {
  /** Callees come before their callers. */
  readonly paths: readonly string[]
  readonly targets: ReadonlyMap<string, readonly string[]>
  readonly callers: ReadonlyMap<string, readonly string[]>
  /** Files with a caller that comes before them, because of a cycle of calls. */
  readonly inCycles: ReadonlySet<string>
}

/** The emitted templates of a site. */
interface Emission {
  readonly context: EmitContext
  readonly order: CallOrder
  /** The results of the first pass, which does not know the types that callers pass. By file. */
  readonly firstPass: ReadonlyMap<string, EmittedUnit>
  readonly emitted: ReadonlyMap<string, EmittedUnit>
  /** Everything that callers of a file depend on, as a text. By file. */
  readonly callerKeys: ReadonlyMap<string, string>
  readonly callState: object
}

/** Emits the templates of a site. After an edit, only the changed templates and those that see the change are emitted again. */
export function* emitSteps(site: SiteContext, memo: Memo): Steps<EmittedTemplates> {
  const last = memo.once('emission', '', [], (): { emission: Emission | null } => ({ emission: null }))
  const emission = yield* new TemplateEmitter(site, memo, last.emission).steps()
  const { context } = emission
  last.emission = emission
  const modules = context.site.units.flatMap(({ file }) => emission.emitted.get(file.path)?.module ?? [])
  return { context, modules, callState: emission.callState, coverage: coverageOf(emission.emitted) }
}

/** Returns a function that counts on request. This is a separate function, so that the closure keeps only the emitted units alive. */
function coverageOf(emitted: Emission['emitted']): () => Coverage {
  return () => {
    const counter = new CoverageCounter()
    for (const each of emitted.values()) counter.add(each.coverage)
    return counter.coverage
  }
}

class TemplateEmitter {
  readonly #context: EmitContext
  readonly #memo: Memo
  /** The emission before an edit of templates; null if there is none, or if something else has changed, too. */
  readonly #previous: Emission | null
  readonly #order: CallOrder
  readonly #stamps = new Map<string, string>()
  readonly #firstPass: Map<string, EmittedUnit>
  readonly #emitted: Map<string, EmittedUnit>
  readonly #callerKeys: Map<string, string>

  constructor(site: SiteContext, memo: Memo, last: Emission | null) {
    const previous = last !== null && hasSameSurroundings(last.context, site) ? last : null
    this.#memo = memo
    this.#previous = previous
    this.#order = previous?.order ?? callOrder(site)
    this.#firstPass = new Map(previous?.firstPass)
    this.#emitted = new Map(previous?.emitted)
    this.#callerKeys = new Map(previous?.callerKeys)
    this.#context = { ...site, signatures: signaturesOf(this.#firstPass, this.#order.inCycles) }
  }

  *steps(): Steps<Emission> {
    const dirty = this.#changedFiles()
    const again = new Set<string>()
    let callState = this.#previous?.callState ?? {}
    for (const path of this.#order.paths) {
      const unit = dirty.has(path) ? this.#context.site.byFile.get(path) : undefined
      if (unit === undefined) continue
      const result = this.#emit('emit', unit, NO_PASSED_TYPES)
      this.#firstPass.set(path, result)
      again.add(path)
      const callerKey = this.#callerKeyOf(path, result)
      if (this.#previous !== null && callerKey !== this.#callerKeys.get(path)) {
        callState = {}
        for (const caller of this.#order.callers.get(path) ?? []) dirty.add(caller)
      }
      this.#callerKeys.set(path, callerKey)
      yield { doing: 'Compiling', share: { doneCount: again.size, total: dirty.size, things: 'file' } }
    }
    for (const path of this.#order.paths.toReversed()) {
      const [unit, firstPass] = [this.#context.site.byFile.get(path), this.#firstPass.get(path)]
      if (unit === undefined || firstPass === undefined || !again.has(path)) continue
      const result = this.#emitAgain(unit, firstPass)
      const before = this.#emitted.get(path)?.passedTypes ?? NO_PASSED_TYPES
      if (passedTypesKey(before) !== passedTypesKey(result.passedTypes))
        for (const target of this.#order.targets.get(path) ?? []) again.add(target)
      this.#emitted.set(path, result)
      yield
    }
    return {
      context: this.#context,
      order: this.#order,
      firstPass: this.#firstPass,
      emitted: this.#emitted,
      callerKeys: this.#callerKeys,
      callState,
    }
  }

  /** Returns the files with a change that their code depends on, apart from changes of the templates that they call. */
  #changedFiles(): Set<string> {
    if (this.#previous === null) return new Set(this.#order.paths)
    const { context: before } = this.#previous
    const { site, effects } = this.#context
    const changed = new Set<string>()
    for (const [path, unit] of site.byFile)
      if (before.site.byFile.get(path) !== unit || before.site.formSchemas.get(path) !== site.formSchemas.get(path))
        changed.add(path)
    for (const [key, own] of before.effects === effects ? [] : effects) {
      if (before.effects.get(key) === own) continue
      const [path = ''] = key.split('#')
      for (const each of [path, ...(this.#order.callers.get(path) ?? [])]) changed.add(each)
    }
    return changed
  }

  /**
   * Emits a template with the types that its callers pass, if they are known. The callers are already emitted, so the parameters that their
   * calls use must not change.
   */
  #emitAgain(unit: Unit, firstPass: EmittedUnit): EmittedUnit {
    const passedTypes = this.#passedTypesTo(unit)
    if (passedTypes.size === 0) return firstPass
    const result = this.#emit('emit again', unit, passedTypes)
    return haveSameParameters(firstPass, result) ? result : firstPass
  }

  /** Returns the types that all callers pass to the entry points of a template; empty if there are unknown callers. */
  #passedTypesTo({ file: { path } }: Unit): PassedTypes {
    if ((this.#context.facts.givenNames.get(path) ?? null) === null) return NO_PASSED_TYPES
    const passedTypes = new Map<string, readonly ValueType[]>()
    for (const key of ENTRY_POINTS.map((entryPoint) => entryPointKey(path, entryPoint))) {
      const lists = (this.#order.callers.get(path) ?? []).flatMap((caller) => {
        const types = this.#emitted.get(caller)?.passedTypes.get(key)
        return types === undefined ? [] : [types]
      })
      const joined = lists[0]?.map((_, at) => lists.map((types) => types[at] ?? UNKNOWN_VALUE).reduce(joinValues))
      if (joined?.some(({ kind }) => kind !== 'unknown') === true) passedTypes.set(key, joined)
    }
    return passedTypes
  }

  #emit(pass: string, unit: Unit, passedTypes: PassedTypes): EmittedUnit {
    return this.#memo.query({
      name: pass,
      key: unit.file.path,
      inputs: () => [this.#stampOf(unit), passedTypesKey(passedTypes)],
      sources: NO_SOURCES,
      codec: plain<EmittedUnit>,
      make: () => emitUnit(this.#context, unit, passedTypes),
    })
  }

  /** Returns a stamp of everything that the code of a template depends on, apart from the types that callers pass. */
  #stampOf(unit: Unit): string {
    const { site, facts, signatures } = this.#context
    const { path } = unit.file
    let known = this.#stamps.get(path)
    if (known === undefined) {
      const parts = [emitKey(this.#context, unit), signatures.isOpen(path)]
      for (const target of this.#order.targets.get(path) ?? [])
        for (const entryPoint of ENTRY_POINTS) parts.push(signatureKey(signatures.of(target, entryPoint)))
      for (const key of keysOf(unit))
        parts.push(facts.alone.stamp(key), [...(facts.givenNames.get(key) ?? ['*'])].join(' '))
      this.#stamps.set(path, (known = `${unitStamp(unit, site.config)} ${digest(parts.join('\n'))}`))
    }
    return known
  }

  #callerKeyOf(path: string, { entryPoints }: EmittedUnit): string {
    const keys = [...entryPoints].map(([entryPoint, signature]) => `${entryPoint} ${signatureKey(signature)}`)
    return [...keys, this.#context.facts.callEffectsKey(path)].join('\n')
  }
}

/** Returns whether everything that emitted code depends on is the same, apart from the texts and the effects of templates. */
function hasSameSurroundings(before: SiteContext, now: SiteContext): boolean {
  if (before.facts.linkedEffects.sharedEffects !== now.facts.linkedEffects.sharedEffects) return false
  if (before.resumes !== now.resumes || before.printAs !== now.printAs) return false
  if (before.site.structureVersion === now.site.structureVersion) return true
  const layoutPaths = ({ site }: SiteContext) => [...site.layoutParts].map(({ file }) => file.path)
  return (
    before.site.config === now.site.config &&
    before.site.raise === now.site.raise &&
    before.entryPointName === now.entryPointName &&
    areSame([...before.operations.storedOperations].flat(), [...now.operations.storedOperations].flat()) &&
    areSame(layoutPaths(before), layoutPaths(now))
  )
}

function callOrder(context: SiteContext): CallOrder {
  const { site, facts } = context
  const ordered = facts.order.toReversed().flatMap((key) => site.byFile.get(key.split('#')[0] ?? '')?.file.path ?? [])
  const last = new Map(ordered.map((path, at) => [path, at]))
  const rest = site.units.flatMap(({ file: { path } }) => (last.has(path) ? [] : [path]))
  const paths = [...ordered.filter((path, at) => last.get(path) === at), ...rest]
  const targets = new Map<string, readonly string[]>()
  const callers = new Map<string, string[]>()
  const inCycles = new Set<string>()
  for (const path of paths) {
    const calls = targetsOf(context, path)
    for (const target of calls) {
      if (!targets.has(target)) inCycles.add(target)
      const known = callers.get(target)
      if (known === undefined) callers.set(target, [path])
      else if (known.at(-1) !== path) known.push(path)
    }
    targets.set(path, calls)
  }
  return { paths, targets, callers, inCycles }
}

/** Returns the files that a file calls by a literal name. */
function targetsOf({ outlines, site }: SiteContext, path: string): readonly string[] {
  const unit = site.byFile.get(path)
  const calls = unit === undefined ? [] : keysOf(unit).flatMap((key) => outlines.get(key)?.calls ?? [])
  return calls.flatMap(({ literal }) => site.partials.get(literal ?? '')?.file.path ?? [])
}

function passedTypesKey(passedTypes: PassedTypes): string {
  if (passedTypes.size === 0) return ''
  return [...passedTypes].map(([key, types]) => `${key}: ${types.map(valueTypeKey).join(', ')}`).join('\n')
}

function haveSameParameters(before: EmittedUnit, after: EmittedUnit): boolean {
  const names = ({ entryPoints }: EmittedUnit) =>
    JSON.stringify(
      [...entryPoints].map(([entryPoint, { parameters }]) => [entryPoint, parameters?.map(({ name }) => name)]),
    )
  return names(before) === names(after)
}
