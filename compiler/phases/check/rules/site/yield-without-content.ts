/** `yield-without-content`: a `yield` of a name that no `content_for` fills. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const yieldWithoutContent = message(
  'yield-without-content',
  'warning',
  'WS34',
  (name: string, knownNames: Iterable<string>) => ({
    text: `No \`content_for\` fills ${quote(name)}, so this prints nothing.`,
    ...(suggestName(name, knownNames) ?? {
      hint: `Fill it with \`{% content_for '${name}' %}\`, or add \`default: ''\` if it may be empty.`,
    }),
  }),
  {
    wrong: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}{% yield 'hed' %}`,
    right: `{% content_for 'head' %}x{% endcontent_for %}{% yield 'head' %}`,
  },
)
