/** `unknown-tag`: a tag that the language does not have. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { elsewhereHint, tagElsewhere } from '../../elsewhere.ts'
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
    const own = elsewhere === null ? meantName(name, names) : { hint: elsewhereHint(name, 'tag', elsewhere, dialect) }
    return {
      text: `There is no tag named ${quoted(name)}.`,
      ...(meant === null
        ? own
        : {
            hint: `\`end${meant}\` closes it: did you mean \`${meant}\`?`,
            change: { edits: [{ part: name, text: meant }] },
          }),
    }
  },
  {
    wrong: '{% asign a = 1 %}{{ a }}',
    right: '{% assign a = 1 %}{{ a }}',
  },
)
