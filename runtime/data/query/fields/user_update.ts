/** `user_update`: changes what is named of one user, without `id` of the one who is signed in. */
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
