/** `admin_api_call_notifications`: the API calls that the site declares. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, NOTIFICATION_FILTERS, textFilters } from '../site/deployed-list.ts'

export const admin_api_call_notifications = deployedList({
  name: 'admin_api_call_notifications',
  singularName: 'ApiCallNotification',
  directives: '',
  types: deployed,
  filters: { ...NOTIFICATION_FILTERS, ...textFilters('callback', 'headers') },
  items: (site) => site.formsAndNotifications('apiCalls'),
})
