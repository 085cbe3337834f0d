/** Serves assets: only files that the compiled site lists, from its own folder and the build's. */
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathOf, queryOf, type Reply, type Request } from '../http/message.ts'
import type { LoadedSite } from './load.ts'

const PREFIX = '/assets/'
/** Service workers, which browsers require at the root of a site. */
const ROOT_SCRIPT = /^\/(serviceworker(?:-\d+)?\.js|sw\.js)$/

/** The parts of a site that assets are found by. */
export type AssetSite = Pick<LoadedSite, 'root' | 'folder'> & {
  readonly site: Pick<LoadedSite['site'], 'assets' | 'builtAssets'>
}

/** Answers the request for an asset; null when the URL names none. */
export async function answerAsset(loaded: AssetSite, request: Pick<Request, 'method' | 'url'>): Promise<Reply | null> {
  const path = pathOf(request.url)
  const script = ROOT_SCRIPT.exec(path)?.[1]
  if (script === undefined && !path.startsWith(PREFIX)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const file = await named(loaded, script ?? path.slice(PREFIX.length))
  if (file === null) return null
  return {
    status: 200,
    headers: {
      'cache-control': cacheControl(script !== undefined, queryOf(request.url)),
      'x-content-type-options': 'nosniff',
    },
    body: { kind: 'file', root: file.root, path: file.path },
  }
}

/** Location of an asset. */
export interface AssetFile {
  readonly root: string
  /** Path relative to `root`. */
  readonly path: string
}

/** The file for a URL as `asset_url` writes it; null when the site has none. */
export async function assetOf(loaded: AssetSite, url: string): Promise<AssetFile | null> {
  const path = pathOf(url)
  return path.startsWith(PREFIX) ? named(loaded, path.slice(PREFIX.length)) : null
}

async function named({ site, root, folder }: AssetSite, encoded: string): Promise<AssetFile | null> {
  const name = decoded(encoded)
  if (name === null || !Object.hasOwn(site.assets, name)) return null
  return Object.hasOwn(site.builtAssets, name)
    ? fileBelow(folder, site.builtAssets[name]!)
    : fileBelow(root, site.assets[name]!)
}

// A URL with a version changes whenever its asset does, so it may be cached forever.
function cacheControl(script: boolean, query: string): string {
  if (script) return 'public, max-age=0, must-revalidate'
  return /(?:^|&)updated=\d+/.test(query) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** Null for invalid percent-encoding: no asset has such a path. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** The file below the folder; null when it is missing, or a link leads outside of the folder. */
async function fileBelow(root: string, path: string): Promise<AssetFile | null> {
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(join(root, path))])
    const inside = relative(folder, file)
    if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || inside.startsWith(sep)) return null
    return { root: folder, path: inside.split(sep).join('/') }
  } catch {
    return null
  }
}
