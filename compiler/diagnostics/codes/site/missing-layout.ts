/** `missing-layout`: a layout that settings name and that does not exist. */
import { message } from '../../diagnostic.ts'
import { nearestPath } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const missingLayout = message(
  'missing-layout',
  'error',
  'ValidFrontmatter',
  (name: string, known: Iterable<string>) => {
    const meant = nearestPath(name, known)
    return {
      text: `There is no layout named ${quoted(name)}.`,
      hint:
        meant === null
          ? `Write it in \`app/views/layouts/${name}.liquid\`, or \`layout: ''\` for none.`
          : `Did you mean \`${meant}\`?`,
    }
  },
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
