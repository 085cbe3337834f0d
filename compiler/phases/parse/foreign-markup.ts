/** Finds markup of other template languages, and delimiters that lost a character, in the texts of a template. */
import { foreignMarkup } from '../../core/diagnostics/codes/syntax/foreign-markup.ts'
import { findForeignTag } from '../../core/diagnostics/foreign-names.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { LANGUAGE, type Language } from '../../language/language.ts'
import type { Span } from '../../core/source/span.ts'
import type { Item } from './item.ts'

/** HTML elements with raw text or sample code, HTML comments, and Markdown code blocks. */
const VERBATIM = /<(script|style|pre|code|textarea|template)\b[^]*?<\/\1\s*>|<!--[^]*?-->|```[^]*?```|`[^`\n]+`/gi

/** Tags that set, declare or print a name. */
const SETTING_TAGS =
  /(?:\b(?:assign|capture|for|tablerow|function|graphql|parse_json)\s+|@param\s+(?:\{\w*\}\s+)?\[?|\{\{-?\s*)([a-z_]\w*)/gi

const NAME = String.raw`[a-z_]\w*(?:\.\w+)*`
const FOREIGN = new RegExp(
  [
    // If an equals sign precedes `%>`, the markup is a template value or an example of one.
    String.raw`<%=\s*(?<shown>[^%\n]*?)\s*-?(?<!=)%>`,
    String.raw`<%-?\s*(?<done>[^%\n]*?)\s*-?%>`,
    String.raw`<\?(?:php\s+echo\b|=)\s*\$?(?<echoed>${NAME}|\d+|'[^'\n]*'|"[^"\n]*")\s*;?\s*\?>`,
    String.raw`\{#-?\s*(?<note>[^#\n]*?)\s*-?#\}`,
    String.raw`[$#]\{\s*(?<filled>${NAME})\s*\}`,
    String.raw`(?<!\{)\{\s*(?:(?<half>${NAME})\s*(?:\|[^{}\n]*)?|(?<text>'[^'{}\n]*'|"[^"{}\n]*")\s*\|[^{}\n]*)\}\}`,
    String.raw`(?<![{<%\w])%-?[ \t]+(?<tag>[a-z_]+)\b(?<rest>[^%{}\n]*?)[ \t]*-?%\}`,
  ].join('|'),
  'gi',
)

/** Names that the language provides. */
const BUILT_IN_NAMES: readonly string[] = [
  ...['context', 'forloop', 'form', 'data', 'content_for_layout'],
  // Names that older sites use without `context.`.
  ...['current_user', 'params', 'session', 'exports', 'location'],
]

/** A quick check: every match contains one of these delimiters, and few texts contain any. */
const DELIMITER = /<[%?]|%\}|\{#|[$#]\{|\}\}/

/** Maximum number of characters of a searched text. Longer texts are skipped to save time. */
const MAX_LENGTH = 200_000

/** Reports the parts of the texts that were probably meant as a tag, an output or a comment. */
export function findForeignMarkup(
  items: readonly Item[],
  text: string,
  spanAt: (start: number, end: number) => Span,
  language: Language = LANGUAGE,
): readonly Diagnostic[] {
  if (text.length > MAX_LENGTH) return []
  let knownNames: ReadonlySet<string> | null = null
  const isKnown = (name: string): boolean => {
    knownNames ??= new Set([...BUILT_IN_NAMES, ...[...text.matchAll(SETTING_TAGS)].map((each) => each[1] ?? '')])
    return knownNames.has(name.split('.')[0] ?? '')
  }
  let verbatim: readonly (readonly [number, number])[] | null = null
  const diagnostics: Diagnostic[] = []
  for (const item of items) {
    if (item.kind !== 'text') continue
    const writtenText = text.slice(item.start, item.end)
    if (!DELIMITER.test(writtenText)) continue
    for (const match of writtenText.matchAll(FOREIGN)) {
      const suggestion = suggestionFor(match, isKnown, language)
      if (suggestion === null) continue
      const start = item.start + match.index
      verbatim ??= [...text.matchAll(VERBATIM)].map((each) => [each.index, each.index + each[0].length] as const)
      if (verbatim.some(([from, to]) => from < start && start < to)) continue
      diagnostics.push(foreignMarkup(spanAt(start, start + match[0].length), match[0], suggestion))
    }
  }
  return diagnostics
}

function suggestionFor(
  { 0: whole, groups = {} }: RegExpMatchArray,
  isKnown: (name: string) => boolean,
  { tagsByName, branches }: Language,
): string | null {
  const { shown, done, echoed, note, filled, half, text, tag } = groups
  if (shown !== undefined) return `{{ ${shown} }}`
  if (echoed !== undefined) return `{{ ${echoed} }}`
  if (done !== undefined) {
    const name = /^[a-z_]+/.exec(done)?.[0] ?? ''
    return tagsByName.has(name) || branches.has(name) || name.startsWith('end') ? `{% ${done} %}` : null
  }
  if (note !== undefined) return `{% # ${note} %}`
  if (filled !== undefined) return isKnown(filled) ? `{{ ${filled} }}` : null
  if (text !== undefined) return `{${whole}`
  if (half !== undefined) return isKnown(half) ? `{${whole}` : null
  if (tag === undefined) return null
  return tagsByName.has(tag) || branches.has(tag) || tag.startsWith('end') ? `{${whole}` : null
}

/** Replaces the bodies of blocks without Liquid, such as JSON, with spaces of the same length. */
export function withoutForeignBodies(text: string, items: readonly Item[]): string {
  let result = ''
  let copiedTo = 0
  for (const item of items) {
    if (
      item.kind !== 'unknown' ||
      item.start < copiedTo ||
      findForeignTag(item.writtenName.name)?.hasForeignBody !== true
    )
      continue
    const open = text.startsWith('{%', item.start) ? text.indexOf('%}', item.start) : -1
    const end = new RegExp(`\\{%-?\\s*end${item.writtenName.name}\\s*-?%\\}`, 'g')
    end.lastIndex = open
    const close = open < 0 ? null : end.exec(text)
    if (close === null) continue
    result += text.slice(copiedTo, open + 2) + text.slice(open + 2, close.index).replace(/[^\n]/g, ' ')
    copiedTo = close.index
  }
  return result + text.slice(copiedTo)
}
