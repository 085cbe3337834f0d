/** Converts the bodies of `background` blocks to separate templates. These run in another process, with their own variables. */
import type { NamedArgument, Node, TagNode } from '../../core/tree/ast.ts'
import { withoutOptions } from '../../language/tags/arguments.ts'
import { background, JOB_OPTIONS } from '../../language/tags/background.ts'
import { isNodeOf } from '../../language/tags/tag.ts'
import { blockName, type Template, type Unit } from '../../core/model/unit.ts'

/** Returns the unit with a template for every `background` that has a body, named `background:<n>` in source order, starting at 1. */
export function addJobTemplates(unit: Unit): Unit {
  const blocks: { readonly node: TagNode; readonly passedNames: readonly string[]; readonly container: Template }[] = []
  const collect = (nodes: readonly Node[], container: Template): void => {
    for (const node of nodes) {
      if (node.kind !== 'tag') continue
      // A `background` with a name runs that partial.
      if (isNodeOf(background, node, 'name', 'arguments') && node.markup.name === null)
        blocks.push({ node, passedNames: argumentNames(node.markup.arguments), container })
      collect(node.body, container)
      for (const branch of node.branches) collect(branch.body, container)
    }
  }
  for (const template of [...(unit.template === null ? [] : [unit.template]), ...unit.inner.values()])
    collect(template.nodes, template)
  if (blocks.length === 0) return unit
  blocks.sort((a, b) => a.node.span.start - b.node.span.start)
  const inner = new Map(unit.inner)
  for (const [index, { node, passedNames, container }] of blocks.entries())
    inner.set(blockName(index + 1), {
      nodes: node.body,
      doc: null,
      isBroken: container.isBroken,
      block: { passed: passedNames, start: node.span.start },
    })
  return { ...unit, inner }
}

function argumentNames(args: readonly NamedArgument[]): readonly string[] {
  return withoutOptions(args, JOB_OPTIONS).map(({ name }) => name.name)
}
