/** `admin_property_update`: changes a property of a table, of users or of profiles. */
import { siteChange } from '../site/site-change.ts'

export const admin_property_update = siteChange(
  'admin_property_update(id: ID!, property: UpdateStandalonePropertyInputType!): Property',
  'property',
  'update',
)
