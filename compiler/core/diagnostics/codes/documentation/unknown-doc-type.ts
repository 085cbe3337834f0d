/** `unknown-doc-type`: a type that parameters cannot have. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

export const unknownDocType = message(
  'unknown-doc-type',
  'warning',
  'ValidDocParamTypes',
  (type: string, known: Iterable<string>) => {
    const types = [...known]
    return {
      text: `There is no type named ${quoted(type)}.`,
      ...(meantName(type, types) ?? { hint: `The types are ${listed(types)}.` }),
    }
  },
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {strng} title - a
{% enddoc %}{{ title }}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @param {string} title - a
{% enddoc %}{{ title }}`,
    },
  },
)
