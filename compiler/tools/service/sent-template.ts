/** A template that is sent to be rendered once: it stands beside the files of a site as a page that nobody can ask for. */
import type { SourceFile } from '../../core/source/file.ts'

/** Its own, so that what is sent has no front matter: three dashes at its beginning are text. */
const FRONT_MATTER = "---\nslug: liquid_exec\nlayout: ''\n---\n"
/** It takes the place of nothing that was sent, so that every place is told in the text that was. */
const ADDED = { start: 0, end: FRONT_MATTER.length, from: 0, to: 0 }

/** @param format `txt` prints plain text, as for who shows no HTML */
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
    written: { text: content, replaced: [ADDED], unset: [] },
  }
}
