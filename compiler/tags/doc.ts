/** `doc`: documents a partial and types its parameters; never rendered. `parse/doc.ts` reads its text. */
import { tag } from './tag.ts'

export const doc = tag({
  name: 'doc',
  usage: '{% doc %} @param {string} title - text {% enddoc %}',
  shape: 'raw',
  raw: 'verbatim',
  blank: true,
  leftover: 'error',
  grammar: () => undefined,
  check() {},
  emit() {},
})
