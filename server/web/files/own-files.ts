/** Resolves URLs of files that this server stores: checks access and reads them without HTTP. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathOfUpload, readUploadPath } from '../../../runtime/data/values/upload-path.ts'
import { FileRefused, type FileStore } from './model.ts'
import type { Signer } from './signature.ts'

/** Returns the seconds for which a URL's query still grants access to a private file; 0 when its signature is invalid or has expired. */
export function accessSeconds(signer: Signer, path: string, query: string): number {
  const searchParams = new URLSearchParams(query)
  const expires = searchParams.get('expires') ?? ''
  const valid = signer.verify('see', `${path}\n${expires}`, searchParams.get('signature') ?? '')
  return valid ? Math.max(0, Number(expires) - Date.now() / 1000) : 0
}

/** The location of an own file: a local path, or a URL of the store. */
export type OwnFile =
  | { readonly kind: 'copied'; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly url: string; readonly name: string }

/** The dependencies for resolving the server's own URLs. */
export interface OwnFiles {
  readonly store: FileStore
  readonly signer: Signer
  /** Prefix of asset URLs; null when they have no host. */
  readonly assetsUrl: string | null
  /** Finds the asset with a URL. Assets are always public. Null when there is none. */
  asset(url: string): Promise<{ readonly root: string; readonly path: string; readonly name: string } | null>
}

/**
 * Copies the file of a URL such as `/uploads/…` or `/assets/…`, if the URL grants access.
 * @param targetPath path of the copy
 * @returns null when the URL may belong to another server
 * @throws FileRefused when the file does not exist, or is private and the URL does not grant access
 */
export async function copyOwnFile(
  { store, signer, asset, assetsUrl }: OwnFiles,
  given: string,
  targetPath: string,
): Promise<OwnFile | null> {
  const url = assetsUrl !== null && given.startsWith(`${assetsUrl}/assets/`) ? given.slice(assetsUrl.length) : given
  if (url.startsWith('/assets/')) {
    const file = await asset(url)
    if (file === null) throw new FileRefused('file_missing', 'is not a file of this site')
    await copyFile(join(file.root, file.path), targetPath)
    return { kind: 'copied', name: file.name }
  }
  if (!url.startsWith('/uploads/')) return null
  const [address = '', query = ''] = url.split('?', 2)
  const path = pathOfUpload(address)
  const uploadPath = path === null ? null : readUploadPath(path)
  const location = path === null ? null : await store.find(path)
  const isAccessible = path !== null && (uploadPath?.acl === 'public' || accessSeconds(signer, path, query) > 0)
  if (path === null || uploadPath === null || location === null || !isAccessible)
    throw new FileRefused('file_missing', 'is not a file of this site')
  const { name } = uploadPath
  if (location.kind === 'elsewhere') return { kind: 'elsewhere', url: location.url, name }
  await copyFile(join(location.root, location.path), targetPath)
  return { kind: 'copied', name }
}
