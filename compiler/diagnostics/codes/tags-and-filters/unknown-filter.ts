/** `unknown-filter`: a filter that the language does not have. */
import { message } from '../../diagnostic.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownFilter = message(
  'unknown-filter',
  'error',
  'UnknownFilter',
  (name: string, known: Iterable<string>) => ({
    text: `There is no filter named ${quoted(name)}.`,
    hint: didYouMean(name, known),
  }),
  {
    wrong: `{{ 'a' | upcas }}`,
    right: `{{ 'a' | upcase }}`,
  },
)
