/** `admin_form_update`: changes a form. */
import { siteChange } from '../site/site-change.ts'

export const admin_form_update = siteChange(
  'admin_form_update(form: UpdateFormInput!, id: ID, physical_file_path: String): Form @deprecated',
  'form',
  'update',
)
