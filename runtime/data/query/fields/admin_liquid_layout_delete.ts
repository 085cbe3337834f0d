/** `admin_liquid_layout_delete`: deletes a layout. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_layout_delete = siteChange(
  'admin_liquid_layout_delete(id: ID, physical_file_path: String): LiquidLayout',
  'liquid_layout',
  'delete',
)
