/** URLs of assets: root-relative, with the stamp of their bytes, by which browsers keep them for a year. */
import type { AssetPort } from '../../runtime/page/services.ts'
import type { CompiledSite } from '../../runtime/page/site.ts'

/** @param site returns the site being served, which changes in development */
export function assetUrls(site: () => Pick<CompiledSite, 'assets'>): AssetPort {
  return {
    url(path) {
      const { assets } = site()
      const whole = path.replace(/^\/+/, '')
      const [, bare = whole, query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(whole) ?? []
      // A file may have such signs in its name.
      const exact = Object.hasOwn(assets, whole) || !Object.hasOwn(assets, bare)
      const name = exact ? whole : bare
      const url = `/assets/${name.split('/').map(encodeURIComponent).join('/')}`
      // A missing file gets no stamp, because it may appear later.
      const stamp = Object.hasOwn(assets, name) ? (assets[name]?.stamp ?? '') : ''
      if (exact) return stamp === '' ? url : `${url}?updated=${stamp}`
      const parts = [query, stamp === '' ? '' : `updated=${stamp}`].filter((part) => part !== '')
      return `${url}${parts.length === 0 ? '' : `?${parts.join('&')}`}${fragment}`
    },
  }
}
