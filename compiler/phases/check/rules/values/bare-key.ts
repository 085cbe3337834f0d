/** `bare-key`: an unquoted key in a hash literal that is also the name of a variable. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const bareKey = message(
  'bare-key',
  'warning',
  'WS51',
  (name: string, assigned: Span | null) => ({
    text: `The key \`${name}\` has no quotes, so the value of the variable \`${name}\` becomes the key.`,
    hint: `To use the word itself as the key, write \`"${name}"\`.`,
    change: { edits: [{ part: name, text: `"${name}"` }] },
    related: assigned === null ? [] : [{ span: assigned, message: 'the variable is set here' }],
  }),
  {
    wrong: '{% assign id = 7 %}{% assign h = { id: id } %}{{ h }}',
    right: '{% assign id = 7 %}{% assign h = { "id": id } %}{{ h }}',
  },
)
