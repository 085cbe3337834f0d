/** `doc`: documents a partial and types its parameters; never rendered. `parse/doc.ts` reads its text. */
import { tag } from './tag.ts'

export const doc = tag({
  name: 'doc',
  usage: '{% doc %} @param {string} title - text {% enddoc %}',
  docs: {
    says: 'Documents a file and types its parameters: the checker holds callers to it, and nothing of it is rendered.',
    examples: [
      {
        template: "{% render 'card', title: 'Tea' %}",
        files: {
          'app/views/partials/card.liquid':
            '{% doc %}\n  A dish in a list.\n  @param {string} title - its name\n  @param {number} [price] - in cents\n{% enddoc %}\n<b>{{ title }}</b>{{ price }}',
        },
        prints: '<b>Tea</b>',
      },
    ],
  },
  shape: 'raw',
  raw: 'verbatim',
  blank: true,
  leftover: 'error',
  grammar: () => undefined,
  check() {},
  emit() {},
})
