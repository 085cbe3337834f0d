/** `missing-doc-param`: a name that a documented partial reads without declaring it. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingDocParam = message(
  'missing-doc-param',
  'warning',
  'MissingDocParam',
  // `meant`: a name that there is, or a text in quotes.
  (name: string, doc: Span, meant: string | null = null) => ({
    text: `The partial reads ${quoted(name)}, which its \`doc\` does not declare.`,
    hint:
      meant === null
        ? `Add \`@param ${name}\`.`
        : meant.startsWith("'")
          ? `Write \`${meant}\`, in quotes.`
          : `Did you mean \`${meant}\`? Else add \`@param ${name}\`.`,
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
