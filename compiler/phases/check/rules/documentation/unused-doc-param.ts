/** `unused-doc-param`: a declared parameter that the partial never reads. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedDocParam = message(
  'unused-doc-param',
  'warning',
  'UnusedDocParam',
  (name: string) => ({
    subject: { kind: 'parameter', name },
    text: `The declared parameter ${quote(name)} is never read.`,
    change: { edits: [{ target: 'entry', text: '' }] },
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - a
  @param {string} [note] - b
{% enddoc %}{{ title }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - a
{% enddoc %}{{ title }}`,
    },
  },
)
