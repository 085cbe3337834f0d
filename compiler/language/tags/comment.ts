/** `comment`: is never rendered. Comments can be nested, and end tags inside a `raw` block are ignored. */
import { tag } from './tag.ts'

export const comment = tag({
  name: 'comment',
  usage: '{% comment %}…{% endcomment %}',
  docs: {
    description: 'Is never rendered. Comments can be nested, and end tags inside a `raw` block are ignored.',
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
