/** `missing-query`: a stored query that does not exist. */
import { bookSite } from '../../book-site.ts'
import { message } from '../../diagnostic.ts'
import { nearestPath } from '../../suggest.ts'
import { quoted } from '../../words.ts'

function mend(name: string, known: Iterable<string>): string {
  const meant = nearestPath(name, known)
  if (meant === null) return `Write the query in ${quoted(`app/graphql/${name}.graphql`)}, or take the call away.`
  return meant.endsWith(`/${name}`) ? `Write its whole name: ${quoted(meant)}.` : `Did you mean ${quoted(meant)}?`
}

export const missingQuery = message(
  'missing-query',
  'error',
  'MissingPartial',
  (name: string, known: Iterable<string>) => ({
    text: `There is no query named ${quoted(name)}.`,
    hint: mend(name, known),
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'boks' %}{% graphql h = 'books' %}{{ g }}{{ h.records }}` }),
    right: bookSite({ page: `{% graphql h = 'books' %}{{ h.records }}` }),
  },
)
