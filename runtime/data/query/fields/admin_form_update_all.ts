/** `admin_form_update_all`: changes all matching forms. */
import { siteChange } from '../site/site-change.ts'

export const admin_form_update_all = siteChange(
  'admin_form_update_all(filter: FormsFilterInput!, form: UpdateFormInput!): ObjectCount @deprecated',
  'form',
  'update_all',
)
