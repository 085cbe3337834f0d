/**
 * Takes uploaded files into properties. A text is only the address of a file, and addresses of files are no secret: a
 * property takes a file from whoever was allowed to upload it for this property, and for a day.
 */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { pathOfUpload } from '../../../runtime/data/values/upload-path.ts'
import type { UploadOwner } from '../../../runtime/data/query/upload-host.ts'
import { keepOptionsOf } from './keep-options.ts'
import { FileRefused, type Files, type StoredFile } from './model.ts'
import { size as inWords, tooLarge } from './remote.ts'
import { accepts } from './sniff.ts'
import type { Uploader } from './uploader.ts'

export interface TakingUpload {
  readonly files: Files
  readonly uploader: Uploader
  readonly property: PropertyDef
  readonly owner: UploadOwner
  /** Media types that a form accepts; null for those of the property. */
  readonly types: readonly string[] | null
}

/** The path in the address of a file of ours, by text or as it was read from a property; null for others. */
export function uploadPathOf(value: unknown): string | null {
  const address = addressOf(value)
  return address === null ? null : pathOfUpload(address)
}

/** The address that a value names: the path of a file of ours, else the text itself; null for no address. */
export function heldAddressOf(value: unknown): string | null {
  const address = addressOf(value)
  return address === null ? null : (pathOfUpload(address) ?? address)
}

function addressOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null) return null
  const { path, url } = value as { readonly path?: unknown; readonly url?: unknown }
  const address = path ?? url
  return typeof address === 'string' ? address.trim() : null
}

/**
 * The uploaded file that a value names; null when it was not sent by this uploader for this property.
 * @throws FileRefused when the stored bytes break a rule of the property
 */
export async function takenUpload(taking: TakingUpload, value: unknown): Promise<StoredFile | null> {
  const { files, uploader, property, owner } = taking
  const path = uploadPathOf(value)
  const names = uploader.names
  if (path === null || names.length === 0) return null
  const uploaded = await files.uploaded(path)
  if (uploaded === null) return null
  const { file, receipt } = uploaded
  if (receipt.owner !== owner || receipt.property !== property.name) return null
  if (!receipt.names.some((name) => names.includes(name))) return null
  const options = keepOptionsOf(property, files.limit)
  const limit = receipt.limit ?? options.limit
  const least = receipt.least ?? options.least ?? 1
  if (file.size > limit) throw tooLarge(limit)
  if (file.size < least)
    throw new FileRefused('file_too_small', `is too small (minimum is ${inWords(least)})`, { count: inWords(least) })
  if (!accepts(taking.types ?? receipt.types ?? options.types, file.content_type))
    throw new FileRefused('file_type', `is not of a type that is allowed (${file.content_type})`, {
      count: file.content_type,
    })
  return file
}
