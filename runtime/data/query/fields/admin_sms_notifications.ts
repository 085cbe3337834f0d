/** `admin_sms_notifications`: the text messages of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, NOTIFICATION_FILTERS, textFilters } from '../site/deployed-list.ts'

export const admin_sms_notifications = deployedList({
  name: 'admin_sms_notifications',
  singularName: 'SmsNotification',
  types: deployed,
  filters: { ...NOTIFICATION_FILTERS, ...textFilters('callback') },
  items: (site) => site.formsAndNotifications('smses'),
})
