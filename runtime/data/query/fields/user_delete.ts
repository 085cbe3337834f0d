/** `user_delete`: soft-deletes one user. */
import { userForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { deleteUser } from '../writes/users.ts'

export const user_delete: MutationField = {
  kind: 'mutation',
  name: 'user_delete',
  sdl: 'user_delete(form_configuration_name: String, form_name: String, id: ID!): User @public',
  form: userForm('delete'),
  build: (call, build) => deleteUser(call, build),
}
