/** `admin_field_update`: old name of `admin_property_update`. */
import { siteChange } from '../site/site-change.ts'

export const admin_field_update = siteChange(
  'admin_field_update(field: UpdateStandalonePropertyInputType!, id: ID!): Property @deprecated',
  'property',
  'update',
)
