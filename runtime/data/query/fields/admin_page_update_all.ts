/** `admin_page_update_all`: changes all matching pages. */
import { siteChange } from '../site/site-change.ts'

export const admin_page_update_all = siteChange(
  'admin_page_update_all(filter: PageFilterInput!, page: UpdatePageInputType!): ObjectCount!',
  'page',
  'update_all',
)
