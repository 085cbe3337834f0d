/** `admin_api_call_notification_delete`: deletes an API call. */
import { siteChange } from '../site/site-change.ts'

export const admin_api_call_notification_delete = siteChange(
  'admin_api_call_notification_delete(id: ID, physical_file_path: String): ApiCallNotification',
  'api_call_notification',
  'delete',
)
