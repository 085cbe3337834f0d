/** `admin_translations`, which the platform does not have: the texts of the site, from its files and set at run time. */
import { itemPage } from '../memory-collection.ts'
import type { SiteField } from '../model.ts'

export const admin_translations: SiteField = {
  kind: 'site',
  name: 'admin_translations',
  sdl: `"Ingot's own: the texts of the site in its languages, from files and set at run time."
  admin_translations(filter: SiteTranslationsFilterInput, page: Int = 1, per_page: Int = 20, sort: [SiteTranslationsSortInput!]): SiteTranslationCollection!`,
  value: async (args, site) =>
    itemPage(await site.translations(), args, {
      ...{ id: 'id', is_set: 'boolean', key: 'text', locale: 'text', value: { as: 'text', key: 'searched' } },
    }),
}
