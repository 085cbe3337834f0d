/** `admin_liquid_layout_update_all`: changes all matching layouts. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_layout_update_all = siteChange(
  'admin_liquid_layout_update_all(filter: LiquidLayoutsFilterInput!, liquid_layout: UpdateLiquidLayoutInputType!): ObjectCount',
  'liquid_layout',
  'update_all',
)
