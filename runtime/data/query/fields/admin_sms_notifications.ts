/** `admin_sms_notifications`: the text messages of the site. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, OF_SENT, texts } from '../site/deployed-list.ts'

export const admin_sms_notifications = deployedList({
  name: 'admin_sms_notifications',
  one: 'SmsNotification',
  types: deployed,
  filters: { ...OF_SENT, ...texts('callback') },
  items: (site) => site.sent('smses'),
})
