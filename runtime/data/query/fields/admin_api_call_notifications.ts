/** `admin_api_call_notifications`: the calls of other servers that the site has. */
import { deployed } from '../sdl/deployed.ts'
import { deployedList, OF_SENT, texts } from '../site/deployed-list.ts'

export const admin_api_call_notifications = deployedList({
  name: 'admin_api_call_notifications',
  one: 'ApiCallNotification',
  directives: '',
  types: deployed,
  filters: { ...OF_SENT, ...texts('callback', 'headers') },
  items: (site) => site.sent('apiCalls'),
})
