/** `admin_releases`: the stored releases of the site, the newest first. Null where no release is served, as in development. */
import type { SiteField } from '../model.ts'
import { release } from '../sdl/release.ts'

export const admin_releases: SiteField = {
  kind: 'site',
  name: 'admin_releases',
  sdl: '"Ingot\'s own: the stored releases of the site, the newest first; null where no release is served."\n  admin_releases: [SiteRelease!]',
  types: release,
  value: async (_args, site) => (await site.releases?.()) ?? null,
}
