/** Addresses of files that are kept here already: who may see one, and its bytes, taken without a way around the network. */
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathOfUpload, readUploadPath } from '../../runtime/data/values/upload-path.ts'
import { FileRefused, type FileStore } from './model.ts'
import type { Signer } from './signature.ts'

/** Whether the query of an address allows to see the private file of a path: its signature holds, and its time is not over. */
export function allows(signer: Signer, path: string, query: string): boolean {
  const given = new URLSearchParams(query)
  const expires = given.get('expires') ?? ''
  const valid = signer.verify('see', `${path}\n${expires}`, given.get('signature') ?? '')
  return valid && Number(expires) > Date.now() / 1000
}

/** What an address without a host names: a copy of it on this machine, or where the store shows it. */
export type OwnFile =
  | { readonly kind: 'copied'; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly url: string; readonly name: string }

/** What the addresses of our own are looked up in. */
export interface OwnFiles {
  readonly store: FileStore
  readonly signer: Signer
  /** The file of an asset of the site by its address, which anybody may open; null where there is none. */
  asset(url: string): Promise<{ readonly root: string; readonly path: string } | null>
}

/**
 * Copies the file of an address such as `/uploads/…` or `/assets/…`, which must be one that anybody may open.
 * @param to path of the copy
 * @returns null where the address has a host, so that it is no address of ours for certain
 * @throws FileRefused where the file is private and the address does not open it, or where there is none
 */
export async function takeOwn({ store, signer, asset }: OwnFiles, url: string, to: string): Promise<OwnFile | null> {
  if (url.startsWith('/assets/')) {
    const file = await asset(url)
    if (file === null) throw new FileRefused('file_missing', 'is no file that is kept here')
    await copyFile(join(file.root, file.path), to)
    return { kind: 'copied', name: basename(file.path) }
  }
  if (!url.startsWith('/uploads/')) return null
  const [address = '', query = ''] = url.split('?', 2)
  const path = pathOfUpload(address)
  const named = path === null ? null : readUploadPath(path)
  const found = path === null ? null : await store.find(path)
  const isOpen = path !== null && (named?.acl === 'public' || allows(signer, path, query))
  if (path === null || named === null || found === null || !isOpen)
    throw new FileRefused('file_missing', 'is no file that is kept here')
  const { name } = named
  if (found.kind === 'elsewhere') return { kind: 'elsewhere', url: found.url, name }
  await copyFile(join(found.root, found.path), to)
  return { kind: 'copied', name }
}
