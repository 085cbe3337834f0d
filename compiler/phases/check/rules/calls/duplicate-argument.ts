/** `duplicate-argument`: an argument that a call passes twice. The last value is used. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { NameNode } from '../../../../core/tree/ast.ts'
import type { PartialCall } from '../../../../language/tags/tag.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports an argument that a call passes again. `first`: the place where the call passes it first, if any. */
export function checkDuplicateArgument(
  walk: Walk,
  kind: PartialCall['kind'],
  { name, span }: NameNode,
  first: Span | undefined,
): void {
  if (first !== undefined && kind !== 'function') walk.report(duplicateArgument(span, name, first))
}

export const duplicateArgument = message(
  'duplicate-argument',
  'warning',
  'DuplicateRenderPartialArguments',
  (name: string, firstSpan: Span) => ({
    text: `The argument ${quote(name)} is passed twice; the last value is used.`,
    change: { edits: [{ span: firstSpan, target: 'argument', text: '' }], safe: true },
    related: [{ span: firstSpan, message: 'the argument is first passed here' }],
  }),
  {
    wrong: `{% render 'card', title: 'x', title: 'y' %}`,
    right: `{% render 'card', title: 'y' %}`,
    both: { 'app/views/partials/card.liquid': '{{ title }}' },
  },
)
