/** Partials and the files of `lib`. */
import type { PartialSettings } from '../../core/model/settings.ts'
import { mapping, settings, text, word } from './setting.ts'

const keys = {
  metadata: { schema: mapping, says: 'Free values that describe the file, such as its parameters.', default: {} },
  converter: {
    schema: word('markdown'),
    says: 'Says that the file prints Markdown, which becomes HTML with the Markdown page that prints it.',
  },
  path: { schema: text, says: 'A second name of the partial.' },
} as const

export const partial = settings<typeof keys, PartialSettings>({
  noun: 'partial',
  says: 'A template that others call with `render`, `include`, `function` or `background`. It sees what it is passed, and `context`.',
  keys,
  read: (from) => ({
    kind: 'partial',
    metadata: from.map('metadata'),
    converter: from.value('converter') ?? null,
    converterAt: from.keySpan('converter'),
    path: from.reference('path'),
  }),
})
