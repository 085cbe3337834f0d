/** Builds the placeholder node for markup that could not be parsed. */
import type { TagNode } from '../../core/tree/ast.ts'
import type { Span } from '../../core/source/span.ts'
import { BROKEN } from '../../language/tags/broken.ts'

export function brokenNode(message: string, span: Span): TagNode {
  const writtenName = { name: BROKEN, span }
  return {
    kind: 'tag',
    name: BROKEN,
    writtenName,
    markup: { message },
    body: [],
    branches: [],
    leftoverSpan: null,
    span,
    wholeSpan: span,
    raw: null,
  }
}
