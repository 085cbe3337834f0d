/** The values that a filter receives. */
import type { Type } from '../../../core/model/type.ts'
import type { Expression } from '../../../core/tree/ast.ts'
import type { Texts } from '../../analyze/domains/constant-texts.ts'

/** The types of the input and the arguments of a filter. */
export interface FilterInput {
  readonly input: Type
  readonly positional: readonly Type[]
  readonly named: readonly Type[]
  /** The piped value; null after another filter. */
  readonly source: Expression | null
  /** Returns the patterns of the possible texts of the input; null if the texts are not known. */
  readonly texts: () => Texts
}
