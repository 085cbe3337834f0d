/** `admin_page_delete`: deletes a page. */
import { siteChange } from '../site/site-change.ts'

export const admin_page_delete = siteChange(
  'admin_page_delete(id: ID, physical_file_path: String): Page',
  'page',
  'delete',
)
