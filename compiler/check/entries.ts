/** Where a site is entered from outside, and the output function of each entrance. */
import type { FormatClass } from '../model/effects.ts'
import type { PageFormat, PageSettings } from '../model/settings.ts'
import type { Site } from '../model/site.ts'
import type { Unit } from '../model/unit.ts'
import type { Entry } from './effects.ts'

export function formatClass(format: PageFormat | string): FormatClass {
  if (format === 'html' || format === 'pdf') return 'html'
  return format === 'xml' || format === 'rss' || format === 'svg' ? 'xml' : 'plain'
}

/** `format` is the one in which units are rendered by name, where the site allows that. */
export function entriesOf(site: Site, format: FormatClass): readonly Entry[] {
  const entries: Entry[] = []
  const enter = (file: string, as: FormatClass) => entries.push({ file, face: 'render', format: as })
  const inner = (unit: Unit, as: FormatClass) => {
    for (const path of unit.inner.keys()) enter(`${unit.file.path}#${path}`, as)
  }
  const layoutFormats = new Map<Unit, Set<FormatClass>>()
  for (const page of site.pages) {
    const as = formatClass(page.settings.format)
    enter(page.file.path, as)
    inner(page, 'plain')
    const layout = layoutOf(site, page)
    if (layout !== null) layoutFormats.set(layout, (layoutFormats.get(layout) ?? new Set()).add(as))
  }
  for (const layout of site.layouts.values()) {
    const formats = layoutFormats.get(layout) ?? new Set([formatClass(layout.file.format ?? 'html')])
    for (const as of formats) enter(layout.file.path, as)
    inner(layout, 'plain')
  }
  for (const unit of site.units) {
    const { kind, path } = unit.file
    if (kind === 'authorization_policy') enter(path, 'plain')
    else if (kind === 'email' || kind === 'form') enter(path, 'html')
    else if (kind === 'sms' || kind === 'api_call' || kind === 'migration') enter(path, 'plain')
    else continue
    inner(unit, 'plain')
  }
  if (site.openEntries) for (const unit of site.partials.values()) enter(unit.file.path, format)
  return entries
}

/** The layout of a page; null for none, and for a default layout that does not exist. */
export function layoutOf(site: Site, page: Unit<PageSettings>): Unit | null {
  const { layout, format } = page.settings
  if (layout === '') return null
  // Only pages in HTML have a layout by default.
  if (layout === null && format !== 'html' && format !== 'pdf') return null
  return site.layouts.get(layout ?? site.config.defaultLayout) ?? null
}
