/** `front-matter-unclosed`: a first line `---` without a second one. Reported by `parseFile` (phases/parse/parse.ts). */
import { message } from '../../diagnostic.ts'

export const frontMatterUnclosed = message(
  'front-matter-unclosed',
  'error',
  'YAMLSyntaxError',
  () => ({
    text: 'The front matter that begins with `---` is never closed.',
    hint: 'Write a `---` line after the last setting.',
    change: {
      edits: [
        {
          target: 'file',
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
