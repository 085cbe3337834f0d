/** Text messages. */
import type { SmsSettings } from '../../core/model/settings.ts'
import { notification, notificationKeys } from './notification.ts'
import { liquid, settings } from './setting.ts'

const keys = {
  ...notificationKeys,
  content: { schema: liquid, says: 'The text, where the body of the file is not it.' },
} as const

export const sms = settings<typeof keys, SmsSettings>({
  noun: 'text message',
  says: 'A text message: the body of the file is its text. It reads what was passed as `data`.',
  keys,
  read: (from, file) => ({ kind: 'sms', ...notification(from, file), content: from.liquid('content') }),
})
