/** `admin_email_notifications`: the mails of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, NOTIFICATION_FILTERS, textFilters } from '../site/deployed-list.ts'

export const admin_email_notifications = deployedList({
  name: 'admin_email_notifications',
  singularName: 'EmailNotification',
  types: deployed,
  filters: { ...NOTIFICATION_FILTERS, ...textFilters('attachments', 'bcc', 'cc', 'layout', 'layout_path', 'subject') },
  items: (site) => site.formsAndNotifications('emails'),
})
