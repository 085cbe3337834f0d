/** `admin_email_notification_delete`: deletes a mail. */
import { siteChange } from '../site/site-change.ts'

export const admin_email_notification_delete = siteChange(
  'admin_email_notification_delete(id: ID, physical_file_path: String): EmailNotification',
  'email_notification',
  'delete',
)
