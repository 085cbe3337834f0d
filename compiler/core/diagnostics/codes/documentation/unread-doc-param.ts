/** `unread-doc-param`: a line of the documentation that was meant to declare a parameter, by another word or without braces. */
import { instead } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unreadDocParam = message(
  'unread-doc-param',
  'warning',
  'MissingDocParam',
  (written: string, meant: string) => ({
    text: `${quoted(written)} does not declare a parameter.`,
    ...instead(meant),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% render 'card', title: 'x' %}`,
      'app/views/partials/card.liquid': `{% doc %}
  @parm {string} title - a
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
