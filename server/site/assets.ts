/** Answers the URLs of assets: files that the compiled site lists, and nothing else of its folder and of the build's. */
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathOf, queryOf, type Reply, type Request } from '../http/message.ts'
import type { LoadedSite } from './load.ts'

const PREFIX = '/assets/'
/** Scripts that browsers insist on finding at the root of a site. */
const ROOT_SCRIPT = /^\/(serviceworker(?:-\d+)?\.js|sw\.js)$/

/** A site by whose lists and in whose folders assets are found. */
export type AssetSite = Pick<LoadedSite, 'root' | 'folder'> & {
  readonly site: Pick<LoadedSite['site'], 'assets' | 'builtAssets'>
}

/** The asset that a URL names, null where it names none: the caller goes on. */
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

/** Where an asset lies. */
export interface AssetFile {
  readonly root: string
  /** Below the root. */
  readonly path: string
}

/** The file of an asset's address, as `asset_url` writes it, null where the site has none. */
export async function assetOf(loaded: AssetSite, url: string): Promise<AssetFile | null> {
  const path = pathOf(url)
  return path.startsWith(PREFIX) ? named(loaded, path.slice(PREFIX.length)) : null
}

async function named({ site, root, folder }: AssetSite, encoded: string): Promise<AssetFile | null> {
  const name = decoded(encoded)
  if (name === null || !Object.hasOwn(site.assets, name)) return null
  return Object.hasOwn(site.builtAssets, name)
    ? within(folder, site.builtAssets[name]!)
    : within(root, site.assets[name]!)
}

// A stamped URL changes whenever an asset does, so what it names may be kept for ever.
function cacheControl(script: boolean, query: string): string {
  if (script) return 'public, max-age=0, must-revalidate'
  return /(?:^|&)updated=\d+/.test(query) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** Null for a path whose codes are no text: no asset has it. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** The file below the folder, null when it is gone, or a link leads out of the folder. */
async function within(root: string, path: string): Promise<AssetFile | null> {
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(join(root, path))])
    const inside = relative(folder, file)
    if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || inside.startsWith(sep)) return null
    return { root: folder, path: inside.split(sep).join('/') }
  } catch {
    return null
  }
}
