/** What mails, texts and API calls have in common. */
import * as z from 'zod'
import type { NotificationSettings } from '../../core/model/settings.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { hasLiquid } from './liquid-text.ts'
import { type Entries, flag, liquid, logicalName, mapping, text, top, unlessBlank } from './setting.ts'

const MINUTES = 'a number of minutes'

const minutes = z.union(
  [
    z.number().nonnegative({ error: MINUTES }),
    z.string().refine((value) => hasLiquid(value) || /^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(value), { error: MINUTES }),
  ],
  { error: MINUTES },
)

export const notificationKeys = {
  name: { schema: text, says: 'What forms and queries call it.', otherwise: 'the path of the file' },
  to: {
    schema: liquid,
    says: 'Who gets it: an address or a number, or several with commas between them.',
    required: true,
  },
  delay: {
    schema: unlessBlank(minutes),
    refused: true,
    takes: 'a number of minutes, or Liquid',
    says: 'How long it waits before it is sent, in minutes.',
    otherwise: 'at once',
  },
  enabled: { schema: flag, says: 'Whether it is ever sent.', default: true },
  trigger_condition: {
    schema: liquid,
    says: 'Sent only where this prints `true`, once the delay is over.',
    otherwise: 'always sent',
  },
  locale: { schema: liquid, says: 'The language of its translations.', otherwise: 'the language of the request' },
  metadata: {
    schema: mapping,
    says: 'Free values that describe the file; nothing in them changes what it does.',
    default: {},
  },
} as const

export function notification(from: Entries<typeof notificationKeys>, file: SourceFile): NotificationSettings {
  const to = from.liquid('to')
  // Nobody would get it.
  if ((to === null || to.text.trim() === '') && from.value('enabled') !== false) from.missing('to')
  return {
    name: logicalName(from.value('name') ?? file.name, file),
    nameSpan: from.span('name') ?? top(file),
    to,
    delay: from.liquid('delay'),
    enabled: from.value('enabled'),
    triggerCondition: from.liquid('trigger_condition'),
    locale: from.liquid('locale'),
    metadata: from.map('metadata'),
    keySpans: from.keySpans,
  }
}
