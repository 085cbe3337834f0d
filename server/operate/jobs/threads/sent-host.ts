/** Combines the served site with sent code, which was compiled only with the files that it can reach. */
import { createApp } from '../../../web/app.ts'
import type { TableIds } from '../../../web/app-options.ts'
import type { ProcessServices } from '../../../web/process-services.ts'
import type { SiteBuilds } from '../../../web/site/builds.ts'
import type { SiteHost } from '../../../web/site/host.ts'
import type { LoadedSite } from '../../../web/site/load.ts'
import { withStoredCode } from '../task/sent-code.ts'

export interface ServedSite {
  readonly served: LoadedSite
  readonly ids: TableIds
  readonly parts: ProcessServices
  readonly builds: SiteBuilds
}
/**
 * Creates the host of sent code.
 * @param folder folder of the sent code
 * @param unit the page to render; null for none
 * @throws StartError
 */
export async function createSentHost(
  { served, ids, parts, builds }: ServedSite,
  folder: string,
  unit: string | null,
): Promise<SiteHost> {
  const sent = await builds.loadBeside({ root: served.root, folder })
  const { site, locator } = sent
  const beside: LoadedSite = {
    ...sent,
    name: served.name,
    site: {
      ...served.site,
      // With its own fingerprint, the sent code has other cache entries than the served site.
      fingerprint: site.fingerprint,
      pages: [...served.site.pages, ...site.pages.filter(({ file }) => file === unit)],
      partials: { ...served.site.partials, ...site.partials },
      jobs: { ...site.jobs, ...served.site.jobs },
      operations: { ...served.site.operations, ...site.operations },
    },
    locator: {
      find: (...place) => locator.find(...place) ?? served.locator.find(...place),
      name: (file) => locator.name(file) ?? served.locator.name(file),
    },
    source: (file) => sent.source(file) ?? served.source(file),
  }
  const wrapData = withStoredCode(folder, site, served.site)
  return createApp(beside, { ...parts.facts, wrapData }, ids).host()
}
