/** `cut-text`: a string argument that contains `%}`, which ends the tag. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'

export const cutText = message(
  'cut-text',
  'warning',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'The tag ends at the first `%}` in this string: the string is not passed, and the rest is printed.',
    hint: 'Store the string with `capture` and `raw`, and pass the variable.',
  }),
  {
    wrong: "{% render 'note', text: 'Write `{% break %}` here.' %}",
    right:
      "{% capture text %}Write `{% raw %}{% break %}{% endraw %}` here.{% endcapture %}{% render 'note', text: text %}",
    both: { 'app/views/partials/note.liquid': "{{ text | default: '' }}" },
  },
)
