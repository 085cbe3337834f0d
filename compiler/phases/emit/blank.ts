/** Finds nodes that print nothing. The text of a body with only these nodes is not printed. */
import type { Node } from '../../core/tree/ast.ts'
import type { Tag } from '../../language/tags/tag.ts'

export function isBlank(node: Node, tags: ReadonlyMap<string, Tag>): boolean {
  if (node.kind === 'output') return false
  if (node.kind === 'text') return /^[ \t\r\n\f\v\0]*$/.test(node.text)
  const tag = tags.get(node.name)
  if (tag?.blank === true) return true
  if (tag?.blank !== 'body') return false
  const bodies =
    node.name === 'case'
      ? node.branches.map((branch) => branch.body)
      : [node.body, ...node.branches.map((branch) => branch.body)]
  return bodies.every((body) => body.every((inner) => isBlank(inner, tags)))
}
