/** `admin_liquid_partial_create`: creates a partial. */
import { siteChange } from '../site/site-change.ts'

export const admin_liquid_partial_create = siteChange(
  'admin_liquid_partial_create(liquid_partial: LiquidPartialInputType!): LiquidPartial',
  'liquid_partial',
  'create',
)
