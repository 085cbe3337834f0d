/** `admin_user_profile_schema_delete`: deletes a type of user profiles. */
import { siteChange } from '../site/site-change.ts'

export const admin_user_profile_schema_delete = siteChange(
  'admin_user_profile_schema_delete(id: ID, physical_file_path: String): UserProfileSchema @deprecated',
  'user_profile_schema',
  'delete',
)
