/** Settings of layouts. */
import type { LayoutSettings } from '../../core/model/settings.ts'
import { settings, word, customValues } from './setting.ts'

const keys = {
  metadata: customValues(),
  converter: { schema: word('markdown'), description: 'Converts the Markdown output of the file to HTML.' },
} as const

export const layout = settings<typeof keys, LayoutSettings>({
  noun: 'layout',
  description:
    'The frame around pages. `{{ content_for_layout }}` prints the page. A layout with the format of the page is preferred.',
  keys,
  read: (from) => ({
    kind: 'layout',
    metadata: from.map('metadata'),
    converter: from.value('converter') ?? null,
  }),
})
