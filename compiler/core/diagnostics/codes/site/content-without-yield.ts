/** `content-without-yield`: a `content_for` whose name no `yield` prints. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const contentWithoutYield = message(
  'content-without-yield',
  'warning',
  'WS34',
  (name: string, known: Iterable<string>) => ({
    text: `No \`yield\` prints ${quoted(name)}.`,
    ...(meantName(name, known) ?? { hint: `Print it with \`{% yield '${name}' %}\`, or take it away.` }),
  }),
  {
    wrong: `{% content_for 'head' %}x{% endcontent_for %}`,
    right: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}`,
  },
)
