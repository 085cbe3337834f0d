/**
 * Serves the assets that the compiled site lists. A build's files are found by digest. In development, the site's files
 * are found by path.
 */
import { realpath } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { AssetEntry } from '../../../runtime/page/site.ts'
import { chooseEncoding } from '../http/encoding.ts'
import { typeWithCharset } from '../http/media-types.ts'
import { ASSETS, type FileBody, headerOf, pathOf, queryOf, type Reply, type Request } from '../http/message.ts'
import type { LoadedSite } from './load.ts'

/** Service workers, which browsers require at the root of a site. */
const ROOT_SCRIPT = /^\/(serviceworker(?:-\d+)?\.js|sw\.js)$/

/** The parts of a site that are needed to find assets. */
export type AssetSite = Pick<LoadedSite, 'root' | 'folder' | 'keptAssets'> & {
  readonly site: Pick<LoadedSite['site'], 'assets'>
}

/** Absent for internal look-ups. */
type AssetRequest = Pick<Request, 'method' | 'url'> & Partial<Pick<Request, 'headers'>>

/** Answers the request for an asset. Null when there is none, synchronously when the path is not one of assets. */
export function answerAsset(assetSite: AssetSite, request: AssetRequest): Promise<Reply | null> | null {
  const path = pathOf(request.url)
  const script = path.endsWith('.js') ? ROOT_SCRIPT.exec(path)?.[1] : undefined
  if (script === undefined && !path.startsWith(ASSETS)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  return answerNamed(assetSite, request, script ?? path.slice(ASSETS.length), script !== undefined)
}

async function answerNamed(
  assetSite: AssetSite,
  request: AssetRequest,
  encoded: string,
  isScript: boolean,
): Promise<Reply | null> {
  const file = await findAsset(assetSite, encoded, stampIn(request.url))
  if (file === null) return null
  const { entry } = file
  const headers = {
    'cache-control': cacheControl(entry, isScript, queryOf(request.url)),
    'content-type': typeWithCharset(file.name),
    'x-content-type-options': 'nosniff',
  }
  if (entry.digest === null) return { status: 200, headers, body: { kind: 'file', root: file.root, path: file.path } }
  if (entry.encodings.length === 0) return { status: 200, headers, body: storedFile(file, entry.digest) }
  const preferredCoding = request.headers === undefined ? 'identity' : encodingFor(request.headers, entry)
  const varying = { ...headers, vary: 'accept-encoding' }
  if (preferredCoding === 'identity') return { status: 200, headers: varying, body: storedFile(file, entry.digest) }
  const ending = preferredCoding === 'gzip' ? 'gz' : preferredCoding
  const coded = { ...storedFile(file, `${entry.digest}.${ending}`), path: `${file.path}.${ending}` }
  return { status: 200, headers: { ...varying, 'content-encoding': preferredCoding }, body: coded }
}

/** Chooses the coding of an asset. Ranges are served from the plain bytes only. */
function encodingFor(
  headers: Request['headers'],
  { encodings }: AssetEntry,
): AssetEntry['encodings'][number] | 'identity' {
  if (headers['range'] !== undefined) return 'identity'
  return chooseEncoding(headerOf({ headers }, 'accept-encoding'), encodings)
}

function storedFile({ root, path }: AssetFile, mark: string): FileBody {
  return { kind: 'file', root, path, etag: `"${mark}"` }
}

/** The location of an asset. */
export interface AssetFile {
  readonly root: string
  /** Path relative to `root`. */
  readonly path: string
  /** File name without folders. */
  readonly name: string
}

/** Returns the file for a URL as `asset_url` writes it; null when the site has none. */
export async function findAssetFile(assetSite: AssetSite, url: string): Promise<AssetFile | null> {
  const path = pathOf(url)
  return path.startsWith(ASSETS) ? findAsset(assetSite, path.slice(ASSETS.length), stampIn(url)) : null
}

interface NamedAsset extends AssetFile {
  readonly entry: AssetEntry
}

async function findAsset(
  { site, root, folder, keptAssets }: AssetSite,
  encoded: string,
  stamp: string | null,
): Promise<NamedAsset | null> {
  const name = decodePath(encoded)
  if (name === null) return null
  const entry = Object.hasOwn(site.assets, name) ? site.assets[name] : undefined
  const assetName = basename(name)
  if (keptAssets !== undefined && stamp !== null && stamp !== entry?.stamp) {
    // A page of another release links to the bytes of its own release.
    const keptAsset = await keptAssets.find(name, stamp)
    if (keptAsset !== null)
      return {
        root: keptAsset.folder,
        path: `assets/${keptAsset.entry.digest}`,
        name: assetName,
        entry: keptAsset.entry,
      }
  }
  if (entry === undefined) return null
  if (entry.digest !== null) return { root: folder, path: `assets/${entry.digest}`, name: assetName, entry }
  const file = await fileBelow(root, entry.file)
  return file === null ? null : { ...file, name: assetName, entry }
}

// A URL with the stamp of these bytes never changes its meaning. The bytes of any other URL may change.
function cacheControl({ stamp, digest }: AssetEntry, script: boolean, query: string): string {
  if (script) return 'public, max-age=0, must-revalidate'
  if (digest === null) return 'no-cache'
  return readStamp(query) === stamp ? 'public, max-age=31536000, immutable' : 'public, max-age=60'
}

/** Returns the stamp in a URL, or null for a URL without a stamp. */
function stampIn(url: string): string | null {
  return readStamp(queryOf(url))
}

function readStamp(query: string): string | null {
  return /(?:^|&)updated=([^&]*)/.exec(query)?.[1] ?? null
}

/** Decodes a path; null for invalid percent-encoding, because no asset has such a path. */
function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/** Returns the file below the folder; null when it is missing, or when a link leads out of the folder. */
async function fileBelow(root: string, path: string): Promise<Pick<AssetFile, 'root' | 'path'> | null> {
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(join(root, path))])
    const inside = relative(folder, file)
    if (inside === '' || inside.startsWith(`..${sep}`) || inside === '..' || inside.startsWith(sep)) return null
    return { root: folder, path: inside.split(sep).join('/') }
  } catch {
    return null
  }
}
