/**
 * Records how a function uses its variables, while it is emitted for the first time: where each is set first, its values, and whether it is
 * read as a whole or by its fields. The second pass uses this information.
 */
import {
  joinValues,
  PLAIN_VALUE,
  TEXT_VALUE,
  UNKNOWN_VALUE,
  type ValueType,
  declaredType,
} from '../../../core/model/value-type.ts'
import { type Blocks, NameUses } from '../../../language/types/name-uses.ts'

export interface VariableUse {
  /** The joined type of all assigned values; null if nothing sets the variable. */
  readonly type: ValueType | null
  /** Whether the variable is set before it is read, and not used after the block in which it is first set. */
  readonly begins: boolean
  /** Whether the variable is set exactly once. */
  readonly isSetOnce: boolean
  /** The number of reads of one of the variable's fields, and the number of all other reads. */
  readonly fieldReads: number
  readonly wholeReads: number
}

/** The known uses of the variables while a function is emitted. */
export interface KnownUses {
  of(name: string): VariableUse | undefined
}

export class VariableUses implements KnownUses {
  readonly #uses: NameUses<ValueType>
  /** The known types of variables before the function sets them. */
  readonly #initialTypes: Map<string, ValueType>
  #resolvedTypes: ReadonlyMap<string, ValueType> | null = null

  constructor(uses = new NameUses<ValueType>(), initialTypes = new Map<string, ValueType>()) {
    this.#uses = uses
    this.#initialTypes = initialTypes
  }

  /** Returns a copy of the uses, with these types for the values that callers pass. */
  withParameters(parameters: ReadonlyMap<string, ValueType>): VariableUses {
    return new VariableUses(this.#uses, new Map([...this.#initialTypes, ...parameters]))
  }

  /** Records an assignment of a value with this type. */
  set(name: string, type: ValueType, blocks: Blocks): void {
    this.#uses.set(name, declaredType(type), blocks)
  }

  /** Records a read. `field`: only one of the fields of the variable is read. */
  read(name: string, blocks: Blocks, field: boolean): void {
    this.#uses.read(name, blocks, field)
  }

  /** Records the type of a variable that may be read before the function sets it. */
  setInitialType(name: string, type: ValueType): void {
    this.#initialTypes.set(name, type)
  }

  get names(): Iterable<string> {
    return this.#uses.names
  }

  of(name: string): VariableUse | undefined {
    const known = this.#uses.get(name)
    if (known === undefined) return undefined
    const { begins, values, fieldReads, wholeReads } = known
    this.#resolvedTypes ??= this.#resolveTypes()
    const type = this.#resolvedTypes.get(name) ?? (values.length === 0 ? null : UNKNOWN_VALUE)
    return { type, begins, isSetOnce: values.length === 1, fieldReads, wholeReads }
  }

  /** Returns the types of all variables that are set. Types that depend on each other are joined until none of them changes. */
  #resolveTypes(): ReadonlyMap<string, ValueType> {
    const types = new Map<string, ValueType>()
    const typeOf = (name: string): ValueType | undefined => {
      const initial =
        this.#uses.get(name)?.begins === true ? undefined : (this.#initialTypes.get(name) ?? UNKNOWN_VALUE)
      const assigned = types.get(name)
      return initial === undefined || assigned === undefined ? (initial ?? assigned) : joinValues(initial, assigned)
    }
    for (let isStable = false; !isStable; ) {
      isStable = true
      for (const name of this.#uses.names) {
        for (const assigned of this.#uses.get(name)?.values ?? []) {
          const type = resolveType(assigned, typeOf)
          if (type === undefined) continue
          const known = types.get(name)
          const next = known === undefined ? type : joinValues(known, type)
          if (known !== undefined && isSameDeclaration(known, next)) continue
          types.set(name, next)
          isStable = false
        }
      }
    }
    return types
  }
}

/** Returns the type after variables are replaced by their types; undefined as long as nothing is known about one of the variables. */
function resolveType(type: ValueType, typeOf: (name: string) => ValueType | undefined): ValueType | undefined {
  if (type.kind === 'variable') return typeOf(type.name)
  if (type.kind !== 'text' || type.through === undefined) return type
  return type.through.every((name) => isPlain(typeOf(name))) ? PLAIN_VALUE : TEXT_VALUE
}

/** Returns whether a value of the type prints no markup. A type that is not known yet counts as free of markup. */
function isPlain(type: ValueType | undefined): boolean {
  if (type === undefined) return true
  if (type.kind === 'text') return !type.markup
  return type.kind === 'count' || type.kind === 'integer' || type.kind === 'number' || type.kind === 'boolean'
}

/** Returns whether variables of both types are declared and read in the same way. */
export function isSameDeclaration(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'optional' && b.kind === 'optional') return isSameDeclaration(a.inner, b.inner)
  return a.kind === b.kind && (a.kind !== 'text' || b.kind !== 'text' || a.markup === b.markup)
}

/** Marks the first pass over a function, which only records how it uses its variables. */
export const NO_USES: KnownUses = { of: () => undefined }
