/**
 * Selects the templates that get a function that writes to a byte sink: those that render faster with it when a host renders to buffers.
 */
import type { Node } from '../../core/tree/ast.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { EmitContext } from './context.ts'
import { LONG_TEXT } from './entry-point/body.ts'

/**
 * Returns whether the text of a unit can be written to a sink in pieces. Only the library interface has a sink, and it renders any unit by
 * name.
 */
export function printsBytes({ site, effects }: EmitContext, unit: Unit): boolean {
  if (!site.openEntries || unit.template === null || (unit.file.kind !== 'page' && unit.file.kind !== 'partial'))
    return false
  const templateEffects = effects.get(unit.file.path)
  return (
    templateEffects?.entryPoints.has('render') === true &&
    !templateEffects.suspends &&
    unit.template.nodes.some(gainsFromSink)
  )
}

/**
 * Returns whether a node contains a long text, which is copied, or a loop, whose output is written in pieces. Captured text never goes to
 * the sink.
 */
function gainsFromSink(node: Node): boolean {
  if (node.kind === 'text') return node.text.length >= LONG_TEXT
  if (node.kind === 'output') return false
  if (node.name === 'for') return true
  if (node.name !== 'if' && node.name !== 'unless' && node.name !== 'case') return false
  return node.body.some(gainsFromSink) || node.branches.some((branch) => branch.body.some(gainsFromSink))
}

export function bytesName(context: EmitContext, unit: Unit): string {
  return context.entryPointName(unit.file.path, 'render').replace(/^render/, 'bytes')
}
