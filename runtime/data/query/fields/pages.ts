/** `pages`: old name of `admin_pages`. */
import type { SiteField } from '../model.ts'
import { pageArguments, selectPages } from '../site/pages.ts'

export const pages: SiteField = {
  kind: 'site',
  name: 'pages',
  sdl: `pages(${pageArguments}): PageCollection! @deprecated @public`,
  value: selectPages,
}
