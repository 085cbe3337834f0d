/** `user_update`: changes the given fields of one user. Without `id`, it changes the signed-in user. */
import { userForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { updateUser } from '../writes/users.ts'

export const user_update: MutationField = {
  kind: 'mutation',
  name: 'user_update',
  sdl: 'user_update(form_configuration_name: String, form_name: String, id: ID, user: UserInputType!): User @public',
  form: userForm('update'),
  build: (call, build) => updateUser(call, build),
}
