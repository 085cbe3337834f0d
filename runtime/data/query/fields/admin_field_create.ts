/** `admin_field_create`: old name of `admin_property_create`. */
import { siteChange } from '../site/site-change.ts'

export const admin_field_create = siteChange(
  'admin_field_create(field: StandalonePropertyInputType!): Property @deprecated',
  'property',
  'create',
)
