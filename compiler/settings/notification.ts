/** What mails, texts and API calls have in common. */
import type { NotificationSettings } from '../model/settings.ts'
import type { SourceFile } from '../source/file.ts'
import { type Entries, flag, liquid, logicalName, mapping, text, top } from './setting.ts'

export const notificationKeys = {
  name: { schema: text },
  to: { schema: liquid },
  delay: { schema: liquid },
  enabled: { schema: flag },
  trigger_condition: { schema: liquid },
  locale: { schema: liquid },
  metadata: { schema: mapping },
} as const

export function notification(from: Entries<typeof notificationKeys>, file: SourceFile): NotificationSettings {
  return {
    name: logicalName(from.value('name') ?? file.name, file),
    nameSpan: from.span('name') ?? top(file),
    to: from.liquid('to'),
    delay: from.liquid('delay'),
    enabled: from.value('enabled') ?? true,
    triggerCondition: from.liquid('trigger_condition'),
    locale: from.liquid('locale'),
    metadata: from.map('metadata'),
  }
}
