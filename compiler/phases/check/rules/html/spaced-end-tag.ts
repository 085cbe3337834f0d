/** `spaced-end-tag`: an end tag with a space before its slash or its name, which a browser shows as text. */
import { replaceWith } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { HtmlScan } from '../../walk/html.ts'
import type { SourceFile } from '../../../../core/source/file.ts'

export const spacedEndTag = message(
  'spaced-end-tag',
  'warning',
  'UnclosedHTMLElement',
  (writtenText: string) => ({
    text: `${quote(writtenText)} is shown as text, so it closes no element.`,
    ...replaceWith(writtenText.replace(/\s/g, '')),
  }),
  {
    wrong: '<div>a< /div>',
    right: '<div>a</div>',
  },
)

/** Reports end tags that are shown as text because of a space. */
export function checkEndTags({ spaced }: HtmlScan, { text }: SourceFile): readonly Diagnostic[] {
  return spaced.map((span) => spacedEndTag(span, text.slice(span.start, span.end)))
}
