/** `admin_email_notifications`: the mails of the site. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  attachments: 'text',
  bcc: 'text',
  cc: 'text',
  content: 'text',
  created_at: 'date',
  delay: 'text',
  delay_by: 'text',
  id: 'id',
  layout: 'text',
  layout_path: 'text',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  subject: 'text',
  to: 'text',
  trigger_condition: 'text',
  updated_at: 'date',
}

export const admin_email_notifications: SiteField = {
  kind: 'site',
  name: 'admin_email_notifications',
  sdl: 'admin_email_notifications(filter: EmailNotificationsFilterInput, page: Int = 1, per_page: Int = 20, sort: [EmailNotificationsSortInput!]): EmailNotificationCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.sent('emails'), args, FILTERS),
}
