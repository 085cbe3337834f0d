/** `include-could-be-render`: an include that uses nothing of the caller. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const includeCouldBeRender = message(
  'include-could-be-render',
  'info',
  'WS39',
  (name: string) => ({
    text: `The partial ${quoted(name)} uses no variable of this file: \`render\` would do, and is checked better.`,
    change: { edits: [{ reach: 'markup', part: 'include', text: 'render' }], safe: true },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% include 'icon', name: 'x' %}`,
      'app/views/partials/icon.liquid': '{{ name }}',
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'icon', name: 'x' %}`,
      'app/views/partials/icon.liquid': '{{ name }}',
    },
  },
)
