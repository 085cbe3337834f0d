/** An argument that a template passes to a query. */
import type { Type } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'

export interface QueryArgument {
  readonly type: Type
  readonly span: Span
  /** Whether the argument is the literal `nil`, which counts as absent. */
  readonly isNil: boolean
  /**
   * Whether the argument is a hash in `context` that was read by its bare name. It counts as absent if the query's variable does not take a
   * hash.
   */
  readonly isContextHash: boolean
}
