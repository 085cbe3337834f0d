/** `admin_liquid_partial_update_all`: changes all matching partials. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_partial_update_all = siteChange(
  'admin_liquid_partial_update_all(filter: LiquidPartialsFilterInput!, liquid_partial: UpdateLiquidPartialInputType!): ObjectCount',
  'liquid_partial',
  'update_all',
)
