/** `admin_field_delete`: old name of `admin_property_delete`. */
import { siteChange } from '../site/site-change.ts'

export const admin_field_delete = siteChange('admin_field_delete(id: ID!): Property @deprecated', 'property', 'delete')
