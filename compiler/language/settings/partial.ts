/** Settings of partials and of files in `lib`. */
import type { PartialSettings } from '../../core/model/settings.ts'
import { settings, text, word, customValues } from './setting.ts'

const keys = {
  metadata: customValues('Custom values that describe the file, such as its parameters.'),
  converter: {
    schema: word('markdown'),
    description:
      'Marks the output of the file as Markdown. It is converted to HTML together with the Markdown page that prints it.',
  },
  path: { schema: text, description: 'Another name of the partial.' },
} as const

export const partial = settings<typeof keys, PartialSettings>({
  noun: 'partial',
  description:
    'A template that is called with `render`, `include`, `function` or `background`. It can read its arguments and `context`.',
  keys,
  read: (from) => ({
    kind: 'partial',
    metadata: from.map('metadata'),
    converter: from.value('converter') ?? null,
    converterAt: from.keySpan('converter'),
    path: from.reference('path'),
  }),
})
