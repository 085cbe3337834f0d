/** `users_delete_all`: soft-deletes every user that matches a filter. */
import type { MutationField } from '../model.ts'
import { deleteUsers } from '../writes/matching-rows.ts'

export const users_delete_all: MutationField = {
  kind: 'mutation',
  name: 'users_delete_all',
  sdl: 'users_delete_all(all_users: Boolean, filter: UsersFilterInput, sync: Boolean = false): ObjectCount! @public',
  build: (call, build) => deleteUsers(call, build),
}
