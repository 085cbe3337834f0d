/** `admin_liquid_layouts`: the layouts of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, TEMPLATE_FILTERS } from '../site/deployed-list.ts'

export const admin_liquid_layouts = deployedList({
  name: 'admin_liquid_layouts',
  singularName: 'LiquidLayout',
  types: deployed,
  filters: TEMPLATE_FILTERS,
  items: (site) => site.layouts(),
})
