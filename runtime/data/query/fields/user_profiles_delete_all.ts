/** `user_profiles_delete_all`: soft-deletes profiles: those of a user, those of a type, or those of a user that have the type. */
import type { MutationField } from '../model.ts'
import { deleteProfiles } from '../writes/users.ts'

export const user_profiles_delete_all: MutationField = {
  kind: 'mutation',
  name: 'user_profiles_delete_all',
  sdl: 'user_profiles_delete_all(all_user_profile_types: Boolean, user_id: Int, user_profile_type_name: String): ObjectCount! @deprecated @public',
  build: deleteProfiles,
}
