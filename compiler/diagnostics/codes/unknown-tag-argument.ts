/** `unknown-tag-argument`: a named argument that the tag does not read. */
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { quoted } from '../words.ts'

export const unknownTagArgument = message(
  'unknown-tag-argument',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string, known: Iterable<string>) => ({
    text: `The tag \`${tag}\` has no argument named ${quoted(name)}.`,
    hint: didYouMean(name, known),
  }),
  {
    wrong: `{% cache 'k', expires: 5 %}x{% endcache %}`,
    right: `{% cache 'k', expire: 5 %}x{% endcache %}`,
  },
)
