/** URLs of assets: root-relative, with the stamp of their bytes, by which browsers keep them for a year. */
import type { AssetPort } from '../../runtime/page/services.ts'
import type { CompiledSite } from '../../runtime/page/site.ts'

/** @param site returns the site being served, which changes in development */
export function assetUrls(site: () => Pick<CompiledSite, 'assets'>): AssetPort {
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

function pathTo(name: string): string {
  return `/assets/${name.split('/').map(encodeURIComponent).join('/')}`
}

function withStamp(url: string, query: string, stamp: string): string {
  if (query === '') return stamp === '' ? url : `${url}?updated=${stamp}`
  return stamp === '' ? `${url}?${query}` : `${url}?${query}&updated=${stamp}`
}
