/** `unknown-tag-argument`: a named argument that the tag does not read. Reported by `readOptions` (language/tags/options.ts). */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const unknownTagArgument = message(
  'unknown-tag-argument',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string, knownNames: Iterable<string>) => ({
    text: `The tag \`${tag}\` has no argument named ${quote(name)}.`,
    ...suggestName(name, knownNames),
  }),
  {
    wrong: `{% content_for 'side', flsh: true %}x{% endcontent_for %}{% yield 'side' %}`,
    right: `{% content_for 'side', flush: true %}x{% endcontent_for %}{% yield 'side' %}`,
  },
)
