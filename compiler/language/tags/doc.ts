/** `doc`: documents a partial and the types of its parameters. It is never rendered. `parse/doc.ts` parses its text. */
import { tag } from './tag.ts'

export const doc = tag({
  name: 'doc',
  usage: '{% doc %} @param {string} title - text {% enddoc %}',
  docs: {
    description:
      'Documents a file and the types of its parameters. The checker compares calls with it. It is never rendered.',
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
