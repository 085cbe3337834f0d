/** What mails, texts and API calls have in common. */
import { z } from 'zod'
import type { NotificationSettings } from '../model/settings.ts'
import type { SourceFile } from '../source/file.ts'
import { hasLiquid } from './liquid-text.ts'
import { type Entries, flag, liquid, logicalName, mapping, text, top } from './setting.ts'

const MINUTES = 'a number of minutes'

const minutes = z.union(
  [
    z.number().nonnegative({ error: MINUTES }),
    z.string().refine((value) => hasLiquid(value) || /^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(value), { error: MINUTES }),
  ],
  { error: MINUTES },
)

export const notificationKeys = {
  name: { schema: text },
  to: { schema: liquid },
  delay: { schema: minutes, refused: true },
  enabled: { schema: flag },
  trigger_condition: { schema: liquid },
  locale: { schema: liquid },
  metadata: { schema: mapping },
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
    enabled: from.value('enabled') ?? true,
    triggerCondition: from.liquid('trigger_condition'),
    locale: from.liquid('locale'),
    metadata: from.map('metadata'),
  }
}
