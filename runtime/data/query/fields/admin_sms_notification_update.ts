/** `admin_sms_notification_update`: changes a text message. */
import { siteChange } from '../site/site-change.ts'

export const admin_sms_notification_update = siteChange(
  'admin_sms_notification_update(id: ID, physical_file_path: String, sms_notification: UpdateSmsNotificationInputType!): SmsNotification',
  'sms_notification',
  'update',
)
