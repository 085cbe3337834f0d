/** `admin_form_delete_all`: deletes all matching forms. */
import { siteChange } from '../site/site-change.ts'

export const admin_form_delete_all = siteChange(
  'admin_form_delete_all(filter: FormsFilterInput!): ObjectCount @deprecated',
  'form',
  'delete_all',
)
