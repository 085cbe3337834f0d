/** `admin_user_sessions`, which the platform does not have: the open sessions of signed-in users. */
import type { QueryField } from '../model.ts'
import { sessionsJson } from '../rows/operation.ts'
import { operation } from '../sdl/operation.ts'

export const admin_user_sessions: QueryField = {
  kind: 'query',
  name: 'admin_user_sessions',
  sdl: `"Ingot's own: the open sessions of signed-in users."
  admin_user_sessions(filter: UserSessionsFilterInput, page: Int = 1, per_page: Int = 20, sort: [UserSessionsSortInput!]): UserSessionCollection!`,
  types: operation,
  build: sessionsJson,
}
