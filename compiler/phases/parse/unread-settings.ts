/** Finds settings that are treated as template text because the opening `---` is missing. */
import { frontMatterUnread } from '../../core/diagnostics/codes/settings/front-matter-unread.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** Lines of settings that end with a line of dashes but do not begin with one. */
const UNREAD =
  /^(?:[ \t]*\r?\n)*(?:[ \t]*[^\w\s]{1,5}[ \t]*\r?\n)?(?:(?:slug|layout|layout_name|method|format|metadata|name|resource|resource_owner|fields|redirect_to|authorization_policies|response_headers|to|from|subject):.*\r?\n(?:[ \t]+.*\r?\n|- .*\r?\n)*)+---[ \t]*(?:\r?\n|$)/

/** Reports a file without front matter that begins with probable settings. */
export function findUnreadSettings({ path, text }: SourceFile): readonly Diagnostic[] {
  return UNREAD.test(text.slice(0, 4_000)) ? [frontMatterUnread({ file: path, start: 0, end: text.indexOf('\n') })] : []
}
