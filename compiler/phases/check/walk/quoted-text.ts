/** Finds names without quotes that were meant as texts. */
import type { Span } from '../../../core/source/span.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { Walk } from './walk.ts'

/** Matches the text before an argument of a tag or filter that takes a name as a string. */
const TAKES_NAME =
  /(?:\bcontent_for\s+|\byield\s+|\|\s*(?:map|sort|sort_natural|where|find|has|sum|compact|uniq|array_map|array_sort_by|array_group_by)\s*:\s*)$/
const PATH_START = /^[a-z_][\w./-]*/i

/**
 * Returns the quoted text that was meant by an unquoted name: an asset path, a translation key or a property name. Null if the name is none
 * of these.
 */
export function quotedTextAt(walk: Walk, span: Span): string | null {
  const textBefore = walk.source({ ...span, start: Math.max(0, span.start - 60), end: span.start })
  const textAfter = walk.source({ ...span, end: span.start + 200 })
  const path = PATH_START.exec(textAfter)?.[0] ?? ''
  if (TAKES_NAME.test(textBefore) && /^\w+$/.test(path)) return `'${path}'`
  const filter = /^\s*\|\s*(\w+)/.exec(textAfter.slice(path.length))?.[1] ?? ''
  if (/^asset_/.test(filter) && walk.env.site.assets.has(path)) return `'${path}'`
  const isKey =
    /^(?:t|translate)$/.test(filter) &&
    [...walk.env.site.translations.values()].some((tree) => translationAt(tree, path) !== null)
  return isKey ? `'${path}'` : null
}
