/** `unread-doc-param`: a line of a `doc` block that was meant to declare a parameter but is misspelled or has no braces. */
import { replaceWith } from '../../../../core/diagnostics/change.ts'
import { cardSite } from '../../../../core/diagnostics/card-site.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { DocBlock } from '../../../../core/model/unit.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports the lines that were meant to declare a parameter. */
export function checkMistakes(walk: Walk, { mistakes }: DocBlock): void {
  for (const { span, corrected } of mistakes) walk.report(unreadDocParam(span, walk.source(span), corrected))
}

export const unreadDocParam = message(
  'unread-doc-param',
  'warning',
  'MissingDocParam',
  (writtenText: string, suggestion: string) => ({
    text: `${quote(writtenText)} does not declare a parameter.`,
    ...replaceWith(suggestion),
  }),
  {
    wrong: cardSite({ doc: '  @parm {string} title - a' }),
    right: cardSite({ doc: '  @param {string} title - a' }),
  },
)
