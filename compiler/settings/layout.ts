/** Layouts: what stands around a page. */
import type { LayoutSettings } from '../model/settings.ts'
import { mapping, settings, word } from './setting.ts'

const keys = {
  metadata: { schema: mapping },
  converter: { schema: word('markdown') },
} as const

export const layout = settings<typeof keys, LayoutSettings>({
  noun: 'layout',
  keys,
  read: (from) => ({
    kind: 'layout',
    metadata: from.map('metadata'),
    converter: from.value('converter') ?? null,
  }),
})
