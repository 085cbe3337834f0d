/** `ignored-file`: a file below `app/` or a module that is no part of the site. */
import { message } from '../diagnostic.ts'

export const ignoredFile = message(
  'ignored-file',
  'warning',
  'IgnoredFile',
  (reason: string) => ({
    text: `This file is left out: ${reason}.`,
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
