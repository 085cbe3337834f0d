/** `unknown-tag`: a tag that the language does not have. */
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { quoted } from '../words.ts'

export const unknownTag = message(
  'unknown-tag',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string, known: Iterable<string>) => ({
    text: `There is no tag named ${quoted(name)}.`,
    hint: didYouMean(name, known),
  }),
  {
    wrong: '{% asign a = 1 %}',
    right: '{% assign a = 1 %}{{ a }}',
  },
)
