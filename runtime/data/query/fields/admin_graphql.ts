/** `admin_graphql`: the stored queries and mutations of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, textFilters } from '../site/deployed-list.ts'

export const admin_graphql = deployedList({
  name: 'admin_graphql',
  singularName: 'GraphQuery',
  pluralName: 'Graphql',
  types: deployed,
  filters: textFilters('name', 'query_string'),
  items: (site) => site.operations(),
})
