/** `argument-type`: an argument whose type contradicts the declared one. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'

export const argumentType = message(
  'argument-type',
  'warning',
  'ValidRenderPartialArgumentTypes',
  (partial: string, name: string, expected: string, found: string, declarationSpan: Span | null) => ({
    subject: { kind: 'argument', name, of: partial, type: found },
    text: `The partial ${quote(partial)} declares ${quote(name)} as ${withArticle(expected)}, but this is ${withArticle(found)}.`,
    related: declarationSpan === null ? [] : [{ span: declarationSpan, message: 'the parameter is declared here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'price', cents: 'x' %}`,
      'app/views/partials/price.liquid': `{% doc %}
  @param {number} cents - the price
{% enddoc %}{{ cents }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'price', cents: 100 %}`,
      'app/views/partials/price.liquid': `{% doc %}
  @param {number} cents - the price
{% enddoc %}{{ cents }}`,
    },
  },
)
