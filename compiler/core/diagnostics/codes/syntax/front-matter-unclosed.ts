/** `front-matter-unclosed`: a first line `---` without a second one. */
import { message } from '../../diagnostic.ts'

export const frontMatterUnclosed = message(
  'front-matter-unclosed',
  'error',
  'YAMLSyntaxError',
  () => ({
    text: 'The settings that begin with `---` never end.',
    hint: 'Write a line `---` behind the last setting.',
    change: {
      edits: [
        {
          reach: 'file',
          match: '^(---[^\\n]*\\n(?:(?:[\\w-]+:[^\\n]*|[ \\t]+[^\\n]*|- [^\\n]*|#[^\\n]*)\\n)+)',
          text: '$1---\n',
        },
      ],
      safe: false,
    },
  }),
  {
    wrong: `---
slug: about
<h1>About</h1>`,
    right: `---
slug: about
---
<h1>About</h1>`,
  },
)
