/** `admin_liquid_partial_delete`: deletes a partial. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_partial_delete = siteChange(
  'admin_liquid_partial_delete(id: ID, physical_file_path: String): LiquidPartial',
  'liquid_partial',
  'delete',
)
