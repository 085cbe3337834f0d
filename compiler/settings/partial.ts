/** Partials and the files of `lib`. */
import type { PartialSettings } from '../model/settings.ts'
import { mapping, settings, text, word } from './setting.ts'

const keys = {
  metadata: { schema: mapping },
  converter: { schema: word('markdown') },
  path: { schema: text },
} as const

export const partial = settings<typeof keys, PartialSettings>({
  noun: 'partial',
  keys,
  read: (from) => ({
    kind: 'partial',
    metadata: from.map('metadata'),
    converter: from.value('converter') ?? null,
    path: from.reference('path'),
  }),
})
