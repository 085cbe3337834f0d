/** `missing-doc-param`: a variable that a partial reads, but that its `doc` block does not declare. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingDocParam = message(
  'missing-doc-param',
  'warning',
  'MissingDocParam',
  // `suggestion`: a declared name, or a string literal in quotes.
  (name: string, doc: Span, suggestion: string | null = null) => ({
    subject: { kind: 'parameter', name },
    meant: suggestion === null || suggestion.startsWith("'") ? undefined : suggestion,
    text: `The partial reads ${quote(name)}, but its \`doc\` block does not declare it.`,
    hint:
      suggestion === null
        ? `Add \`@param ${name}\`.`
        : suggestion.startsWith("'")
          ? `Write \`${suggestion}\`, in quotes.`
          : `Did you mean \`${suggestion}\`? Otherwise, add \`@param ${name}\`.`,
    change: suggestion === null ? undefined : { edits: [{ part: name, text: suggestion }] },
    related: [{ span: doc, message: 'the parameters are declared here' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - a
{% enddoc %}{{ title }}{{ note }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - a
{% enddoc %}{{ title }}`,
    },
  },
)
