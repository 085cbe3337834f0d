/** An argument that a template passes to a query. */
import type { Type } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'

export interface QueryArgument {
  readonly type: Type
  readonly span: Span
  /** Whether the argument is the literal `nil`, which counts as absent. */
  readonly isNil: boolean
  /** The literal number with a fraction that the argument is; null for others. */
  readonly fraction: number | null
  /**
   * Whether the argument is a hash in `context` that was read by its bare name. It counts as absent if the query's variable does not take a
   * hash.
   */
  readonly isContextHash: boolean
}
