/** `admin_authorization_policy_delete`: deletes an authorization policy. */
import { siteChange } from '../site/site-change.ts'

export const admin_authorization_policy_delete = siteChange(
  'admin_authorization_policy_delete(id: ID, physical_file_path: String): AuthorizationPolicy',
  'authorization_policy',
  'delete',
)
