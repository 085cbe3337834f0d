/** `admin_authorization_policy_update`: changes an authorization policy. */
import { siteChange } from '../site/site-change.ts'

export const admin_authorization_policy_update = siteChange(
  'admin_authorization_policy_update(authorization_policy: UpdateAuthorizationPolicyInputType!, id: ID, physical_file_path: String): AuthorizationPolicy',
  'authorization_policy',
  'update',
)
