/** `include-could-be-render`: an `include` whose partial uses no variable of the caller. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const includeCouldBeRender = message(
  'include-could-be-render',
  'info',
  'WS39',
  (name: string) => ({
    subject: { kind: 'partial', name },
    text: `The partial ${quote(name)} uses no variables of this file, so \`render\` works too and is checked more strictly.`,
    change: { edits: [{ target: 'markup', part: 'include', text: 'render' }], safe: true },
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
