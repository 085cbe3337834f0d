/** `bare-key`: an unquoted key in a hash literal that is also the name of a variable. */
import type { Walk } from '../../walk/walk.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'

export const bareKey = message(
  'bare-key',
  'warning',
  'WS51',
  (name: string, assigned: Span | null) => ({
    text: `The key \`${name}\` has no quotes, so the value of the variable \`${name}\` becomes the key.`,
    hint: `To use the word itself as the key, write \`"${name}"\`.`,
    change: { edits: [{ part: name, text: `"${name}"` }] },
    related: relatedAt(assigned, 'the variable is set here'),
  }),
  {
    wrong: '{% assign id = 7 %}{% assign h = { id: id } %}{{ h }}',
    right: '{% assign id = 7 %}{% assign h = { "id": id } %}{{ h }}',
  },
)

/** Reports an unquoted key that is the name of a set variable, and records the read of the variable. Returns whether it is one. */
export function checkBareKey(walk: Walk, name: string, span: Span): boolean {
  if (!walk.isSet(name)) return false
  walk.reads.used.add(name)
  walk.report(bareKey(span, name, walk.flow.variables.get(name)?.span ?? null))
  return true
}
