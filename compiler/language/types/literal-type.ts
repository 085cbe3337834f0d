/** Computes the type of a literal. */
import type { Literal } from '../../core/tree/ast.ts'
import { BOOLEAN, FLOAT, INTEGER, NIL, type Type } from '../../core/model/type.ts'

/** The type of the empty text. */
export const EMPTY: Type = { kind: 'string', literal: '' }

export function literalType({ value }: Literal): Type {
  switch (value.type) {
    case 'nil':
      return NIL
    case 'boolean':
      return BOOLEAN
    case 'integer':
      return INTEGER
    case 'float':
      return FLOAT
    case 'string':
      return { kind: 'string', literal: value.value }
    // Outside of comparisons, `blank` and `empty` are the empty text.
    case 'blank':
    case 'empty':
      return EMPTY
  }
}
