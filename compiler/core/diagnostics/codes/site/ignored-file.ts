/** `ignored-file`: a file below `app/` or a module that is no part of the site. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const ignoredFile = message(
  'ignored-file',
  'warning',
  'IgnoredFile',
  /** `meant`: the path that was likely meant. */
  (reason: string, meant: string | null) => ({
    text: `This file is left out: ${reason}.`,
    hint: meant === null ? undefined : `Did you mean ${quoted(meant)}?`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yaml': `name: item
`,
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
`,
    },
  },
)
