/** `unclosed-start-tag`: an HTML tag without its `>`, in which another tag begins. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { HtmlScan } from '../../walk/html.ts'
import type { SourceFile } from '../../../../core/source/file.ts'

export const unclosedStartTag = message(
  'unclosed-start-tag',
  'warning',
  'UnclosedHTMLElement',
  (begin: string) => ({
    text: `The tag that begins with ${quote(begin)} has no \`>\`: another tag begins inside it.`,
    hint: 'Close the tag with `>`.',
  }),
  {
    wrong: '<div class="note" <p>a</p></div>',
    right: '<div class="note"><p>a</p></div>',
  },
)

/** Reports tags in which another tag begins. */
export function checkStartTags({ unended }: HtmlScan, { text }: SourceFile): readonly Diagnostic[] {
  return unended.map((span) => unclosedStartTag(span, text.slice(span.start, span.end)))
}
