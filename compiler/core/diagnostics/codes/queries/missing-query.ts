/** `missing-query`: a stored query that does not exist. */
import { cutName, meant } from '../../change.ts'
import { bookSite } from '../../book-site.ts'
import { type Mend, message } from '../../diagnostic.ts'
import { nearestPath } from '../../suggest.ts'
import { quoted } from '../../words.ts'

function mendOf(name: string, known: Iterable<string>): Mend {
  const names = [...known]
  const cut = cutName(name, names)
  if (cut !== undefined) return cut
  const near = nearestPath(name, names)
  const mend = meant(name, near)
  if (near === null || mend === undefined)
    return { hint: `Write the query in ${quoted(`app/graphql/${name}.graphql`)}, or take the call away.` }
  return near.endsWith(`/${name}`) ? { ...mend, hint: `Write its whole name: ${quoted(near)}.` } : mend
}

export const missingQuery = message(
  'missing-query',
  'error',
  'MissingPartial',
  (name: string, known: Iterable<string>) => ({
    text: `There is no query named ${quoted(name)}.`,
    ...mendOf(name, known),
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'boks' %}{% graphql h = 'books' %}{{ g }}{{ h.records }}` }),
    right: bookSite({ page: `{% graphql h = 'books' %}{{ h.records }}` }),
  },
)
