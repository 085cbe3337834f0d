/** Nodes of the tree inside the markup of a tag, whose type only the tag knows. */
import type { Accessor, Expression, HashKey } from '../tree/ast.ts'

/** A node of the tree that a tag's markup can hold. */
export type MarkupNode = Expression | HashKey | Accessor

const KINDS: Readonly<Record<MarkupNode['kind'], true>> = {
  literal: true,
  lookup: true,
  range: true,
  interpolation: true,
  hash: true,
  array: true,
  comparison: true,
  logical: true,
  filtered: true,
  quoted: true,
  bare: true,
  computed: true,
  key: true,
  index: true,
}
const NODE_KINDS: ReadonlySet<unknown> = new Set(Object.keys(KINDS))

/** Returns a part of a tag's markup as a node of the tree, or null for any other part. */
export function asMarkupNode(part: object): MarkupNode | null {
  return isMarkupNode(part) ? part : null
}

/** Nothing else in a markup has one of these kinds. */
function isMarkupNode(part: object): part is MarkupNode {
  return 'kind' in part && NODE_KINDS.has(part.kind)
}
