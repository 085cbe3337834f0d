/** `front-matter-unread`: settings that do not begin with a line of three dashes, so that the page shows them as text. */
import { message } from '../../diagnostic.ts'

export const frontMatterUnread = message(
  'front-matter-unread',
  'warning',
  'YAMLSyntaxError',
  () => ({
    text: 'These settings are read as text: they do not begin with a line of three dashes.',
    hint: 'Write `---` on the first line.',
    change: {
      edits: [{ reach: 'file', match: '^(?:[ \\t]*\\n)*(?:[ \\t]*[^\\w\\s]{1,5}[ \\t]*\\n)?', text: '---\n' }],
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
