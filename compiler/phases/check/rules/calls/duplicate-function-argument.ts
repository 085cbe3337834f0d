/**
 * `duplicate-function-argument`: an argument that a `function` tag passes twice. The last value is used. Reported by
 * `checkDuplicateArgument` (phases/check/rules/calls/duplicate-argument.ts).
 */
import type { Span } from '../../../../core/source/span.ts'
import { message, type MessageText } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

/** Returns the message about an argument that any call passes twice. @param firstSpan the place where it is passed first */
export function passedTwice(name: string, firstSpan: Span): MessageText {
  return {
    text: `The argument ${quote(name)} is passed twice; the last value is used.`,
    change: { edits: [{ span: firstSpan, target: 'argument', text: '' }], safe: true },
    related: [{ span: firstSpan, message: 'the argument is first passed here' }],
  }
}

export const duplicateFunctionArgument = message(
  'duplicate-function-argument',
  'warning',
  'DuplicateFunctionArguments',
  (name: string, firstSpan: Span) => passedTwice(name, firstSpan),
  {
    wrong: `{% function r = 'double', n: 1, n: 2 %}{{ r }}`,
    right: `{% function r = 'double', n: 2 %}{{ r }}`,
    both: { 'app/lib/double.liquid': '{% return n | times: 2 %}' },
  },
)
