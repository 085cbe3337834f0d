/** `admin_sms_notifications`: the text messages of the site. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  callback: 'text',
  content: 'text',
  created_at: 'date',
  delay: 'text',
  delay_by: 'text',
  id: 'id',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  to: 'text',
  trigger_condition: 'text',
  updated_at: 'date',
}

export const admin_sms_notifications: SiteField = {
  kind: 'site',
  name: 'admin_sms_notifications',
  sdl: 'admin_sms_notifications(filter: SmsNotificationsFilterInput, page: Int = 1, per_page: Int = 20, sort: [SmsNotificationsSortInput!]): SmsNotificationCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.sent('smses'), args, FILTERS),
}
