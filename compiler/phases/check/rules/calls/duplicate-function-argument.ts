/** `duplicate-function-argument`: an argument that a `function` tag passes twice. The last value is used. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { NameNode } from '../../../../core/tree/ast.ts'
import type { PartialCall } from '../../../../language/tags/tag.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports an argument that a call passes again. `first`: the place where the call passes it first, if any. */
export function checkDuplicateFunctionArgument(
  walk: Walk,
  kind: PartialCall['kind'],
  { name, span }: NameNode,
  first: Span | undefined,
): void {
  if (first !== undefined && kind === 'function') walk.report(duplicateFunctionArgument(span, name, first))
}

export const duplicateFunctionArgument = message(
  'duplicate-function-argument',
  'warning',
  'DuplicateFunctionArguments',
  (name: string, firstSpan: Span) => ({
    text: `The argument ${quote(name)} is passed twice; the last value is used.`,
    change: { edits: [{ span: firstSpan, target: 'argument', text: '' }], safe: true },
    related: [{ span: firstSpan, message: 'the argument is first passed here' }],
  }),
  {
    wrong: `{% function r = 'double', n: 1, n: 2 %}{{ r }}`,
    right: `{% function r = 'double', n: 2 %}{{ r }}`,
    both: { 'app/lib/double.liquid': '{% return n | times: 2 %}' },
  },
)
