/** `content-without-yield`: a `content_for` whose name no `yield` prints. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const contentWithoutYield = message(
  'content-without-yield',
  'warning',
  'WS34',
  (name: string, knownNames: Iterable<string>) => ({
    text: `No \`yield\` prints ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: `Print the content with \`{% yield '${name}' %}\`, or remove it.` }),
  }),
  {
    wrong: `{% content_for 'head' %}x{% endcontent_for %}`,
    right: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}`,
  },
)
