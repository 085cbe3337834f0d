/** `dropped-return`: a returned value that is not used. `partial` is null if the page itself returns it. */
import type { Span } from '../../../../core/source/span.ts'
import { message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { KnownCall } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/**
 * Reports a call that ignores the value that a partial returns. It is an info for an include, because other files may call the included
 * file with `function`, and for a file that prints, because it may be called for its output.
 */
export function checkDroppedReturn(walk: Walk, { call, name, unit, facts }: KnownCall): void {
  if (facts === undefined || facts.returned === null || call.kind === 'function' || call.kind === 'background') return
  const diagnostic = droppedReturn(call.span, name, facts.returned)
  const isMinor = call.kind === 'include' || walk.env.prints(unit.file.path)
  walk.report(isMinor ? { ...diagnostic, severity: 'info' } : diagnostic)
}

/** Reports a `return` with a value in a template that no other template calls. */
export function checkReturnToNone(walk: Walk): void {
  if (!walk.isPartial) walk.report(droppedReturn(walk.flow.span, null, null))
}

export const droppedReturn = message(
  'dropped-return',
  'warning',
  'WS08',
  (partial: string | null, returned: Span | null) => ({
    text:
      partial === null
        ? 'The value returned here is not used.'
        : `The partial ${quote(partial)} returns a value, but this call ignores it.`,
    hint:
      partial === null
        ? 'Print the value with `print`, or write `return` without a value.'
        : `Write \`{% function result = '${partial}' %}\`.`,
    related: relatedAt(returned, 'the value is returned here'),
  }),
  {
    wrong: `{% render 'one' %}`,
    right: `{% function one = 'one' %}{{ one }}`,
    both: { 'app/lib/one.liquid': '{% return 1 %}' },
  },
)
