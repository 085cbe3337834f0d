/** Settings that emails, text messages and API calls have in common. */
import * as z from 'zod'
import type { NotificationSettings } from '../../core/model/settings.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { hasLiquid } from './liquid-text.ts'
import { type Entries, flag, liquid, logicalName, top, unlessBlank, customValues, fileName } from './setting.ts'

const MINUTES = 'a number of minutes'

const minutes = z.union(
  [
    z.number().nonnegative({ error: MINUTES }),
    z.string().refine((value) => hasLiquid(value) || /^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(value), { error: MINUTES }),
  ],
  { error: MINUTES },
)

export const notificationKeys = {
  name: fileName('The name of the notification in forms and queries.'),
  to: {
    schema: liquid,
    description: 'The recipient: an address or a phone number, or several separated by commas.',
    required: true,
  },
  delay: {
    schema: unlessBlank(minutes),
    refused: true,
    takes: 'a number of minutes, or Liquid',
    description: 'The delay before the notification is sent, in minutes.',
    otherwise: 'no delay',
  },
  enabled: { schema: flag, description: 'With `false`, the notification is never sent.', default: true },
  trigger_condition: {
    schema: liquid,
    description: 'Liquid that runs after the delay. The notification is sent only if it prints `true`.',
    otherwise: 'always sent',
  },
  locale: {
    schema: liquid,
    description: 'The language of the translations in the notification.',
    otherwise: 'the language of the request',
  },
  metadata: customValues(),
} as const

export function notification(from: Entries<typeof notificationKeys>, file: SourceFile): NotificationSettings {
  const to = from.liquid('to')
  // Without `to`, no one would receive it.
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
