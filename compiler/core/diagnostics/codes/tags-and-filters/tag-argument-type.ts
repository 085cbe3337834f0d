/**
 * `tag-argument-type`: an argument of a tag that has the wrong type. Reported by `checkLoopHead` (language/tags/for.ts), `checkOption`
 * (language/tags/options.ts) and `runQuery` (phases/check/types/queries.ts).
 */
import { message } from '../../diagnostic.ts'
import { withArticle, quote } from '../../words.ts'

export const tagArgumentType = message(
  'tag-argument-type',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string, expected: string, found: string) => ({
    text: `The tag \`${tag}\` needs ${withArticle(expected)} as ${quote(name)}, but this is ${withArticle(found)}.`,
  }),
  {
    wrong: `{% for x in (1..3) limit: 'ten' %}{{ x }}{% endfor %}`,
    right: '{% for x in (1..3) limit: 10 %}{{ x }}{% endfor %}',
  },
)
