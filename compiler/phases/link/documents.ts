/** Finds the queries that are written inside template tags. */
import type { Node, TagNode } from '../../core/tree/ast.ts'
import { inlineDocument } from '../../core/model/operation.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'
import { isRecord } from '../../core/source/records.ts'

interface InlineDocument {
  readonly document: string
  readonly span: Span
}

/** Returns the documents of one file in template order, without duplicates. A `background` block is a separate template. */
export function findDocuments(unit: Unit): readonly InlineDocument[] {
  const templates: readonly Template[] = [...(unit.template === null ? [] : [unit.template]), ...unit.inner.values()]
  const ownBodies = new Set(templates.map(({ nodes }) => nodes))
  const documents: InlineDocument[] = []
  const collect = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.kind !== 'tag') continue
      const inline = hasDocument(node) ? inlineDocument(node.body) : null
      if (inline !== null) documents.push(inline)
      if (!ownBodies.has(node.body)) collect(node.body)
      for (const { body } of node.branches) collect(body)
    }
  }
  for (const { nodes } of templates) collect(nodes)
  return documents
}

function hasDocument({ name, markup }: TagNode): boolean {
  return name === 'graphql' && isRecord(markup) && markup['query'] === null
}
