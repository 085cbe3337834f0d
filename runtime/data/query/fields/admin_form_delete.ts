/** `admin_form_delete`: deletes a form. */
import { siteChange } from '../site/site-change.ts'

export const admin_form_delete = siteChange(
  'admin_form_delete(id: ID, physical_file_path: String): Form @deprecated',
  'form',
  'delete',
)
