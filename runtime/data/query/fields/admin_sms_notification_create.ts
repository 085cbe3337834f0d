/** `admin_sms_notification_create`: creates a text message. */
import { siteChange } from '../site/site-change.ts'

export const admin_sms_notification_create = siteChange(
  'admin_sms_notification_create(sms_notification: SmsNotificationInputType!): SmsNotification',
  'sms_notification',
  'create',
)
