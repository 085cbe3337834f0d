/** `admin_authorization_policies`: the policies of the site. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  content: 'text',
  created_at: 'date',
  flash_alert: 'text',
  id: 'id',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  redirect_to: 'text',
  updated_at: 'date',
}

export const admin_authorization_policies: SiteField = {
  kind: 'site',
  name: 'admin_authorization_policies',
  sdl: 'admin_authorization_policies(filter: AuthorizationPoliciesFilterInput, page: Int = 1, per_page: Int = 20, sort: [AuthorizationPoliciesSortInput!]): AuthorizationPolicyCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.policies(), args, FILTERS),
}
