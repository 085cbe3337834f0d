/** `missing-layout`: a layout that settings name and that does not exist. */
import { meantPath } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingLayout = message(
  'missing-layout',
  'error',
  'ValidFrontmatter',
  (name: string, known: Iterable<string>) => ({
    text: `There is no layout named ${quoted(name)}.`,
    ...(meantPath(name, known) ?? {
      hint: `Write it in \`app/views/layouts/${name}.liquid\`, or \`layout: ''\` for none.`,
    }),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `---
layout: aplication
---
x`,
      'app/views/layouts/application.liquid': '{{ content_for_layout }}',
    },
    right: {
      'app/views/pages/index.liquid': `---
layout: application
---
x`,
      'app/views/layouts/application.liquid': '{{ content_for_layout }}',
    },
  },
)
