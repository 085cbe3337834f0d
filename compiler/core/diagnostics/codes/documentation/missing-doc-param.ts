/** `missing-doc-param`: a variable that a partial reads, but that its `doc` block does not declare. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const missingDocParam = message(
  'missing-doc-param',
  'warning',
  'MissingDocParam',
  // `meant`: a declared name, or a string literal in quotes.
  (name: string, doc: Span, meant: string | null = null) => ({
    text: `The partial reads ${quote(name)}, but its \`doc\` block does not declare it.`,
    hint:
      meant === null
        ? `Add \`@param ${name}\`.`
        : meant.startsWith("'")
          ? `Write \`${meant}\`, in quotes.`
          : `Did you mean \`${meant}\`? Otherwise, add \`@param ${name}\`.`,
    change: meant === null ? undefined : { edits: [{ part: name, text: meant }] },
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
