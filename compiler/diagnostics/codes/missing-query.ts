/** `missing-query`: a stored query that does not exist. */
import { bookSite } from '../book-site.ts'
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { quoted } from '../words.ts'

/** A file's own name without its folders is what older sites write. */
function mend(name: string, known: readonly string[]): string | undefined {
  const below = known.filter((each) => each.endsWith(`/${name}`))
  return below.length === 1 ? `Write its whole name: ${quoted(below[0] as string)}.` : didYouMean(name, known)
}

export const missingQuery = message(
  'missing-query',
  'error',
  'MissingPartial',
  (name: string, known: Iterable<string>) => ({
    text: `There is no query named ${quoted(name)}.`,
    hint: mend(name, [...known]),
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'boks' %}{% graphql h = 'books' %}{{ g }}{{ h.records }}` }),
    right: bookSite({ page: `{% graphql h = 'books' %}{{ h.records }}` }),
  },
)
