/** `argument-type`: an argument whose type contradicts the declared one. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'
import { docType } from '../../../../language/types/from-doc.ts'
import { assignable, describe, onlyCategory } from '../../../../language/types/relate.ts'
import type { KnownCall } from '../../walk/known-call.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports arguments whose types the declared types certainly exclude. */
export function checkArgumentTypes(walk: Walk, { name, declared, passed }: KnownCall): void {
  for (const [key, { value }] of passed.values) {
    const param = declared.get(key)
    const expected = param?.type == null ? null : docType(param.type)
    const type = passed.types.get(key)
    // A value with several possible types may have the expected type here.
    if (param === undefined || expected === null || type === undefined || onlyCategory(type) === null) continue
    if (!assignable(type, expected))
      walk.report(argumentType(value.span, name, key, describe(expected), describe(type), param.span))
  }
}

export const argumentType = message(
  'argument-type',
  'warning',
  'ValidRenderPartialArgumentTypes',
  (partial: string, name: string, expected: string, found: string, declarationSpan: Span) => ({
    subject: { kind: 'argument', name, of: partial, type: found },
    text: `The partial ${quote(partial)} declares ${quote(name)} as ${withArticle(expected)}, but this is ${withArticle(found)}.`,
    related: [{ span: declarationSpan, message: 'the parameter is declared here' }],
  }),
  {
    wrong: `{% render 'price', cents: 'x' %}`,
    right: `{% render 'price', cents: 100 %}`,
    both: {
      'app/views/partials/price.liquid': `{% doc %}
  @param {number} cents - the price
{% enddoc %}{{ cents }}`,
    },
  },
)
