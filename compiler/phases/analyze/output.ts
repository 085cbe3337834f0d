/** Determines whether a template prints. */
import type { Node } from '../../core/tree/ast.ts'

/** Tags that print. */
const PRINTING_TAGS: ReadonlySet<string> = new Set(['echo', 'print', 'render', 'include', 'form', 'yield'])
/** Tags whose bodies are not printed in place. */
const NON_PRINTING_TAGS: ReadonlySet<string> = new Set(['capture', 'content_for', 'background', 'comment', 'doc'])

/** Returns whether nodes print text or values. */
export function hasOutput(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'text') return node.text.trim() !== ''
    if (node.kind === 'output') return node.value !== null
    return (
      PRINTING_TAGS.has(node.name) ||
      (!NON_PRINTING_TAGS.has(node.name) && [node, ...node.branches].some(({ body }) => hasOutput(body)))
    )
  })
}
