/** `admin_liquid_layouts`: the layouts of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, OF_TEMPLATES } from '../site/deployed-list.ts'

export const admin_liquid_layouts = deployedList({
  name: 'admin_liquid_layouts',
  one: 'LiquidLayout',
  types: deployed,
  filters: OF_TEMPLATES,
  items: (site) => site.layouts(),
})
