/** `admin_pages_delete_all`: deletes all matching pages. */
import { siteChange } from '../site/site-change.ts'

export const admin_pages_delete_all = siteChange(
  'admin_pages_delete_all(filter: PageFilterInput!, sync: Boolean = false): ObjectCount!',
  'page',
  'delete_all',
)
