/** `admin_liquid_layout_create`: creates a layout. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_layout_create = siteChange(
  'admin_liquid_layout_create(liquid_layout: LiquidLayoutInputType!): LiquidLayout',
  'liquid_layout',
  'create',
)
