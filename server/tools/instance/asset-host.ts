/** Uploads and lists assets for clients of GraphQL: signed URLs for bytes, and lists as JSON files. */
import type { AssetHost, AssetListing } from '../../../runtime/data/query/effects.ts'
import { valueError } from '../../../runtime/data/query/model.ts'
import type { SiteItem } from '../../../runtime/data/query/site-facts.ts'
import type { Request } from '../../web/http/message.ts'
import { storeFile } from './deploys/blobs.ts'
import { isPrivateAsset, pathProblem } from './deploys/paths.ts'
import { instanceId } from './identity.ts'
import type { InstanceContext } from './resource.ts'
import { assetKey, newKey } from './sent-keys.ts'

/** Assets that one call gets URLs for. */
const MAX_PATHS = 5_000
/** The folders of both files of a listing. */
const PLACES = ['public', 'private'] as const
const LISTING_ID = /^[\da-f]{64}$/

/** @param listed returns the assets of the site */
export function createAssetHost(
  { sql, addresses }: InstanceContext,
  request: Request,
  listed: () => Promise<readonly SiteItem[]>,
): AssetHost {
  const listingAt = (key: string, createdAt: Date): AssetListing => ({
    id: key.slice(key.lastIndexOf('/') + 1),
    created_at: createdAt.toISOString(),
    status: 'success',
    public_assets_url: addresses.address('see', request, `${key}/public.json`),
    private_assets_url: addresses.address('see', request, `${key}/private.json`),
  })
  return {
    async presign(paths) {
      if (paths.length > MAX_PATHS) throw valueError(`Request URLs of at most ${MAX_PATHS} assets at once.`)
      const id = await instanceId(sql)
      const own = `instances/${id}/assets/`
      const origin = `${request.protocol}://${request.host}`
      return paths.map((path) => {
        const name = path.startsWith(own) ? path.slice(own.length) : path
        const problem = pathProblem(name)
        if (problem !== null) throw valueError(`\`path\` is refused: ${problem}.`)
        return {
          path,
          access_url: `${origin}/assets/${name.split('/').map(encodeURIComponent).join('/')}`,
          upload_url: addresses.address('send', request, assetKey(id, name)),
        }
      })
    },
    async createListing() {
      const assets = await listed()
      const key = newKey(await instanceId(sql), 'asset_listings')
      const isPrivate = ({ physical_file_path: path }: SiteItem): boolean => isPrivateAsset(String(path))
      for (const place of PLACES) {
        const chosen = assets.filter((asset) => isPrivate(asset) === (place === 'private'))
        const { digest, size } = await storeFile(sql, Buffer.from(listingText(chosen)))
        await sql`insert into ingot.sent_files (key, digest, size) values (${`${key}/${place}.json`}, ${digest}, ${size})`
      }
      return listingAt(key, new Date())
    },
    async findListing(id) {
      if (!LISTING_ID.test(id)) return null
      const key = `instances/${await instanceId(sql)}/asset_listings/${id}`
      const [row] = await sql<{ sent_at: Date }[]>`
        select sent_at from ingot.sent_files where key = ${`${key}/private.json`}`
      return row === undefined ? null : listingAt(key, row.sent_at)
    },
  }
}

/** The assets by name, with the fields of the manifest that clients of deploys send. */
function listingText(assets: readonly SiteItem[]): string {
  const entries = assets.map(({ name, physical_file_path, file_size, content_type, updated_at, url }) => [
    String(name),
    { physical_file_path, file_size, content_type, updated_at, url },
  ])
  return JSON.stringify(Object.fromEntries(entries))
}
