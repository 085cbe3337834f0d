/** Layouts: what stands around a page. */
import type { LayoutSettings } from '../../core/model/settings.ts'
import { mapping, settings, word } from './setting.ts'

const keys = {
  metadata: {
    schema: mapping,
    says: 'Free values that describe the file; nothing in them changes what it does.',
    default: {},
  },
  converter: { schema: word('markdown'), says: 'Makes HTML of the Markdown that the file prints.' },
} as const

export const layout = settings<typeof keys, LayoutSettings>({
  noun: 'layout',
  says: 'What stands around pages, which go where `{{ content_for_layout }}` is. A layout of the format of the page is preferred.',
  keys,
  read: (from) => ({
    kind: 'layout',
    metadata: from.map('metadata'),
    converter: from.value('converter') ?? null,
  }),
})
