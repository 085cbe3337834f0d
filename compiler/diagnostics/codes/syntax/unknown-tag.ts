/** `unknown-tag`: a tag that the language does not have. */
import { message } from '../../diagnostic.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownTag = message(
  'unknown-tag',
  'error',
  'LiquidHTMLSyntaxError',
  // `end` is what closes it, without `end`: where that is a tag, it was meant.
  (name: string, known: Iterable<string>, end: string | null = null) => {
    const names = [...known]
    const meant = end !== null && end !== name && names.includes(end) ? end : null
    return {
      text: `There is no tag named ${quoted(name)}.`,
      hint: meant === null ? didYouMean(name, names) : `\`end${meant}\` closes it: did you mean \`${meant}\`?`,
    }
  },
  {
    wrong: '{% asign a = 1 %}',
    right: '{% assign a = 1 %}{{ a }}',
  },
)
