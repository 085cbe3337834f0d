/** `unknown-filter`: a filter that the language does not have. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { elsewhereHint, filterElsewhere } from '../../elsewhere.ts'
import { quoted } from '../../words.ts'

export const unknownFilter = message(
  'unknown-filter',
  'error',
  'UnknownFilter',
  (name: string, known: Iterable<string>, dialect: 'platform' | 'liquid' = 'platform') => {
    const elsewhere = filterElsewhere(name)
    return {
      text: `There is no filter named ${quoted(name)}.`,
      ...(elsewhere === null ? meantName(name, known) : { hint: elsewhereHint(name, 'filter', elsewhere, dialect) }),
    }
  },
  {
    wrong: `{{ 'a' | upcas }}`,
    right: `{{ 'a' | upcase }}`,
  },
)
