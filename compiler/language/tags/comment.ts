/** `comment`: never rendered. It nests, and a `raw` inside hides its content from the search for the end. */
import { tag } from './tag.ts'

export const comment = tag({
  name: 'comment',
  usage: '{% comment %}…{% endcomment %}',
  docs: {
    says: 'Is never rendered. Comments nest, and a `raw` inside hides its text from the search for the end.',
    examples: [
      {
        template: 'Tea{% comment %} {{ secret }} {% comment %}inner{% endcomment %} {% endcomment %} &amp; milk',
        prints: 'Tea &amp; milk',
      },
    ],
  },
  shape: 'raw',
  raw: 'nesting',
  blank: true,
  leftover: 'ignored',
  grammar: () => undefined,
  check() {},
  emit() {},
})
