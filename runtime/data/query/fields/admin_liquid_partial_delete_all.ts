/** `admin_liquid_partial_delete_all`: deletes all matching partials. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_partial_delete_all = siteChange(
  'admin_liquid_partial_delete_all(filter: LiquidPartialsFilterInput!, sync: Boolean = false): ObjectCount',
  'liquid_partial',
  'delete_all',
)
