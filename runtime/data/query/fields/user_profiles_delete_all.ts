/** `user_profiles_delete_all`: soft-deletes the profiles of a user, of a type, or of both. */
import type { MutationField } from '../model.ts'
import { deleteProfiles } from '../writes/users.ts'

export const user_profiles_delete_all: MutationField = {
  kind: 'mutation',
  name: 'user_profiles_delete_all',
  sdl: 'user_profiles_delete_all(all_user_profile_types: Boolean, user_id: Int, user_profile_type_name: String): ObjectCount! @deprecated @public',
  build: deleteProfiles,
}
