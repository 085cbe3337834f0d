/** A template that is sent to be rendered once: it stands beside the files of a site as a page that nobody can ask for. */
import type { SourceFile } from '../source/file.ts'

/** Its own, so that what is sent has no front matter: three dashes at its beginning are text. */
const FRONT_MATTER = "---\nslug: liquid_exec\nlayout: ''\n---\n"
/** Lines that the file has before what was sent. */
export const LINES_BEFORE = FRONT_MATTER.split('\n').length - 1

/** It prints plain text: what reads it shows no HTML. */
export function sentTemplate(content: string): SourceFile {
  return {
    path: 'app/views/pages/liquid_exec.txt.liquid',
    kind: 'page',
    name: 'liquid_exec',
    module: null,
    visibility: null,
    override: false,
    format: 'txt',
    text: FRONT_MATTER + content,
  }
}
