/** How what a folder holds is looked at. */
import type { AnalysisOptions } from '../analysis.ts'
import type { Dialect } from '../core/model/dialect.ts'
import type { DiscoveredSite } from '../core/source/discover.ts'

/** Options of a site of the platform, as it was read from its folder. */
export function siteOptions({ ignored, siteRoot }: Pick<DiscoveredSite, 'ignored' | 'siteRoot'>): AnalysisOptions {
  const { requiredModules } = siteRoot.manifests
  return { dialect: 'platform', syntax: 'lax', openEntries: false, ignored, requiredModules }
}

/** The same for a folder of either dialect: templates of base Liquid are a library, of which each is rendered by its name. */
export function optionsFor(dialect: Dialect, folder: DiscoveredSite): AnalysisOptions {
  return dialect === 'platform'
    ? siteOptions(folder)
    : { dialect, syntax: 'lax', openEntries: true, raise: false, format: 'plain', ignored: folder.ignored }
}
