/** `admin_email_notifications`: the mails of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, MAIL_FILTERS } from '../site/deployed-list.ts'

export const admin_email_notifications = deployedList({
  name: 'admin_email_notifications',
  singularName: 'EmailNotification',
  types: deployed,
  filters: MAIL_FILTERS,
  items: (site) => site.formsAndNotifications('emails'),
})
