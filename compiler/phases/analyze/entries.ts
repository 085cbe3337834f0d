/** The files of a site that the host enters from outside, each with its output format. */
import type { FormatClass } from '../../core/model/effects.ts'
import type { Site } from '../../core/model/site.ts'
import { isBlock, type Unit } from '../../core/model/unit.ts'
import { formatClass } from '../../language/settings/format.ts'
import type { Entry } from './effects.ts'
import { CALLBACK } from './roots.ts'

/** Returns the entries. `format`: the format of units that the host renders by name, if the site allows that. */
export function entriesOf(site: Site, format: FormatClass): readonly Entry[] {
  const entries: Entry[] = []
  const enter = (file: string, formatClass: FormatClass) =>
    entries.push({ file, entryPoint: 'render', format: formatClass })
  const inner = (unit: Unit, formatClass: FormatClass) => {
    for (const path of unit.inner.keys()) if (!isBlock(path)) enter(`${unit.file.path}#${path}`, formatClass)
  }
  const layoutFormats = new Map<Unit, Set<FormatClass>>()
  for (const page of site.pages) {
    const as = formatClass(page.settings.format)
    enter(page.file.path, as)
    // The response of a Markdown page can also be its text before the conversion.
    if (page.settings.converter === 'markdown') enter(page.file.path, 'plain')
    inner(page, 'plain')
    const { path } = page.file
    for (const layout of site.computedLayouts.has(path) ? site.layoutKeys.values() : [site.pageLayouts.get(path)])
      if (layout !== undefined) layoutFormats.set(layout, (layoutFormats.get(layout) ?? new Set()).add(as))
  }
  for (const { settings } of site.emails.values()) {
    const named = settings.layout === null ? [] : [site.layouts.get(settings.layout.name)]
    for (const layout of settings.computedLayout === null ? named : site.layouts.values())
      if (layout !== undefined) layoutFormats.set(layout, (layoutFormats.get(layout) ?? new Set()).add('html'))
  }
  for (const layout of new Set(site.layoutKeys.values())) {
    const formats = layoutFormats.get(layout) ?? new Set([formatClass(layout.file.format ?? 'html')])
    for (const formatClass of formats) enter(layout.file.path, formatClass)
    inner(layout, 'plain')
  }
  for (const unit of site.units) {
    const { kind, path } = unit.file
    if (kind === 'authorization_policy') enter(path, 'plain')
    else if (kind === 'email' || kind === 'form') enter(path, 'html')
    else if (kind === 'sms' || kind === 'api_call' || kind === 'migration') enter(path, 'plain')
    else if (kind !== 'config') continue
    inner(unit, 'plain')
  }
  const { enabled, partial } = site.config.maintenance
  const closed = enabled ? site.partials.get(partial) : undefined
  if (closed !== undefined) entries.push({ file: closed.file.path, entryPoint: 'render', format: 'html', open: true })
  for (const [name, { file }] of site.partials)
    if (CALLBACK.test(name)) entries.push({ file: file.path, entryPoint: 'render', format: 'html', open: true })
  if (site.openEntries) for (const unit of site.partials.values()) enter(unit.file.path, format)
  return entries
}
