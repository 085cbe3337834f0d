/** `admin_authorization_policy_create`: creates an authorization policy. */
import { siteChange } from '../site/site-change.ts'

export const admin_authorization_policy_create = siteChange(
  'admin_authorization_policy_create(authorization_policy: AuthorizationPolicyInputType!): AuthorizationPolicy',
  'authorization_policy',
  'create',
)
