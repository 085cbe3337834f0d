/** `user_profile_delete`: soft-deletes one profile of a user. */
import type { MutationField } from '../model.ts'
import { deleteProfile } from '../writes/users.ts'

export const user_profile_delete: MutationField = {
  kind: 'mutation',
  name: 'user_profile_delete',
  sdl: 'user_profile_delete(form_configuration_name: String, form_name: String, profile_type: String!, user_id: ID!): Profile! @deprecated @public',
  build: (call, build) => deleteProfile(call, build),
}
