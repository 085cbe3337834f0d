/**
 * How a function uses its variables: where each is set first, the types of its values, and whether it is read as a whole or by its fields.
 * The emitter needs this before it has seen the whole function, so the uses are first predicted. They are recorded while the function is
 * emitted. If they differ, it is emitted again with the recorded ones.
 */
import type { AssignedForm, NameUse, Outline } from '../../../core/model/outline.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { declaredType, joinValues, PLAIN_VALUE, UNKNOWN_VALUE, type ValueType } from '../../../core/model/value-type.ts'
import { getOrMake } from '../../../core/source/maps.ts'
import { type Blocks, NameUses } from '../../../language/types/name-uses.ts'
import { JOINING_FILTERS } from '../value-rules.ts'
import { literalValue, resultValue } from '../value-types.ts'

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

/** The uses of variables that are assumed while a function is emitted. */
export interface AssumedUses {
  of(name: string): VariableUse | undefined
}

function useOf({ begins, values, fieldReads, wholeReads }: NameUse<ValueType>): VariableUse {
  const type = values.length === 0 ? null : values.reduce(joinValues)
  return { type, begins, isSetOnce: values.length === 1, fieldReads, wholeReads }
}

/** Records the uses while a function is emitted. */
export class VariableUses implements AssumedUses {
  readonly #uses = new NameUses<ValueType>()

  /** Records an assignment of a value with this type. */
  set(name: string, type: ValueType, blocks: Blocks): void {
    this.#uses.set(name, declaredType(type), blocks)
  }

  /** Records a read. `field`: only one of the fields of the variable is read. */
  read(name: string, blocks: Blocks, field: boolean): void {
    this.#uses.read(name, blocks, field)
  }

  of(name: string): VariableUse | undefined {
    const known = this.#uses.get(name)
    return known && useOf(known)
  }

  /**
   * Returns whether these uses are those that were assumed, so that the emitted function is correct.
   * @param isConstant whether a variable that is declared where it is set, and set once, becomes a constant
   */
  areAssumed(assumed: AssumedUses, isConstant: (name: string) => boolean): boolean {
    for (const name of this.#uses.names) {
      const use = this.of(name)
      const other = assumed.of(name)
      if (use === undefined || other === undefined || !isSameUse(use, other)) return false
      // A constant has the type of its value.
      if (!isSameType(use, other) && !(use.begins && use.isSetOnce && isConstant(name))) return false
    }
    return true
  }

  /** Returns these uses with unknown types. They are correct for every function that uses its variables in this way. */
  withoutTypes(): AssumedUses {
    return {
      of: (name) => {
        const use = this.of(name)
        return use && { ...use, type: use.type && UNKNOWN_VALUE }
      },
    }
  }
}

/** Returns whether two uses lead to the same form of the variable and the same reads. */
function isSameUse(a: VariableUse, b: VariableUse): boolean {
  if (a.begins !== b.begins || a.isSetOnce !== b.isSetOnce) return false
  return Math.min(a.fieldReads, 2) === Math.min(b.fieldReads, 2) && a.wholeReads > 0 === b.wholeReads > 0
}

function isSameType({ type: a }: VariableUse, { type: b }: VariableUse): boolean {
  return a === null || b === null ? a === b : isSameDeclaration(a, b)
}

/** Returns whether variables of both types are declared and read in the same way. */
function isSameDeclaration(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'optional' && b.kind === 'optional') return isSameDeclaration(a.inner, b.inner)
  return a.kind === b.kind && (a.kind !== 'text' || b.kind !== 'text' || a.markup === b.markup)
}

type Filters = ReadonlyMap<string, FilterSignature>

/** Predicts the uses from the outline of a template. */
export function predictedUses({ uses }: Outline, filters: Filters): AssumedUses {
  const known = new Map<string, VariableUse>()
  return {
    of(name) {
      const use = uses.get(name)
      return (
        use && getOrMake(known, name, () => useOf({ ...use, values: use.values.map((each) => typeOf(each, filters)) }))
      )
    },
  }
}

/** Returns the type of an assigned value, if its last filter or a literal determines it. */
function typeOf(form: AssignedForm, filters: Filters): ValueType {
  if (form === null) return UNKNOWN_VALUE
  if ('literal' in form) return literalValue(form.literal)
  const signature = filters.get(form.filter)
  if (signature === undefined) return UNKNOWN_VALUE
  // Joined texts contain no markup if their parts contain none, which may be texts of the same variable.
  return JOINING_FILTERS.has(signature.name) ? PLAIN_VALUE : resultValue(signature)
}
