/** `missing-query`: a stored query that does not exist. */
import { suggestClosingQuote, suggestReplacement } from '../../../../core/diagnostics/change.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { findNearestPath } from '../../../../core/diagnostics/suggest.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

function suggestFix(name: string, knownNames: Iterable<string>): Fix {
  const names = [...knownNames]
  const quoteFix = suggestClosingQuote(name, names)
  if (quoteFix !== undefined) return quoteFix
  const nearestName = findNearestPath(name, names)
  const fix = suggestReplacement(name, nearestName)
  if (nearestName === null || fix === undefined)
    return { hint: `Create ${quote(`app/graphql/${name}.graphql`)}, or remove the call.` }
  return nearestName.endsWith(`/${name}`) ? { ...fix, hint: `Write its full name: ${quote(nearestName)}.` } : fix
}

export const missingQuery = message(
  'missing-query',
  'error',
  'MissingPartial',
  (name: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'query', name },
    text: `There is no query named ${quote(name)}.`,
    ...suggestFix(name, knownNames),
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'boks' %}{% graphql h = 'books' %}{{ g }}{{ h.records }}` }),
    right: bookSite({ page: `{% graphql h = 'books' %}{{ h.records }}` }),
  },
)
