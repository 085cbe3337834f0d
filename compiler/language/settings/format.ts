/** Settings that depend on the format of a page. */
import type { FormatClass } from '../../core/model/effects.ts'
import type { PageFormat } from '../../core/model/settings.ts'

/** Returns the format class, which selects the output function for `{{ }}`. */
export function formatClass(format: PageFormat | string): FormatClass {
  if (format === 'html' || format === 'pdf') return 'html'
  return format === 'xml' || format === 'rss' || format === 'svg' ? 'xml' : 'plain'
}
