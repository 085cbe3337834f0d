/** Settings of text messages. */
import type { SmsSettings } from '../../core/model/settings.ts'
import { notification, notificationKeys } from './notification.ts'
import { liquid, settings } from './setting.ts'

const keys = {
  ...notificationKeys,
  content: { schema: liquid, description: 'The text, if it is not the body of the file.' },
} as const

export const sms = settings<typeof keys, SmsSettings>({
  noun: 'text message',
  description: 'A text message. The body of the file is its text. The passed values are in `data`.',
  keys,
  read: (from, file) => ({ kind: 'sms', ...notification(from, file), content: from.liquid('content') }),
})
