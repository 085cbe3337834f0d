/**
 * Builds the URLs of assets. Each contains a stamp of its bytes, so browsers may cache it for a year. URLs have a host only
 * if a setting names one. The host of the request is never used, because it would get into caches.
 */
import type { AssetPort } from '../../../runtime/page/services.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'

/**
 * Creates the port that returns the URLs of assets.
 * @param site returns the site being served, which changes in development
 * @param base beginning of the URLs, such as `https://cdn.shop.example`; may be empty
 */
export function assetUrls(site: () => Pick<CompiledSite, 'assets'>, base = ''): AssetPort {
  const assetPath = (name: string): string => `${base}/assets/${name.split('/').map(encodeURIComponent).join('/')}`
  return {
    url(path) {
      const { assets } = site()
      const name = path.replace(/^\/+/, '')
      if (Object.hasOwn(assets, name)) return withStamp(assetPath(name), '', assets[name]?.stamp ?? '')
      const [, bareName = name, query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(name) ?? []
      // A missing file gets no stamp, because it may appear later. `?` and `#` may be a part of its name.
      if (!Object.hasOwn(assets, bareName)) return assetPath(name)
      return `${withStamp(assetPath(bareName), query, assets[bareName]?.stamp ?? '')}${fragment}`
    },
  }
}

function withStamp(url: string, query: string, stamp: string): string {
  if (query === '') return stamp === '' ? url : `${url}?updated=${stamp}`
  return stamp === '' ? `${url}?${query}` : `${url}?${query}&updated=${stamp}`
}
