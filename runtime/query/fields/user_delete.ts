/** `user_delete`: soft-deletes one user. */
import type { MutationField } from '../model.ts'
import { deleteUser } from '../writes/users.ts'

export const user_delete: MutationField = {
  kind: 'mutation',
  name: 'user_delete',
  sdl: 'user_delete(form_configuration_name: String, form_name: String, id: ID!): User',
  build: (call, build) => deleteUser(call, build),
}
