/** `admin_page_create`: creates a page. */
import { siteChange } from '../site/site-change.ts'

export const admin_page_create = siteChange('admin_page_create(page: PageInputType!): Page', 'page', 'create')
