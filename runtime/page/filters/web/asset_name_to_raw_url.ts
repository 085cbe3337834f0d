/** `asset_name_to_raw_url`: the URL of an existing asset. */
import { str } from '../../values/text.ts'
import type { Render, Textual } from '../types.ts'

export const deprecated = 'asset_url'
export const dialect = 'platform'

/** The URL of the asset at a path, without a version; nil when the site has no such asset. */
export function asset_name_to_raw_url(r: Render, path: Textual): string | null {
  const name = str(path)
  if (!Object.hasOwn(r.site.assets, name)) return null
  const url = r.services.assets.url(name)
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}
