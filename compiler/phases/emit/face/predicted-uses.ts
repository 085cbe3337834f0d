/**
 * What the text of a template tells of its variables before anything of it is written. A function that turns out to use them so is
 * written once; what the text does not tell, as types that depend on each other, is found out by writing it.
 */
import type { Expression } from '../../../core/model/ast.ts'
import type { Bound, NameUse } from '../../../core/model/bound.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { joinValues, UNKNOWN_VALUE, type ValueType } from '../../../core/model/value-type.ts'
import { JOINING } from '../value-rules.ts'
import { literalValue, resultValue } from '../value-types.ts'
import { isSame, type KnownUses, type VariableUse, type VariableUses } from './variable-uses.ts'

type Filters = ReadonlyMap<string, FilterSignature>

export class PredictedUses implements KnownUses {
  readonly #uses: Bound['uses']
  readonly #filters: Filters
  readonly #known = new Map<string, VariableUse | undefined>()

  constructor({ uses }: Bound, filters: Filters) {
    this.#uses = uses
    this.#filters = filters
  }

  of(name: string): VariableUse | undefined {
    if (this.#known.has(name)) return this.#known.get(name)
    const use = this.#uses.get(name)
    const predicted = use === undefined ? undefined : this.#predicted(use)
    this.#known.set(name, predicted)
    return predicted
  }

  #predicted({ begins, values, fieldReads, wholeReads }: NameUse<Expression | null>): VariableUse {
    const types = values.map((value) => typeOf(value, this.#filters))
    const type = types.length === 0 ? null : types.reduce(joinValues)
    return { type, begins, once: values.length === 1, fieldReads, wholeReads }
  }

  /** Whether the function uses its variables as it was said of them. */
  agreesWith(found: VariableUses): boolean {
    for (const name of found.names) {
      const use = found.of(name)
      const predicted = this.of(name)
      if (use === undefined || predicted === undefined || !isAlike(use, predicted)) return false
    }
    return true
  }
}

/** Whether a variable is declared and read alike. */
function isAlike(a: VariableUse, b: VariableUse): boolean {
  if (a.begins !== b.begins || a.once !== b.once) return false
  if (Math.min(a.fieldReads, 2) !== Math.min(b.fieldReads, 2) || a.wholeReads > 0 !== b.wholeReads > 0) return false
  if (a.type === null || b.type === null) return a.type === b.type
  // The constant of a variable that is set once has the type of its value.
  return (a.begins && a.once) || isSame(a.type, b.type)
}

/** What is assigned, as far as its last filter or a literal tells. */
function typeOf(value: Expression | null, filters: Filters): ValueType {
  if (value?.kind === 'literal') return literalValue(value.value)
  if (value?.kind !== 'filtered') return UNKNOWN_VALUE
  const last = value.filters.at(-1)
  if (last === undefined) return typeOf(value.input, filters)
  const signature = filters.get(last.name.name)
  return signature === undefined || JOINING.has(signature.name) ? UNKNOWN_VALUE : resultValue(signature)
}
