/** `admin_property_create`: creates a property of a table, of users or of profiles. */
import { siteChange } from '../site/site-change.ts'

export const admin_property_create = siteChange(
  'admin_property_create(property: StandalonePropertyInputType!): Property',
  'property',
  'create',
)
