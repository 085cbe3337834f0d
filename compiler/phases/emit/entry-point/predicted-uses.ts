/**
 * Predicts how a template uses its variables, before it is emitted. If the prediction is correct, a single pass is enough. Types that
 * depend on each other cannot be predicted.
 */
import type { AssignedForm, Outline, NameUse } from '../../../core/model/outline.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { joinValues, UNKNOWN_VALUE, type ValueType } from '../../../core/model/value-type.ts'
import { JOINING_FILTERS } from '../value-rules.ts'
import { literalValue, resultValue } from '../value-types.ts'
import { isSameDeclaration, type KnownUses, type VariableUse, type VariableUses } from './variable-uses.ts'

type Filters = ReadonlyMap<string, FilterSignature>

export class PredictedUses implements KnownUses {
  readonly #uses: Outline['uses']
  readonly #filters: Filters
  readonly #cache = new Map<string, VariableUse | undefined>()

  constructor({ uses }: Outline, filters: Filters) {
    this.#uses = uses
    this.#filters = filters
  }

  of(name: string): VariableUse | undefined {
    if (this.#cache.has(name)) return this.#cache.get(name)
    const use = this.#uses.get(name)
    const predicted = use === undefined ? undefined : this.#predict(use)
    this.#cache.set(name, predicted)
    return predicted
  }

  #predict({ begins, values, fieldReads, wholeReads }: NameUse<AssignedForm>): VariableUse {
    const types = values.map((value) => typeOf(value, this.#filters))
    const type = types.length === 0 ? null : types.reduce(joinValues)
    return { type, begins, isSetOnce: values.length === 1, fieldReads, wholeReads }
  }

  /**
   * Returns whether the function uses its variables as predicted.
   * @param isConstant whether a variable that is declared where it is set, and set once, becomes a constant
   */
  agreesWith(found: VariableUses, isConstant: (name: string) => boolean): boolean {
    for (const name of found.names) {
      const use = found.of(name)
      const predicted = this.of(name)
      if (use === undefined || predicted === undefined || !isSameUse(use, predicted)) return false
      // A constant has the type of its value.
      if (!isSameType(use, predicted) && !(use.begins && use.isSetOnce && isConstant(name))) return false
    }
    return true
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

/** Returns the type of an assigned value, if its last filter or a literal determines it. */
function typeOf(form: AssignedForm, filters: Filters): ValueType {
  if (form === null) return UNKNOWN_VALUE
  if ('literal' in form) return literalValue(form.literal)
  const signature = filters.get(form.filter)
  return signature === undefined || JOINING_FILTERS.has(signature.name) ? UNKNOWN_VALUE : resultValue(signature)
}
