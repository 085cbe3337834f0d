/** `yield-without-content`: a `yield` of a name that no `content_for` fills. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const yieldWithoutContent = message(
  'yield-without-content',
  'warning',
  'WS34',
  (name: string, known: Iterable<string>) => ({
    text: `No \`content_for\` fills ${quoted(name)}, so this prints nothing.`,
    ...(meantName(name, known) ?? {
      hint: `Fill it with \`{% content_for '${name}' %}\`, or say \`default: ''\` where it may stay empty.`,
    }),
  }),
  {
    wrong: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}{% yield 'hed' %}`,
    right: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}`,
  },
)
