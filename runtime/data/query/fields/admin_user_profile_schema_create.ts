/** `admin_user_profile_schema_create`: creates a type of user profiles. */
import { siteChange } from '../site/site-change.ts'

export const admin_user_profile_schema_create = siteChange(
  'admin_user_profile_schema_create(user_profile_schema: UserProfileSchemaInputType!): UserProfileSchema @deprecated',
  'user_profile_schema',
  'create',
)
