/** `admin_email_notification_create`: creates a mail. */
import { siteChange } from '../site/site-change.ts'

export const admin_email_notification_create = siteChange(
  'admin_email_notification_create(email_notification: EmailNotificationInputType!): EmailNotification',
  'email_notification',
  'create',
)
