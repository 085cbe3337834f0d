/** Emits the counting of assigned values, for hosts that limit their total size. */
import { type Code, method } from '../../core/model/code.ts'
import type { EmitKit } from './tag.ts'

/** Returns `code`, wrapped with the counting if the host needs it. */
export function withScore(kit: EmitKit, code: Code): Code {
  return kit.scored ? method(kit.render, 'assigned', code) : code
}
