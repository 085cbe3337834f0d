/** Wraps a template that is sent to be rendered once. It becomes a page of the site that no request can reach. */
import type { SourceFile } from '../../core/source/file.ts'

/** The wrapper's own front matter. Dashes at the start of the sent text are therefore plain text. */
const FRONT_MATTER = "---\nslug: liquid_exec\nlayout: ''\n---\n"
/** Maps positions to the text that was sent, which does not contain the front matter. */
const ADDED = { start: 0, end: FRONT_MATTER.length, markupStart: 0, markupEnd: 0 }

/** Returns the page that renders a sent text. @param format `txt` prints plain text, for clients that show no HTML */
export function sentTemplate(content: string, format: 'txt' | 'html' = 'txt'): SourceFile {
  return {
    path: `app/views/pages/liquid_exec.${format}.liquid`,
    kind: 'page',
    name: 'liquid_exec',
    module: null,
    visibility: null,
    override: false,
    format,
    text: FRONT_MATTER + content,
    writtenText: { text: content, replacements: [ADDED], unset: [] },
  }
}
