/**
 * Emits the modules of all templates. A template is emitted after the templates that it calls, so that their signatures are known.
 * Templates with only known callers are then emitted again, with the types that their callers pass.
 */
import type { EntryPoint } from '../../core/model/effects.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Module } from '../../core/model/module.ts'
import type { Steps } from '../../core/model/steps.ts'
import type { Unit } from '../../core/model/unit.ts'
import { joinValues, type ValueType } from '../../core/model/value-type.ts'
import type { EmitContext } from './context.ts'
import { type Coverage, CoverageCounter } from './coverage.ts'
import type { templatesAfterEdits } from './edited-templates.ts'
import { type EmittedUnit, emitKey, emitUnit } from './emit.ts'
import { type PartialSignature, entryPointKey, signatureKey } from './signatures.ts'
import {
  calleesFirst,
  type PassedTypes,
  passedTypesKey,
  NO_PASSED_TYPES,
  recordSignatures,
  type Writer,
  type EmitResult,
} from './emit-result.ts'

export interface EmittedTemplates {
  readonly modules: readonly Module[]
  /** Stays the same object as long as the calls of all templates stay the same. */
  readonly callState: object
  readonly coverage: () => Coverage
}

/** The parts of the emitter that a compiler can leave out. */
export interface EmitFeatures {
  /** Null if all templates are emitted each time. */
  readonly incremental: { readonly templatesAfterEdits: typeof templatesAfterEdits } | null
}

/** Emits the templates of a site. `memo` keeps the code of templates that stay the same. */
export function* emitSteps(context: EmitContext, { incremental }: EmitFeatures, memo: Memo): Steps<EmittedTemplates> {
  const last = memo.once('written templates', '', [], (): { written: EmitResult | null } => ({ written: null }))
  const writer = new TemplateWriter(context, memo)
  const result = (last.written && incremental?.templatesAfterEdits(last.written, writer)) ?? (yield* writer.all())
  last.written = result
  const modules: Module[] = []
  for (const { file } of context.site.units) {
    const module = result.emitted.get(file.path)?.module ?? null
    if (module !== null) modules.push(module)
  }
  return { modules, callState: result.callState, coverage: coverageOf(result.emitted) }
}

/** Returns a function that counts on request. This is a separate function, so that the closure keeps only the emitted units alive. */
function coverageOf(emitted: EmitResult['emitted']): () => Coverage {
  return () => {
    const counter = new CoverageCounter()
    for (const each of emitted.values()) counter.add(each.coverage)
    return counter.coverage
  }
}

class TemplateWriter implements Writer {
  readonly context: EmitContext
  readonly #memo: Memo
  readonly #targets = new Map<Unit, readonly Unit[]>()
  readonly #facts = new Map<Unit, readonly unknown[]>()

  constructor(context: EmitContext, memo: Memo) {
    this.context = context
    this.#memo = memo
  }

  *all(): Steps<EmitResult> {
    const context = this.context
    const { signatures } = context
    const emitted = new Map<Unit, EmittedUnit>()
    const order = calleesFirst(context)
    const inCycles = new Set<string>()
    for (const unit of order) {
      for (const { file } of this.targetsOf(unit).filter((target) => !emitted.has(target))) {
        signatures.markOpen(file.path)
        inCycles.add(file.path)
      }
      const result = this.write('emit', unit, NO_PASSED_TYPES, null)
      emitted.set(unit, result)
      recordSignatures(context, unit.file.path, result)
      yield { doing: 'Compiling', share: { doneCount: emitted.size, total: order.length, things: 'file' } }
    }
    const firstPass = new Map(emitted)
    const passedTypes = new Map<string, readonly ValueType[]>()
    for (const unit of [...order].reverse()) {
      const before = firstPass.get(unit)
      if (before === undefined) continue
      const result = this.writeAgain(unit, before, passedTypes)
      emitted.set(unit, result)
      recordSignatures(context, unit.file.path, result)
      for (const [key, types] of result.passedTypes) {
        const known = passedTypes.get(key)
        passedTypes.set(
          key,
          types.map((type, at) => joinValues(type, known?.[at] ?? type)),
        )
      }
      yield
    }
    const targets = new Map(order.map((unit) => [unit.file.path, this.targetsOf(unit).map(({ file }) => file.path)]))
    return {
      context,
      firstPass: keyedByPath(firstPass),
      emitted: keyedByPath(emitted),
      passedTypes,
      targets,
      callers: reverseEdges(targets),
      facts: keyedByPath(new Map(order.map((unit) => [unit, this.factsOf(unit)]))),
      inCycles,
      callState: {},
    }
  }

  targetsOf(unit: Unit): readonly Unit[] {
    let known = this.#targets.get(unit)
    if (known === undefined) this.#targets.set(unit, (known = targetsOf(this.context, unit)))
    return known
  }

  /** Returns the facts of a template, which do not change while templates are emitted. */
  factsOf(unit: Unit): readonly unknown[] {
    let known = this.#facts.get(unit)
    if (known === undefined) this.#facts.set(unit, (known = factsOf(this.context, unit)))
    return known
  }

  write(pass: string, unit: Unit, passedTypes: PassedTypes, before: EmittedUnit | null): EmittedUnit {
    const context = this.context
    const make = () => emitUnit(context, unit, passedTypes, before)
    const { path } = unit.file
    if (this.#memo === NO_MEMO) return make()
    const { facts, site, resumes } = context
    const key = this.#memo.once('emit key', path, [unit, facts.linkedEffects, site.raise, resumes], () =>
      emitKey(context, unit),
    )
    // A template that was parsed again has new facts.
    const callees = calleesKey(context, unit, this.targetsOf(unit))
    return this.#memo.once(pass, path, [unit, key, callees, passedTypesKey(passedTypes), ...this.factsOf(unit)], make)
  }

  /**
   * Emits a template with the types that its callers pass, if they are known. The callers are already emitted, so the parameters that their
   * calls use must not change.
   */
  writeAgain(unit: Unit, firstPass: EmittedUnit, passedTypes: PassedTypes): EmittedUnit {
    const ownTypes = passedTypesTo(this.context, unit, passedTypes)
    if (ownTypes.size === 0) return firstPass
    const result = this.write('emit again', unit, ownTypes, firstPass)
    return haveSameParameters(firstPass.entryPoints, result.entryPoints) ? result : firstPass
  }
}

function keyedByPath<Value>(units: ReadonlyMap<Unit, Value>): ReadonlyMap<string, Value> {
  return new Map([...units].map(([{ file }, value]) => [file.path, value]))
}

function reverseEdges(lists: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const callers = new Map<string, string[]>()
  for (const [from, list] of lists) {
    for (const to of list) {
      const knownNames = callers.get(to)
      if (knownNames === undefined) callers.set(to, [from])
      else knownNames.push(from)
    }
  }
  return callers
}

function keysOf({ file, inner }: Unit): readonly string[] {
  return [file.path, ...[...inner.keys()].map((each) => `${file.path}#${each}`)]
}

function targetsOf({ outlines, site }: EmitContext, unit: Unit): readonly Unit[] {
  const calls = keysOf(unit).flatMap((key) => outlines.get(key)?.calls ?? [])
  return calls.flatMap(({ literal }) => site.partials.get(literal ?? '') ?? [])
}

/** Returns the signatures of the called functions, and whether the template's own functions take an object, as one text. */
function calleesKey({ signatures }: EmitContext, unit: Unit, targets: readonly Unit[]): string {
  let key = String(signatures.isOpen(unit.file.path))
  for (const { file } of targets)
    for (const entryPoint of ENTRY_POINTS) key += `\n${signatureKey(signatures.of(file.path, entryPoint))}`
  return key
}

const ENTRY_POINTS: readonly EntryPoint[] = ['render', 'value']

function factsOf({ facts }: EmitContext, unit: Unit): readonly unknown[] {
  return keysOf(unit).flatMap((key) => [facts.alone.get(key), [...(facts.givenNames.get(key) ?? ['*'])].join(' ')])
}

/** Returns the types that all callers pass to the entry points of a template; empty if there are unknown callers. */
function passedTypesTo({ facts }: EmitContext, { file }: Unit, passedTypes: PassedTypes): PassedTypes {
  if ((facts.givenNames.get(file.path) ?? null) === null) return NO_PASSED_TYPES
  const own = ENTRY_POINTS.flatMap((entryPoint) => {
    const key = entryPointKey(file.path, entryPoint)
    const types = passedTypes.get(key)
    return types?.some(({ kind }) => kind !== 'unknown') === true ? [[key, types] as const] : []
  })
  return new Map(own)
}

function haveSameParameters(
  before: ReadonlyMap<EntryPoint, PartialSignature> | undefined,
  after: ReadonlyMap<EntryPoint, PartialSignature>,
): boolean {
  return [...after].every(([entryPoint, { parameters }]) => {
    const known = before?.get(entryPoint)?.parameters ?? null
    if (known === null || parameters === null) return known === parameters
    return known.length === parameters.length && known.every(({ name }, at) => parameters[at]?.name === name)
  })
}
