/** Options to analyse the contents of a folder. */
import type { AnalysisOptions } from '../analysis.ts'
import type { Dialect } from '../core/model/dialect.ts'
import type { DiscoveredSite } from '../core/source/discover.ts'

type Discovered = Pick<DiscoveredSite, 'ignored' | 'siteRoot' | 'testRuns'>

/** Returns the options for a site of the platform, read from its folder. */
export function siteOptions({ ignored, siteRoot, testRuns }: Discovered): AnalysisOptions {
  const { requiredModules } = siteRoot.manifests
  return { dialect: 'platform', syntax: 'lax', openEntries: false, ignored, requiredModules, testRuns }
}

/** Returns the options for a folder of either dialect. Templates of base Liquid are a library: each can be rendered by name. */
export function optionsFor(dialect: Dialect, folder: DiscoveredSite): AnalysisOptions {
  return dialect === 'platform'
    ? siteOptions(folder)
    : { dialect, syntax: 'lax', openEntries: true, raise: false, format: 'plain', ignored: folder.ignored }
}
