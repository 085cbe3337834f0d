/** `admin_api_call_notification_update`: changes an API call. */
import { siteChange } from '../site/site-change.ts'

export const admin_api_call_notification_update = siteChange(
  'admin_api_call_notification_update(api_call_notification: UpdateApiCallNotificationInputType!, id: ID, physical_file_path: String): ApiCallNotification',
  'api_call_notification',
  'update',
)
