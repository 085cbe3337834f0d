/**
 * Claims uploaded files for properties. An upload property is set to the address of a file, but addresses are not
 * secret. Therefore a property only accepts a file from a user who was allowed to upload it for this property, within
 * one day.
 */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { pathOfUpload } from '../../../runtime/data/values/upload-path.ts'
import type { UploadOwner } from '../../../runtime/data/query/upload-host.ts'
import { readStorageOptions } from './storage-options.ts'
import { FileRefused, type Files, type StoredFile } from './model.ts'
import { formatSize, tooLarge } from './download.ts'
import { acceptsType } from './detect-type.ts'
import type { Uploader } from './uploader.ts'

/** An uploaded file that a property claims. */
export interface UploadClaim {
  readonly files: Files
  readonly uploader: Uploader
  readonly property: PropertyDef
  readonly owner: UploadOwner
  /** Media types that a form accepts; null for the types of the property. */
  readonly types: readonly string[] | null
}

/**
 * Returns the store path in an address of a stored file, given as text or as a property's value. Returns null for other
 * values.
 */
function uploadPathOf(value: unknown): string | null {
  const address = readAddress(value)
  return address === null ? null : pathOfUpload(address)
}

/**
 * Returns the address in a value: the path of a stored file, or else the text itself. Returns null for a value without
 * an address.
 */
export function fileAddressOf(value: unknown): string | null {
  const address = readAddress(value)
  return address === null ? null : (pathOfUpload(address) ?? address)
}

function readAddress(value: unknown): string | null {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null) return null
  const { path, url }: { readonly path?: unknown; readonly url?: unknown } = value
  const address = path ?? url
  return typeof address === 'string' ? address.trim() : null
}

/**
 * Returns the uploaded file of a value, or null when this uploader did not upload it for this property.
 * @throws FileRefused when the stored file breaks a rule of the property
 */
export async function claimUpload(claim: UploadClaim, value: unknown): Promise<StoredFile | null> {
  const { files, uploader, property, owner } = claim
  const path = uploadPathOf(value)
  const names = uploader.names
  if (path === null || names.length === 0) return null
  const uploaded = await files.uploaded(path)
  if (uploaded === null) return null
  const { file, receipt } = uploaded
  if (receipt.owner !== owner || receipt.property !== property.name) return null
  if (!receipt.names.some((name) => names.includes(name))) return null
  const options = readStorageOptions(property, files.limit)
  const limit = receipt.limit ?? options.limit
  const least = receipt.least ?? options.least ?? 1
  if (file.size > limit) throw tooLarge(limit)
  if (file.size < least)
    throw new FileRefused('file_too_small', `is too small (minimum is ${formatSize(least)})`, {
      count: formatSize(least),
    })
  if (!acceptsType(claim.types ?? receipt.types ?? options.types, file.content_type))
    throw new FileRefused('file_type', `is not of a type that is allowed (${file.content_type})`, {
      count: file.content_type,
    })
  return file
}
