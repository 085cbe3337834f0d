/** Builds the placeholder node for markup that could not be parsed. */
import type { TagNode } from '../../core/tree/ast.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Span } from '../../core/source/span.ts'
import { BROKEN } from '../../language/tags/broken.ts'

/** @param diagnostic what was reported about the markup; null if nothing was reported there */
export function brokenNode(diagnostic: Diagnostic | null, span: Span): TagNode {
  const writtenName = { name: BROKEN, span }
  return {
    kind: 'tag',
    name: BROKEN,
    writtenName,
    markup: { diagnostic },
    body: [],
    branches: [],
    leftoverSpan: null,
    span,
    wholeSpan: span,
    raw: null,
  }
}
