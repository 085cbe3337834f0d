/** `cut-text`: a text in the arguments of a tag that calls a partial, which holds a `%}`, where the tag ends. */
import { message } from '../../diagnostic.ts'

export const cutText = message(
  'cut-text',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'The tag ends at the first `%}` of this text, which is not passed; what follows is printed as it stands.',
    hint: 'Keep the text with `capture`, and `raw` in it, and pass the variable.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': "{% render 'note', text: 'Write `{% break %}` here.' %}",
      'app/views/partials/note.liquid': "{{ text | default: '' }}",
    },
    right: {
      'app/views/pages/index.liquid':
        "{% capture text %}Write `{% raw %}{% break %}{% endraw %}` here.{% endcapture %}{% render 'note', text: text %}",
      'app/views/partials/note.liquid': "{{ text | default: '' }}",
    },
  },
)
