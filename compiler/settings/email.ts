/** Mails. */
import type { EmailSettings } from '../model/settings.ts'
import { notification, notificationKeys } from './notification.ts'
import { flag, liquid, settings, text, textOrMapping } from './setting.ts'

const keys = {
  ...notificationKeys,
  from: { schema: liquid },
  subject: { schema: liquid },
  reply_to: { schema: liquid },
  cc: { schema: liquid },
  bcc: { schema: liquid },
  layout: { schema: text },
  layout_path: { schema: text, deprecated: 'layout' },
  forced: { schema: flag },
  attachments: { schema: textOrMapping },
  unique_args: { schema: textOrMapping },
} as const

export const email = settings<typeof keys, EmailSettings>({
  noun: 'email',
  keys,
  read: (from, file) => ({
    kind: 'email',
    ...notification(from, file),
    from: from.liquid('from'),
    subject: from.liquid('subject'),
    replyTo: from.liquid('reply_to'),
    cc: from.liquid('cc'),
    bcc: from.liquid('bcc'),
    layout: from.reference('layout', 'layout_path'),
    forced: from.value('forced') ?? false,
    attachments: from.tree('attachments'),
    uniqueArgs: from.tree('unique_args'),
  }),
})
