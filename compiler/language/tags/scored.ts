/** Values on their way into a variable, where a host limits the sizes of what templates assign. */
import { type Code, method } from '../../core/model/code.ts'
import type { EmitKit } from './tag.ts'

/** `code`, counted where the host asks for it. */
export function scored(kit: EmitKit, code: Code): Code {
  return kit.scored ? method(kit.render, 'assigned', code) : code
}
