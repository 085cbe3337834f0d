/** URLs of assets: root-relative, with the stamp that lets browsers keep them for a year. */
import type { AssetPort } from '../../runtime/page/services.ts'
import type { CompiledSite } from '../../runtime/page/site.ts'

/** @param site gives the site that is served now: in development it changes under a running process */
export function assetUrls(site: () => Pick<CompiledSite, 'assets' | 'assetsUpdated'>): AssetPort {
  return {
    url(path) {
      const { assets, assetsUpdated } = site()
      const name = path.replace(/^\/+/, '')
      const url = `/assets/${name.split('/').map(encodeURIComponent).join('/')}`
      // A file that the site does not have gets no stamp: it may appear later.
      return Object.hasOwn(assets, name) ? `${url}?updated=${assetsUpdated}` : url
    },
  }
}
