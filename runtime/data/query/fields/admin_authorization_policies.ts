/** `admin_authorization_policies`: the authorization policies of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, textFilters } from '../site/deployed-list.ts'

export const admin_authorization_policies = deployedList({
  name: 'admin_authorization_policies',
  singularName: 'AuthorizationPolicy',
  pluralName: 'AuthorizationPolicies',
  types: deployed,
  filters: textFilters('content', 'flash_alert', 'name', 'redirect_to'),
  items: (site) => site.policies(),
})
