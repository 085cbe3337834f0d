/**
 * URLs of assets, with the stamp of their bytes, by which browsers keep them for a year. They have a host where a setting names one, and never
 * that of a request, which would get into what is cached.
 */
import type { AssetPort } from '../../../runtime/page/services.ts'
import type { CompiledSite } from '../../../runtime/page/site.ts'

/**
 * @param site returns the site being served, which changes in development
 * @param base what the URLs begin with: `https://cdn.shop.example`, or nothing
 */
export function assetUrls(site: () => Pick<CompiledSite, 'assets'>, base = ''): AssetPort {
  const pathTo = (name: string): string => `${base}/assets/${name.split('/').map(encodeURIComponent).join('/')}`
  return {
    url(path) {
      const { assets } = site()
      const name = path.replace(/^\/+/, '')
      if (Object.hasOwn(assets, name)) return withStamp(pathTo(name), '', assets[name]?.stamp ?? '')
      const [, bare = name, query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(name) ?? []
      // A missing file gets no stamp, because it may appear later; such signs may be a part of its name.
      if (!Object.hasOwn(assets, bare)) return pathTo(name)
      return `${withStamp(pathTo(bare), query, assets[bare]?.stamp ?? '')}${fragment}`
    },
  }
}

function withStamp(url: string, query: string, stamp: string): string {
  if (query === '') return stamp === '' ? url : `${url}?updated=${stamp}`
  return stamp === '' ? `${url}?${query}` : `${url}?${query}&updated=${stamp}`
}
