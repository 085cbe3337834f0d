/** `admin_email_notification_update_all`: changes all matching mails. */
import { siteChange } from '../site/site-change.ts'

export const admin_email_notification_update_all = siteChange(
  'admin_email_notification_update_all(email_notification: UpdateEmailNotificationInputType!, filter: EmailNotificationsFilterInput!): ObjectCount',
  'email_notification',
  'update_all',
)
