/** `asset_path`: the path of an asset's URL. */
import { str } from '../../values/text.ts'
import type { Render, Textual } from '../types.ts'

export const deprecated = 'asset_url'
export const dialect = 'platform'

/** The URL of the asset at a path, without its host. */
export function asset_path(r: Render, path: Textual): string {
  const url = r.services.assets.url(str(path))
  const assets = url.indexOf('/assets/')
  return assets < 0 ? url : url.slice(assets)
}
