/** `admin_liquid_layout_delete_all`: deletes all matching layouts. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_layout_delete_all = siteChange(
  'admin_liquid_layout_delete_all(filter: LiquidLayoutsFilterInput!, sync: Boolean = false): ObjectCount',
  'liquid_layout',
  'delete_all',
)
