/** `admin_page_update`: changes a page. */
import { siteChange } from '../site/site-change.ts'

export const admin_page_update = siteChange(
  'admin_page_update(id: ID, page: UpdatePageInputType!, physical_file_path: String): Page',
  'page',
  'update',
)
