/** Settings of a file that are read as its text. */
import { frontMatterUnread } from '../../core/diagnostics/codes/settings/front-matter-unread.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { SourceFile } from '../../core/source/file.ts'

/** Lines of settings that a line of dashes ends, behind anything but such a line. */
const UNREAD =
  /^(?:[ \t]*\r?\n)*(?:[ \t]*[^\w\s]{1,5}[ \t]*\r?\n)?(?:(?:slug|layout|layout_name|method|format|metadata|name|resource|resource_owner|fields|redirect_to|authorization_policies|response_headers|to|from|subject):.*\r?\n(?:[ \t]+.*\r?\n|- .*\r?\n)*)+---[ \t]*(?:\r?\n|$)/

/** Told of a file without settings that begins with what was meant as them. */
export function unreadSettings({ path, text }: SourceFile): readonly Diagnostic[] {
  return UNREAD.test(text.slice(0, 4_000)) ? [frontMatterUnread({ file: path, start: 0, end: text.indexOf('\n') })] : []
}
