/** `admin_sent_notifications`: mails, text messages and API calls that were sent or failed. */
import type { QueryField } from '../model.ts'
import { notification } from '../sdl/notification.ts'
import { notificationsJson } from '../rows/notifications.ts'

export const admin_sent_notifications: QueryField = {
  kind: 'query',
  name: 'admin_sent_notifications',
  sdl: 'admin_sent_notifications(filter: SentNotificationsFilterInput, page: Int = 1, per_page: Int = 20, sort: [SentNotificationsSortInput!]): SentNotificationCollection!',
  types: notification,
  build: notificationsJson,
}
