/** Text messages. */
import type { SmsSettings } from '../model/settings.ts'
import { notification, notificationKeys } from './notification.ts'
import { liquid, settings } from './setting.ts'

const keys = {
  ...notificationKeys,
  content: { schema: liquid },
} as const

export const sms = settings<typeof keys, SmsSettings>({
  noun: 'text message',
  keys,
  read: (from, file) => ({ kind: 'sms', ...notification(from, file), content: from.liquid('content') }),
})
