/** Mails. */
import type { EmailSettings } from '../model/settings.ts'
import { notification, notificationKeys } from './notification.ts'
import { flag, liquid, settings, text, textOrMapping } from './setting.ts'

const keys = {
  ...notificationKeys,
  from: { schema: liquid, says: 'The address of the sender.', otherwise: 'the address in `INGOT_MAIL_FROM`' },
  subject: { schema: liquid, says: 'The subject of the mail.' },
  reply_to: { schema: liquid, says: 'The address that answers go to.' },
  cc: { schema: liquid, says: 'Further addresses that everybody sees, with commas between them.' },
  bcc: { schema: liquid, says: 'Further addresses that nobody sees, with commas between them.' },
  layout: { schema: text, says: 'The layout around the body; without it there is none.', see: 'layout' },
  layout_path: { schema: text, deprecated: 'layout', says: 'Older name of `layout`.' },
  forced: {
    schema: flag,
    says: 'Whether people get it who want no mails: nothing keeps mails back.',
    default: false,
    unread: true,
  },
  attachments: {
    schema: textOrMapping,
    says: 'Files, by their names: a mapping of each to its `url`, and `inline` for pictures that the body shows; also as the text of a JSON object.',
  },
  unique_args: {
    schema: textOrMapping,
    says: 'Names and values that go with the mail in headers, for the service that delivers it.',
  },
} as const

export const email = settings<typeof keys, EmailSettings>({
  noun: 'email',
  says: 'A mail: the body of the file is its HTML, from which the plain text is made. It reads what was passed as `data`.',
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
    forced: from.value('forced'),
    attachments: from.tree('attachments'),
    uniqueArgs: from.tree('unique_args'),
  }),
})
