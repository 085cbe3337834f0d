/** `missing-layout`: a layout that a setting names but that does not exist. */
import { suggestPath } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingLayout = message(
  'missing-layout',
  'error',
  'ValidFrontmatter',
  (name: string, knownNames: Iterable<string>) => ({
    text: `There is no layout named ${quote(name)}.`,
    ...(suggestPath(name, knownNames) ?? {
      hint: `Create \`app/views/layouts/${name}.liquid\`, or write \`layout: ''\` for no layout.`,
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
