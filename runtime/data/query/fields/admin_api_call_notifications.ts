/** `admin_api_call_notifications`: the calls of other servers that the site has. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  callback: 'text',
  content: 'text',
  created_at: 'date',
  delay: 'text',
  delay_by: 'text',
  headers: 'text',
  id: 'id',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  to: 'text',
  trigger_condition: 'text',
  updated_at: 'date',
}

export const admin_api_call_notifications: SiteField = {
  kind: 'site',
  name: 'admin_api_call_notifications',
  sdl: 'admin_api_call_notifications(filter: ApiCallNotificationsFilterInput, page: Int = 1, per_page: Int = 20, sort: [ApiCallNotificationsSortInput!]): ApiCallNotificationCollection!',
  types: deployed,
  value: async (args, site) => itemPage(await site.sent('apiCalls'), args, FILTERS),
}
