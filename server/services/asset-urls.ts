/** URLs of assets: root-relative, with a version that lets browsers cache them for a year. */
import type { AssetPort } from '../../runtime/page/services.ts'
import type { CompiledSite } from '../../runtime/page/site.ts'

/** @param site returns the site being served, which changes in development */
export function assetUrls(site: () => Pick<CompiledSite, 'assets' | 'assetsUpdated'>): AssetPort {
  return {
    url(path) {
      const { assets, assetsUpdated } = site()
      const name = path.replace(/^\/+/, '')
      const url = `/assets/${name.split('/').map(encodeURIComponent).join('/')}`
      // A missing file gets no version, because it may appear later.
      return Object.hasOwn(assets, name) ? `${url}?updated=${assetsUpdated}` : url
    },
  }
}
