/** `admin_sms_notification_delete`: deletes a text message. */
import { siteChange } from '../site/site-change.ts'

export const admin_sms_notification_delete = siteChange(
  'admin_sms_notification_delete(id: ID, physical_file_path: String): SmsNotification',
  'sms_notification',
  'delete',
)
