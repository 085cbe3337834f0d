/** `admin_forms`: the forms of the site. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  async_callback_actions: 'text',
  callback_actions: 'text',
  created_at: 'date',
  default_payload: 'text',
  flash_notice: 'text',
  id: 'id',
  liquid_body: 'text',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  redirect_to: 'text',
  resource: 'text',
  resource_owner: 'text',
  updated_at: 'date',
}

export const admin_forms: SiteField = {
  kind: 'site',
  name: 'admin_forms',
  sdl: 'admin_forms(filter: FormsFilterInput, page: Int = 1, per_page: Int = 20, sort: [FormsSortInput!]): FormCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.sent('forms'), args, FILTERS),
}
