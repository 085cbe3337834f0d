/** `session_delete_field`: removes a field of the visitor's session. */
import type { SessionField } from '../model.ts'

export const session_delete_field: SessionField = {
  kind: 'session',
  name: 'session_delete_field',
  sdl: 'session_delete_field(name: String!): HashObject @public',
  perform: ({ name }, { session }) => session.setField(String(name), null),
}
