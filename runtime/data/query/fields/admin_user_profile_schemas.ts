/** `admin_user_profile_schemas`: the declared types of user profiles. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, SCHEMA_FILTERS } from '../site/deployed-list.ts'

export const admin_user_profile_schemas = deployedList({
  name: 'admin_user_profile_schemas',
  singularName: 'UserProfileSchema',
  types: deployed,
  filters: SCHEMA_FILTERS,
  items: (site) => site.profileSchemas(),
})
