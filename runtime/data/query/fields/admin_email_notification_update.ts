/** `admin_email_notification_update`: changes a mail. */
import { siteChange } from '../site/site-change.ts'

export const admin_email_notification_update = siteChange(
  'admin_email_notification_update(email_notification: UpdateEmailNotificationInputType!, id: ID, physical_file_path: String): EmailNotification',
  'email_notification',
  'update',
)
