/** `tag-argument-type`: an argument of a tag that has the wrong type. */
import { message } from '../../diagnostic.ts'
import { a, quoted } from '../../words.ts'

export const tagArgumentType = message(
  'tag-argument-type',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string, expected: string, found: string) => ({
    text: `The tag \`${tag}\` needs ${a(expected)} as ${quoted(name)}, and this is ${a(found)}.`,
  }),
  {
    wrong: `{% for x in (1..3) limit: 'ten' %}{{ x }}{% endfor %}`,
    right: '{% for x in (1..3) limit: 10 %}{{ x }}{% endfor %}',
  },
)
