/** The type of the values that a function returns. */
import type { Code } from '../../../core/model/code.ts'
import {
  declaredType,
  isScalarValue,
  joinValues,
  NIL_VALUE,
  type ValueType,
  withoutNil,
} from '../../../core/model/value-type.ts'
import { valueOf } from '../value-types.ts'

export interface ResultType {
  readonly type: ValueType
  /** The parameters whose value the function may return instead, by their names in JavaScript. */
  readonly returned: readonly string[]
}

export class ResultTypes {
  readonly #isUnchangedParameter: (js: string) => boolean
  /** The joined type of the returned values that are not parameters; null if there are none. */
  #type: ValueType | null = null
  readonly #returned = new Map<string, ValueType>()

  /** @param isUnchangedParameter whether a name in JavaScript is a parameter that the function does not set */
  constructor(isUnchangedParameter: (js: string) => boolean) {
    this.#isUnchangedParameter = isUnchangedParameter
  }

  /** Adds a returned value; null for nil. */
  add(value: Code | null): void {
    if (value?.kind === 'name' && this.#isUnchangedParameter(value.name)) {
      this.#returned.set(value.name, declaredType(valueOf(value)))
      return
    }
    const type = value === null ? NIL_VALUE : declaredType(valueOf(value))
    this.#type = this.#type === null ? type : joinValues(this.#type, type)
  }

  /** The type of the result. */
  get result(): ResultType {
    const own = this.#type ?? NIL_VALUE
    // The literal type of an argument is a part of a scalar type, and other types are too wide to name.
    if (this.#returned.size > 0 && isScalarValue(withoutNil(own)))
      return { type: own, returned: [...this.#returned.keys()] }
    const types = [...(this.#type === null ? [] : [this.#type]), ...this.#returned.values()]
    return { type: types.length === 0 ? NIL_VALUE : types.reduce(joinValues), returned: [] }
  }
}
