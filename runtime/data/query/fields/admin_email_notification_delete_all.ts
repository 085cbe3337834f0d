/** `admin_email_notification_delete_all`: deletes all matching mails. */
import { siteChange } from '../site/site-change.ts'

export const admin_email_notification_delete_all = siteChange(
  'admin_email_notification_delete_all(filter: EmailNotificationsFilterInput!): ObjectCount',
  'email_notification',
  'delete_all',
)
