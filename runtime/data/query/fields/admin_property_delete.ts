/** `admin_property_delete`: deletes a property of a table, of users or of profiles. */
import { siteChange } from '../site/site-change.ts'

export const admin_property_delete = siteChange('admin_property_delete(id: ID!): Property', 'property', 'delete')
