/** `admin_pages`: the pages of the site. */
import type { SiteField } from '../model.ts'
import { pageArguments, selectPages } from '../site/pages.ts'
import { site } from '../sdl/site.ts'

export const admin_pages: SiteField = {
  kind: 'site',
  name: 'admin_pages',
  sdl: `admin_pages(${pageArguments}): PageCollection! @public`,
  types: site,
  value: selectPages,
}
