/** What a page's format decides. */
import type { FormatClass } from '../../core/model/effects.ts'
import type { PageFormat } from '../../core/model/settings.ts'

/** Which output function answers `{{ }}` in a format. */
export function formatClass(format: PageFormat | string): FormatClass {
  if (format === 'html' || format === 'pdf') return 'html'
  return format === 'xml' || format === 'rss' || format === 'svg' ? 'xml' : 'plain'
}
