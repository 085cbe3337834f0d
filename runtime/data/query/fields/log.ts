/** `log`: writes to the site's log. */
import type { EffectField } from '../model.ts'
import { effect } from '../sdl/effect.ts'

export const log: EffectField = {
  kind: 'effect',
  isSlow: false,
  name: 'log',
  sdl: 'log(message: Any!, type: LogEntryType!): LogEntry @deprecated @public',
  types: effect,
  perform({ message, type }, effects) {
    effects.log({ message, type: String(type), env: 'all', file: '', line: 0 })
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    return { id: crypto.randomUUID(), message: text, type }
  },
}
