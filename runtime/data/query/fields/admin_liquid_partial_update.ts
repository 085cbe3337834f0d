/** `admin_liquid_partial_update`: changes a partial. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_partial_update = siteChange(
  'admin_liquid_partial_update(id: ID, liquid_partial: UpdateLiquidPartialInputType!, physical_file_path: String): LiquidPartial',
  'liquid_partial',
  'update',
)
