/** `admin_user_sessions_end`, which the platform does not have: ends sessions of a user. */
import type { MutationField } from '../model.ts'
import { operation } from '../sdl/operation.ts'
import { endSessions } from '../writes/sessions.ts'

export const admin_user_sessions_end: MutationField = {
  kind: 'mutation',
  name: 'admin_user_sessions_end',
  sdl: `"Ingot's own: ends one session of a user, or all of them."
  admin_user_sessions_end(id: ID, user_id: ID!): ObjectCount!`,
  types: operation,
  build: endSessions,
}
