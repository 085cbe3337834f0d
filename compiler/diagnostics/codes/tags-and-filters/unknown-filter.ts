/** `unknown-filter`: a filter that the language does not have. */
import { message } from '../../diagnostic.ts'
import { elsewhereHint, filterElsewhere } from '../../elsewhere.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownFilter = message(
  'unknown-filter',
  'error',
  'UnknownFilter',
  (name: string, known: Iterable<string>, dialect: 'platform' | 'liquid' = 'platform') => {
    const elsewhere = filterElsewhere(name)
    return {
      text: `There is no filter named ${quoted(name)}.`,
      hint: elsewhere === null ? didYouMean(name, known) : elsewhereHint(name, 'filter', elsewhere, dialect),
    }
  },
  {
    wrong: `{{ 'a' | upcas }}`,
    right: `{{ 'a' | upcase }}`,
  },
)
