/** A template that is sent to be rendered once: it stands beside the files of a site as a page that nobody can ask for. */
import type { SourceFile } from '../source/file.ts'

/** Its own, so that what is sent has no front matter: three dashes at its beginning are text. */
const FRONT_MATTER = "---\nslug: liquid_exec\nlayout: ''\n---\n"
/** Lines that the file has before what was sent. */
export const LINES_BEFORE = FRONT_MATTER.split('\n').length - 1

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
  }
}
