/** `duplicate-argument`: an argument that a call passes twice. The last value is used. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import type { NameNode } from '../../../../core/tree/ast.ts'
import type { PartialCall } from '../../../../language/tags/tag.ts'
import type { Walk } from '../../walk/walk.ts'
import { duplicateFunctionArgument, passedTwice } from './duplicate-function-argument.ts'

/** Reports an argument that a call passes again. `first`: the place where the call passes it first, if any. */
export function checkDuplicateArgument(
  walk: Walk,
  kind: PartialCall['kind'],
  { name, span }: NameNode,
  first: Span | undefined,
): void {
  if (first === undefined) return
  const duplicate = kind === 'function' ? duplicateFunctionArgument : duplicateArgument
  walk.report(duplicate(span, name, first))
}

export const duplicateArgument = message(
  'duplicate-argument',
  'warning',
  'DuplicateRenderPartialArguments',
  (name: string, firstSpan: Span) => passedTwice(name, firstSpan),
  {
    wrong: `{% render 'card', title: 'x', title: 'y' %}`,
    right: `{% render 'card', title: 'y' %}`,
    both: { 'app/views/partials/card.liquid': '{{ title }}' },
  },
)
