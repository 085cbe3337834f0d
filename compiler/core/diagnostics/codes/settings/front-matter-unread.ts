/**
 * `front-matter-unread`: front matter without its first line `---`, so the page prints it as text. Reported by `findUnreadSettings`
 * (phases/parse/parse.ts).
 */
import { message } from '../../diagnostic.ts'

export const frontMatterUnread = message(
  'front-matter-unread',
  'warning',
  'YAMLSyntaxError',
  () => ({
    text: 'These settings are printed as text, because there is no `---` line before them.',
    hint: 'Write `---` on the first line.',
    change: {
      edits: [{ target: 'file', match: '^(?:[ \\t]*\\n)*(?:[ \\t]*[^\\w\\s]{1,5}[ \\t]*\\n)?', text: '---\n' }],
      safe: false,
    },
  }),
  {
    wrong: `--
slug: about
---
<h1>About</h1>`,
    right: `---
slug: about
---
<h1>About</h1>`,
  },
)
