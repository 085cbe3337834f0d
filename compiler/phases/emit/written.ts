/** What the templates of a site are written with, and what writing them has given. */
import type { Unit } from '../../core/model/unit.ts'
import { type ValueType, valueTypeKey } from '../../core/model/value-type.ts'
import type { EmitContext } from './context.ts'
import type { EmittedUnit } from './emit.ts'

/** Values that are handed over one by one, by the keys of faces. */
export type Handed = ReadonlyMap<string, readonly ValueType[]>

/** What writing all templates of a site has given, by their files. */
export interface Written {
  readonly context: EmitContext
  /** Without what callers hand over. */
  readonly first: ReadonlyMap<string, EmittedUnit>
  readonly emitted: ReadonlyMap<string, EmittedUnit>
  /** What all callers together hand over, by the keys of faces. */
  readonly handed: Handed
  /** Files that each calls by a literal name. */
  readonly targets: ReadonlyMap<string, readonly string[]>
  /** The other way round: files that call each by a literal name. */
  readonly callers: ReadonlyMap<string, readonly string[]>
  readonly facts: ReadonlyMap<string, readonly unknown[]>
  /** Files that something calls which is written before them. */
  readonly inCircles: ReadonlySet<string>
  /** Stands for how the templates are called. */
  readonly called: object
}

/** Writes the templates of one site. */
export interface Writer {
  readonly context: EmitContext
  /** Files that a template calls by a literal name. */
  targetsOf(unit: Unit): readonly Unit[]
  /** What is known of it that its code goes by, compared by identity. */
  factsOf(unit: Unit): readonly unknown[]
  write(pass: string, unit: Unit, handed: Handed, before: EmittedUnit | null): EmittedUnit
  /** With what its callers hand over, where that is known. */
  writeAgain(unit: Unit, first: EmittedUnit, handed: Handed): EmittedUnit
}

export const NOTHING_HANDED: Handed = new Map()

/** Files behind all that they call by a literal name. */
export function calleesFirst({ site, facts }: EmitContext): readonly Unit[] {
  const units = [...facts.order].reverse().flatMap((key) => site.byFile.get(key.split('#')[0] ?? '') ?? [])
  const last = new Map(units.map((unit, at) => [unit, at]))
  const order = units.filter((unit, at) => last.get(unit) === at)
  return [...order, ...site.units.filter((unit) => !last.has(unit))]
}

export function tell({ signatures }: EmitContext, path: string, made: EmittedUnit | undefined): void {
  for (const [face, signature] of made?.faces ?? []) signatures.tell(path, face, signature)
}

export function handedKey(handed: Handed): string {
  if (handed.size === 0) return ''
  return [...handed].map(([key, types]) => `${key}: ${types.map(valueTypeKey).join(', ')}`).join('\n')
}
