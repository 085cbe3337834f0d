/**
 * `unclosed-delimiter`: `{{` or `{%` without the delimiter that closes it. Reported by `parseOutput` (phases/parse/base/base-items.ts),
 * `TreeBuilder` (phases/parse/build-tree.ts), `TemplateParse` (phases/parse/parse-template.ts) and `missingDelimiter`
 * (phases/parse/repair.ts).
 */
import { escapePattern } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const unclosedDelimiter = message(
  'unclosed-delimiter',
  'error',
  'LiquidHTMLSyntaxError',
  // `written`: the text in the place of the closing delimiter.
  (open: string, writtenText: string | null = null) => {
    const close = open.startsWith('{{') ? '`}}`' : '`%}`'
    return {
      text: `This ${quote(open)} is never closed.`,
      hint:
        writtenText === null ? `Close the markup with ${close}.` : `Write ${close} instead of ${quote(writtenText)}.`,
      change: {
        edits: [
          writtenText === null
            ? { target: 'rest of line', match: '^(\\{[{%][^<\\n]*?)\\s*(?=<|$)', text: `$1 ${close.slice(1, -1)}` }
            : { match: `${escapePattern(writtenText)}$`, text: close.slice(1, -1) },
        ],
        safe: writtenText !== null,
      },
    }
  },
  {
    wrong: '<p>{{ context.params.a</p>',
    right: '<p>{{ context.params.a }}</p>',
  },
)
