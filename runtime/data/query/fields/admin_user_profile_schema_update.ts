/** `admin_user_profile_schema_update`: changes a type of user profiles. */
import { siteChange } from '../site/site-change.ts'

export const admin_user_profile_schema_update = siteChange(
  'admin_user_profile_schema_update(id: ID, physical_file_path: String, user_profile_schema: UpdateUserProfileSchemaInputType!): UserProfileSchema @deprecated',
  'user_profile_schema',
  'update',
)
