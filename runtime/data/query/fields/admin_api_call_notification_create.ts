/** `admin_api_call_notification_create`: creates an API call. */
import { siteChange } from '../site/site-change.ts'

export const admin_api_call_notification_create = siteChange(
  'admin_api_call_notification_create(api_call_notification: ApiCallNotificationInputType!): ApiCallNotification',
  'api_call_notification',
  'create',
)
