/** `user_create`: inserts one user. */
import { userForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { createUser } from '../writes/users.ts'

export const user_create: MutationField = {
  kind: 'mutation',
  name: 'user_create',
  sdl: 'user_create(form_configuration_name: String, form_name: String, id: ID, user: UserInputType!): User @public',
  form: userForm('create'),
  build: (call, build) => createUser(call, build),
}
