/** The interfaces for emitting all templates of a site, and the result. */
import type { Unit } from '../../core/model/unit.ts'
import { type ValueType, valueTypeKey } from '../../core/model/value-type.ts'
import type { EmitContext } from './context.ts'
import type { EmittedUnit } from './emit.ts'

/** The types of values that are passed as separate arguments, by entry point key. */
export type PassedTypes = ReadonlyMap<string, readonly ValueType[]>

/** The result of emitting all templates of a site, by file. */
export interface EmitResult {
  readonly context: EmitContext
  /** The results of the first pass, which does not know the types that callers pass. */
  readonly firstPass: ReadonlyMap<string, EmittedUnit>
  readonly emitted: ReadonlyMap<string, EmittedUnit>
  /** The types that all callers pass, by entry point key. */
  readonly passedTypes: PassedTypes
  /** The files that each file calls by a literal name. */
  readonly targets: ReadonlyMap<string, readonly string[]>
  /** For each file, the files that call it by a literal name. */
  readonly callers: ReadonlyMap<string, readonly string[]>
  readonly facts: ReadonlyMap<string, readonly unknown[]>
  /** Files with a caller that is emitted before them. */
  readonly inCycles: ReadonlySet<string>
  /** Stays the same object as long as the calls of all templates stay the same. */
  readonly callState: object
}

/** Emits the templates of one site. */
export interface Writer {
  readonly context: EmitContext
  /** Returns the files that a template calls by a literal name. */
  targetsOf(unit: Unit): readonly Unit[]
  /** Returns the facts that the code of a template depends on, compared by identity. */
  factsOf(unit: Unit): readonly unknown[]
  write(pass: string, unit: Unit, passedTypes: PassedTypes, before: EmittedUnit | null): EmittedUnit
  /** Emits a template with the types that its callers pass, if they are known. */
  writeAgain(unit: Unit, firstPass: EmittedUnit, passedTypes: PassedTypes): EmittedUnit
}

export const NO_PASSED_TYPES: PassedTypes = new Map()

/** Returns the files in an order in which callees come before their callers by a literal name. */
export function calleesFirst({ site, facts }: EmitContext): readonly Unit[] {
  const units = [...facts.order].reverse().flatMap((key) => site.byFile.get(key.split('#')[0] ?? '') ?? [])
  const last = new Map(units.map((unit, at) => [unit, at]))
  const order = units.filter((unit, at) => last.get(unit) === at)
  return [...order, ...site.units.filter((unit) => !last.has(unit))]
}

export function recordSignatures({ signatures }: EmitContext, path: string, emitted: EmittedUnit | undefined): void {
  for (const [entryPoint, signature] of emitted?.entryPoints ?? []) signatures.set(path, entryPoint, signature)
}

export function passedTypesKey(passedTypes: PassedTypes): string {
  if (passedTypes.size === 0) return ''
  return [...passedTypes].map(([key, types]) => `${key}: ${types.map(valueTypeKey).join(', ')}`).join('\n')
}
