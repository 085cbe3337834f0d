/** `users_update_all`: changes every user that matches a filter. */
import type { MutationField } from '../model.ts'
import { updateUsers } from '../writes/matching-rows.ts'

export const users_update_all: MutationField = {
  kind: 'mutation',
  name: 'users_update_all',
  sdl: 'users_update_all(all_users: Boolean, filter: UsersFilterInput, sync: Boolean = false, user: UserInputType!): ObjectCount! @public',
  build: (call, build) => updateUsers(call, build),
}
