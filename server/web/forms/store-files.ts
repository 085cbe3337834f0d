/**
 * Stores the uploaded files of a form before the form is saved, and claims files that were uploaded before. Stored
 * files are removed again when saving fails.
 */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { allowedTypes, isSentFile } from '../../../runtime/data/forms/index.ts'
import type { ValidationProblem } from '../../../runtime/data/forms/messages.ts'
import type { Values } from '../../../runtime/data/forms/model.ts'
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { FieldGroup, FormEntry, NestedGroup } from '../../../runtime/page/site.ts'
import { profilesOwner, recordsOwner, type UploadOwner, USERS_OWNER } from '../../../runtime/data/query/upload-host.ts'
import { isUpload } from '../../../runtime/data/query/writes/uploads.ts'
import { readStorageOptions } from '../files/storage-options.ts'
import { fileAddressOf, claimUpload, type UploadClaim } from '../files/claim-upload.ts'
import type { Uploader } from '../files/uploader.ts'
import {
  type FileProblem,
  FileRefused,
  type Files,
  type FileSource,
  type StorageOptions,
  type StoredFile,
} from '../files/model.ts'
import { FILE_FIELDS } from './attributes.ts'

export interface StoredFormFiles {
  /** Stored files by the path of the property, or of the image or attachment group. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** Files that were uploaded before or that the resource already holds, by the path of the property. */
  readonly claimed: ReadonlyMap<string, unknown>
  /** Why files were refused, by the same paths. */
  readonly problems: ReadonlyMap<string, ValidationProblem>
}

/** A file that a form refers to by its address. */
interface FileToClaim {
  readonly path: string
  readonly value: unknown
  /** The stored value of the property. */
  readonly storedValue: unknown
  readonly claim: Pick<UploadClaim, 'property' | 'owner' | 'types'>
}

/** The form whose files are stored. */
export interface FormFiles {
  readonly form: FormEntry
  /** The table of a record; null for other resources. */
  readonly table: string | null
  /** The submitted values without virtual attributes. */
  readonly values: Values
  /** The stored values; null for a new resource. */
  readonly storedValues: Values | null
  readonly uploader: Uploader
}

/** An uploaded file to store. */
interface FileToStore {
  readonly path: string
  readonly source: FileSource
  readonly options: StorageOptions
}

const NO_FILES: StoredFormFiles = { files: new Map(), claimed: new Map(), problems: new Map() }

/** Options of images and attachments, which declare none. `INGOT_UPLOAD_LIMIT` limits their sizes. */
const ATTACHMENT_OPTIONS: StorageOptions = {
  acl: 'public',
  limit: Number.MAX_SAFE_INTEGER,
  types: null,
  versions: {},
}
const IMAGE_OPTIONS: StorageOptions = { ...ATTACHMENT_OPTIONS, types: ['image/*'] }

/** Stores the files of a form. Returns synchronously when the form has no files. */
export function storeFiles(
  files: Files | null,
  catalog: Catalog,
  formFiles: FormFiles,
): StoredFormFiles | Promise<StoredFormFiles> {
  const { form, table, values, storedValues, uploader } = formFiles
  const toStore: FileToStore[] = []
  const toClaim: FileToClaim[] = []
  const properties =
    form.resource === 'user'
      ? catalog.userProperties
      : form.resource === 'profile'
        ? catalog.profileProperties(form.table ?? 'default')
        : catalog.properties(table ?? '')
  const owner =
    form.resource === 'user'
      ? USERS_OWNER
      : form.resource === 'profile'
        ? profilesOwner(form.table ?? 'default')
        : recordsOwner(catalog.tableId(table ?? '') ?? 0)
  collectFiles(
    catalog,
    { group: form.fields, declaredProperties: properties, owner, values, storedValues, path: '' },
    toStore,
    toClaim,
  )
  return toStore.length === 0 && toClaim.length === 0 ? NO_FILES : storeAll(files, uploader, toStore, toClaim)
}

/** Stores the files one after another, because in parallel they would only compete for the disk. */
async function storeAll(
  files: Files | null,
  uploader: Uploader,
  toStore: readonly FileToStore[],
  toClaim: readonly FileToClaim[],
): Promise<StoredFormFiles> {
  const stored = new Map<string, StoredFile>()
  const { claimed, problems: unknown } = await claimFiles(files, uploader, toClaim)
  const problems = new Map(unknown)
  if (problems.size > 0) return { files: stored, claimed, problems }
  try {
    for (const { path, source, options } of toStore) {
      if (files === null)
        problems.set(path, { key: 'file_unkept' satisfies FileProblem, text: 'cannot be stored on this server' })
      else
        await files.keep(source, options).then(
          (file) => stored.set(path, file),
          (error: unknown) => {
            if (!(error instanceof FileRefused)) throw error
            problems.set(path, toProblem(error))
          },
        )
    }
  } catch (error) {
    await files?.drop([...stored.values()])
    throw error
  }
  return { files: stored, claimed, problems }
}

/** Claims files by their addresses. Imports may refer to any file. */
async function claimFiles(
  files: Files | null,
  uploader: Uploader,
  toClaim: readonly FileToClaim[],
): Promise<Omit<StoredFormFiles, 'files'>> {
  const claimed = new Map<string, unknown>()
  const problems = new Map<string, ValidationProblem>()
  // Without a file store, there are no files to protect.
  if (files === null || uploader.imports) return { claimed, problems }
  for (const { path, value, storedValue, claim } of toClaim) {
    try {
      const address = fileAddressOf(value)
      if (address !== null && address === fileAddressOf(storedValue)) claimed.set(path, storedValue)
      else {
        const file = await claimUpload({ files, uploader, ...claim }, value)
        if (file === null) problems.set(path, { key: 'invalid' })
        else claimed.set(path, file)
      }
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      problems.set(path, toProblem(error))
    }
  }
  return { claimed, problems }
}

function toProblem({ key, count, message }: FileRefused): ValidationProblem {
  return { key, text: message, ...(count === undefined ? {} : { count }) }
}

/** The files of one resource: the form's resource or a nested one. */
interface FileGroup {
  readonly group: FieldGroup
  readonly declaredProperties: ReadonlyMap<string, PropertyDef> | null
  readonly owner: UploadOwner
  readonly values: Values
  readonly storedValues: Values | null
  /** Prefix of the paths of its fields. */
  readonly path: string
}

function collectFiles(catalog: Catalog, fileGroup: FileGroup, toStore: FileToStore[], toClaim: FileToClaim[]): void {
  const { group, declaredProperties, owner, values, storedValues, path } = fileGroup
  for (const [name, value] of Object.entries(values.properties)) {
    const property = declaredProperties?.get(name)
    if (property === undefined || (!isSentFile(value) && !isUpload(property))) continue
    const options = readStorageOptions(property)
    // The earlier validation relied on the media type that the client sent.
    const field = group.properties.find((each) => each.name === name)
    const types = field === undefined ? null : allowedTypes(field)
    const fieldPath = `${path}properties.${name}`
    if (isSentFile(value))
      toStore.push({
        path: fieldPath,
        source: uploadedSource(value),
        options: { ...options, types: types ?? options.types },
      })
    else if (fileAddressOf(value) !== null && fileAddressOf(value) !== '')
      toClaim.push({
        path: fieldPath,
        value,
        storedValue: storedValues?.properties[name],
        claim: { property, owner, types },
      })
  }
  for (const nested of group.nested) {
    const nestedValues = values.nested[nested.kind]?.[nested.name]
    if (nestedValues === undefined) continue
    const groupPath = `${path}${nested.kind}.${nested.name}`
    const source = readFileSource(nested, nestedValues)
    if (source !== null)
      toStore.push({ path: groupPath, source, options: nestedFileOptions(nested, declaredProperties) })
    const nestedGroup: FileGroup = {
      group: nested.fields,
      declaredProperties: nestedProperties(catalog, nested),
      owner: nestedOwner(catalog, nested),
      values: nestedValues,
      storedValues: storedValues?.nested[nested.kind]?.[nested.name] ?? null,
      path: `${groupPath}.`,
    }
    collectFiles(catalog, nestedGroup, toStore, toClaim)
  }
}

/** Returns the options of a nested file. An image has the versions that the property of the same name declares. */
function nestedFileOptions(
  { kind, name }: NestedGroup,
  declaredProperties: ReadonlyMap<string, PropertyDef> | null,
): StorageOptions {
  if (kind !== 'custom_images') return ATTACHMENT_OPTIONS
  const property = declaredProperties?.get(name)
  return {
    ...IMAGE_OPTIONS,
    versions: readStorageOptions(property?.type === 'photo' ? property : { ...DEFAULT_PHOTO, name }).versions,
  }
}

const DEFAULT_PHOTO: PropertyDef = { name: '', type: 'photo', default: null, belongsTo: null, options: null }

function nestedOwner(catalog: Catalog, { kind, name, table }: NestedGroup): UploadOwner {
  return kind === 'profiles' ? profilesOwner(name) : recordsOwner(catalog.tableId(table ?? name) ?? 0)
}

function nestedProperties(
  catalog: Catalog,
  { kind, name, table }: NestedGroup,
): ReadonlyMap<string, PropertyDef> | null {
  if (kind === 'profiles') return catalog.profileProperties(name)
  return kind === 'customizations' ? catalog.properties(table ?? name) : null
}

/** Reads the file of an image or attachment: an uploaded file, base64 text or a URL. */
function readFileSource({ kind }: NestedGroup, { attributes }: Values): FileSource | null {
  if (kind !== 'custom_images' && kind !== 'custom_attachments') return null
  for (const name of FILE_FIELDS[kind === 'custom_images' ? 'image' : 'attachment']) {
    const value = attributes[name]
    if (isSentFile(value)) return uploadedSource(value)
    if (typeof value !== 'string' || value.trim() === '') continue
    const text = value.trim()
    if (/^https?:\/\//i.test(text) || name.includes('remote')) return { kind: 'url', url: text }
    const fileName = attributes['file_name']
    return { kind: 'base64', text, fileName: typeof fileName === 'string' ? fileName : null }
  }
  return null
}

function uploadedSource({
  path,
  fileName,
  contentType,
}: {
  path: string
  fileName: string
  contentType: string
}): FileSource {
  return { kind: 'sent', path, fileName, contentType }
}
