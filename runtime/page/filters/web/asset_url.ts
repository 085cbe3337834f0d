/** `asset_url`: the URL of an asset. */
import { str } from '../../values/text.ts'
import type { Render, Textual } from '../types.ts'

export const dialect = 'platform'

/** The URL of the asset at a path, with a version. Unknown paths have a URL too. */
export function asset_url(r: Render, path: Textual): string {
  return r.services.assets.url(str(path))
}
