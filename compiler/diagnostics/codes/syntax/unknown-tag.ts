/** `unknown-tag`: a tag that the language does not have. */
import { message } from '../../diagnostic.ts'
import { elsewhereHint, tagElsewhere } from '../../elsewhere.ts'
import { didYouMean } from '../../suggest.ts'
import { quoted } from '../../words.ts'

export const unknownTag = message(
  'unknown-tag',
  'error',
  'LiquidHTMLSyntaxError',
  // `end` is what closes it, without `end`: where that is a tag, it was meant.
  (name: string, known: Iterable<string>, end: string | null = null, dialect: 'platform' | 'liquid' = 'platform') => {
    const names = [...known]
    const meant = end !== null && end !== name && names.includes(end) ? end : null
    const elsewhere = meant === null ? tagElsewhere(name) : null
    const own = elsewhere === null ? didYouMean(name, names) : elsewhereHint(name, 'tag', elsewhere, dialect)
    return {
      text: `There is no tag named ${quoted(name)}.`,
      hint: meant === null ? own : `\`end${meant}\` closes it: did you mean \`${meant}\`?`,
    }
  },
  {
    wrong: '{% asign a = 1 %}',
    right: '{% assign a = 1 %}{{ a }}',
  },
)
