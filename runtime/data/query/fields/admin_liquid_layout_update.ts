/** `admin_liquid_layout_update`: changes a layout. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_layout_update = siteChange(
  'admin_liquid_layout_update(id: ID, liquid_layout: UpdateLiquidLayoutInputType!, physical_file_path: String): LiquidLayout',
  'liquid_layout',
  'update',
)
