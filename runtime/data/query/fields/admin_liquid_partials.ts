/** `admin_liquid_partials`: partials and files of `lib`, by their logical names. */
import { deployedList, TEMPLATE_FILTERS } from '../site/deployed-list.ts'

export const admin_liquid_partials = deployedList({
  name: 'admin_liquid_partials',
  singularName: 'LiquidPartial',
  filters: TEMPLATE_FILTERS,
  // Sorted by path, so that only a renamed file changes the order in which callers run the partials. Ids are digests of names and have no
  // meaningful order.
  tieBreaker: 'path',
  items: (site) => site.partials(),
})
