/** `function-without-return`: the result of a partial that returns nothing, which is always nil. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { PartialCall } from '../../../../language/tags/tag.ts'
import { literalText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'

/** A call of a function that returns nothing. */
export interface EmptyCall {
  readonly span: Span
  readonly partial: string
}

/** Returns a call whose function has no `return` with a value; null for other calls. A `return` in an included file does not count. */
export function emptyCallOf(walk: Walk, { kind, name, span }: PartialCall): EmptyCall | null {
  const partial = kind === 'function' ? literalText(name) : null
  const unit = partial === null ? undefined : walk.env.site.partials.get(partial)
  const facts = unit === undefined ? undefined : walk.env.facts(unit.file.path)
  if (partial === null || unit?.template?.isBroken !== false || facts === undefined) return null
  return facts.returned === null ? { span, partial } : null
}

/** Reports a call whose result is assigned to a variable. If the variable is never read, the function is called for its side effects. */
export function checkEmptyResult(walk: Walk, variable: string, { span, partial }: EmptyCall): void {
  if (walk.siteTemplate.outline.reads.has(variable)) walk.report(functionWithoutReturn(span, partial))
}

export const functionWithoutReturn = message(
  'function-without-return',
  'error',
  'WS06',
  (partial: string) => ({
    subject: { kind: 'partial', name: partial },
    text: `The partial ${quote(partial)} never returns a value, so the result is always nil.`,
    hint: 'Add `{% return value %}` to the partial, or call it with `render`.',
  }),
  {
    wrong: `{% function r = 'card' %}{{ r }}`,
    right: `{% render 'card' %}`,
    both: { 'app/views/partials/card.liquid': 'x' },
  },
)
