/** Which templates get a function that writes into a sink of bytes: those that gain by it, where a host renders into buffers. */
import type { Node } from '../../core/model/ast.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { EmitContext } from './context.ts'
import { LONG_TEXT } from './face/body.ts'

/** Whether a unit's text can go to a sink piece by piece. Only the library face has such a sink, and it renders any unit by name. */
export function printsBytes({ site, effects }: EmitContext, unit: Unit): boolean {
  if (!site.openEntries || unit.template === null || (unit.file.kind !== 'page' && unit.file.kind !== 'partial'))
    return false
  const known = effects.get(unit.file.path)
  return known?.faces.has('render') === true && !known.suspends && unit.template.nodes.some(gains)
}

/** Long texts are copied, and what a loop prints is written in pieces. What a capture holds never reaches the sink. */
function gains(node: Node): boolean {
  if (node.kind === 'text') return node.text.length >= LONG_TEXT
  if (node.kind === 'output') return false
  if (node.name === 'for') return true
  if (node.name !== 'if' && node.name !== 'unless' && node.name !== 'case') return false
  return node.body.some(gains) || node.branches.some((branch) => branch.body.some(gains))
}

export function bytesName(context: EmitContext, unit: Unit): string {
  return context.faceName(unit.file.path, 'render').replace(/^render/, 'bytes')
}
