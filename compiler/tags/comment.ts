/** `comment`: never rendered. It nests, and a `raw` inside hides its content from the search for the end. */
import { tag } from './tag.ts'

export const comment = tag({
  name: 'comment',
  usage: '{% comment %}…{% endcomment %}',
  shape: 'raw',
  raw: 'nesting',
  blank: true,
  leftover: 'ignored',
  grammar: () => undefined,
  check() {},
  emit() {},
})
