/** `session_create_field`: sets a field of the visitor's session. */
import type { SessionField } from '../model.ts'

export const session_create_field: SessionField = {
  kind: 'session',
  name: 'session_create_field',
  sdl: 'session_create_field(name: String!, value: Any!): HashObject @public',
  perform: ({ name, value }, { session }) => session.setField(String(name), value),
}
