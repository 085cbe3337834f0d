/**
 * Stores the files among a form's values before the form is saved, and takes uploaded ones by their addresses. Stored
 * ones are removed again when saving fails.
 */
import type { PropertyDef } from '../../../runtime/page/compiled.ts'
import { allowedTypes, isSentFile } from '../../../runtime/data/forms/index.ts'
import type { ValidationProblem } from '../../../runtime/data/forms/messages.ts'
import type { Values } from '../../../runtime/data/forms/model.ts'
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { FieldGroup, FormEntry, NestedGroup } from '../../../runtime/page/site.ts'
import { profilesOwner, recordsOwner, type UploadOwner, USERS_OWNER } from '../../../runtime/data/query/upload-host.ts'
import { isUpload } from '../../../runtime/data/query/writes/uploads.ts'
import { keepOptionsOf } from '../files/keep-options.ts'
import { heldAddressOf, takenUpload, type TakingUpload } from '../files/receipt.ts'
import type { Uploader } from '../files/uploader.ts'
import {
  type FileProblem,
  FileRefused,
  type Files,
  type FileSource,
  type KeepOptions,
  type StoredFile,
} from '../files/model.ts'
import { FILE_FIELDS } from './attributes.ts'

export interface KeptFiles {
  /** By the path of the property, or of the image or attachment group. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** Files that were uploaded before, or that the resource holds already, by the path of the property. */
  readonly taken: ReadonlyMap<string, unknown>
  /** Why files were refused, by the same paths. */
  readonly refused: ReadonlyMap<string, ValidationProblem>
}

/** The address of a file. */
interface FileToTake {
  readonly path: string
  readonly value: unknown
  /** The stored value of the property. */
  readonly stored: unknown
  readonly taking: Pick<TakingUpload, 'property' | 'owner' | 'types'>
}

/** Whose form it is. */
export interface FormFiles {
  readonly form: FormEntry
  /** The table of a record. */
  readonly table: string | null
  /** Without virtual attributes. */
  readonly values: Values
  /** Null for a new resource. */
  readonly stored: Values | null
  readonly uploader: Uploader
}

/** A file to store. */
interface FileToKeep {
  readonly path: string
  readonly source: FileSource
  readonly options: KeepOptions
}

const NOTHING_KEPT: KeptFiles = { files: new Map(), taken: new Map(), refused: new Map() }

/** Options of forms without options of their own. */
const ATTACHED: KeepOptions = { acl: 'public', limit: 25_000_000, types: null, versions: {} }
const IMAGE: KeepOptions = { ...ATTACHED, types: ['image/*'] }

/** Stores the files of a form; at once where it has none. */
export function keepFiles(files: Files | null, catalog: Catalog, sent: FormFiles): KeptFiles | Promise<KeptFiles> {
  const { form, table, values, stored, uploader } = sent
  const pending: FileToKeep[] = []
  const named: FileToTake[] = []
  const declared =
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
  collect(catalog, { group: form.fields, declared, owner, values, stored, path: '' }, pending, named)
  return pending.length === 0 && named.length === 0 ? NOTHING_KEPT : keepAll(files, uploader, pending, named)
}

/** Stores the files one after another: in parallel they would only compete for the disk. */
async function keepAll(
  files: Files | null,
  uploader: Uploader,
  pending: readonly FileToKeep[],
  named: readonly FileToTake[],
): Promise<KeptFiles> {
  const kept = new Map<string, StoredFile>()
  const { taken, refused: unknown } = await takeNamed(files, uploader, named)
  const refused = new Map(unknown)
  if (refused.size > 0) return { files: kept, taken, refused }
  try {
    for (const { path, source, options } of pending) {
      if (files === null) refused.set(path, { key: 'file_unkept' satisfies FileProblem, text: 'cannot be kept here' })
      else
        await files.keep(source, options).then(
          (file) => kept.set(path, file),
          (error: unknown) => {
            if (!(error instanceof FileRefused)) throw error
            refused.set(path, problemOf(error))
          },
        )
    }
  } catch (error) {
    await files?.drop([...kept.values()])
    throw error
  }
  return { files: kept, taken, refused }
}

/** Takes files by their addresses. Imports may store any. */
async function takeNamed(
  files: Files | null,
  uploader: Uploader,
  named: readonly FileToTake[],
): Promise<Omit<KeptFiles, 'files'>> {
  const taken = new Map<string, unknown>()
  const refused = new Map<string, ValidationProblem>()
  // Without a store there are no files to protect.
  if (files === null || uploader.imports) return { taken, refused }
  for (const { path, value, stored, taking } of named) {
    try {
      const address = heldAddressOf(value)
      if (address !== null && address === heldAddressOf(stored)) taken.set(path, stored)
      else {
        const file = await takenUpload({ files, uploader, ...taking }, value)
        if (file === null) refused.set(path, { key: 'invalid' })
        else taken.set(path, file)
      }
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      refused.set(path, problemOf(error))
    }
  }
  return { taken, refused }
}

function problemOf({ key, count, message }: FileRefused): ValidationProblem {
  return { key, text: message, ...(count === undefined ? {} : { count }) }
}

/** A resource of the form, or one below it. */
interface FileGroup {
  readonly group: FieldGroup
  readonly declared: ReadonlyMap<string, PropertyDef> | null
  readonly owner: UploadOwner
  readonly values: Values
  readonly stored: Values | null
  /** Begins the paths of its fields. */
  readonly path: string
}

function collect(catalog: Catalog, of: FileGroup, pending: FileToKeep[], named: FileToTake[]): void {
  const { group, declared, owner, values, stored, path } = of
  for (const [name, value] of Object.entries(values.properties)) {
    const property = declared?.get(name)
    if (property === undefined || (!isSentFile(value) && !isUpload(property))) continue
    const options = keepOptionsOf(property)
    // The validation so far relied on the media type that the sender claimed.
    const field = group.properties.find((each) => each.name === name)
    const types = field === undefined ? null : allowedTypes(field)
    const at = `${path}properties.${name}`
    if (isSentFile(value))
      pending.push({ path: at, source: sent(value), options: { ...options, types: types ?? options.types } })
    else if (heldAddressOf(value) !== null && heldAddressOf(value) !== '')
      named.push({ path: at, value, stored: stored?.properties[name], taking: { property, owner, types } })
  }
  for (const nested of group.nested) {
    const given = values.nested[nested.kind]?.[nested.name]
    if (given === undefined) continue
    const at = `${path}${nested.kind}.${nested.name}`
    const source = sourceOf(nested, given)
    if (source !== null) pending.push({ path: at, source, options: hangingOptions(nested, declared) })
    const below: FileGroup = {
      group: nested.fields,
      declared: propertiesOf(catalog, nested),
      owner: ownerOf(catalog, nested),
      values: given,
      stored: stored?.nested[nested.kind]?.[nested.name] ?? null,
      path: `${at}.`,
    }
    collect(catalog, below, pending, named)
  }
}

/** An image has the versions that the property of its name declares. */
function hangingOptions({ kind, name }: NestedGroup, declared: ReadonlyMap<string, PropertyDef> | null): KeepOptions {
  if (kind !== 'custom_images') return ATTACHED
  const property = declared?.get(name)
  return { ...IMAGE, versions: keepOptionsOf(property?.type === 'photo' ? property : { ...PHOTO, name }).versions }
}

const PHOTO: PropertyDef = { name: '', type: 'photo', default: null, belongsTo: null, options: null }

function ownerOf(catalog: Catalog, { kind, name, table }: NestedGroup): UploadOwner {
  return kind === 'profiles' ? profilesOwner(name) : recordsOwner(catalog.tableId(table ?? name) ?? 0)
}

function propertiesOf(catalog: Catalog, { kind, name, table }: NestedGroup): ReadonlyMap<string, PropertyDef> | null {
  if (kind === 'profiles') return catalog.profileProperties(name)
  return kind === 'customizations' ? catalog.properties(table ?? name) : null
}

/** The source of an image or attachment: an uploaded file, base64 text, or a URL. */
function sourceOf({ kind }: NestedGroup, { attributes }: Values): FileSource | null {
  if (kind !== 'custom_images' && kind !== 'custom_attachments') return null
  for (const name of FILE_FIELDS[kind === 'custom_images' ? 'image' : 'attachment']) {
    const value = attributes[name]
    if (isSentFile(value)) return sent(value)
    if (typeof value !== 'string' || value.trim() === '') continue
    const text = value.trim()
    if (/^https?:\/\//i.test(text) || name.includes('remote')) return { kind: 'url', url: text }
    const fileName = attributes['file_name']
    return { kind: 'base64', text, fileName: typeof fileName === 'string' ? fileName : null }
  }
  return null
}

function sent({ path, fileName, contentType }: { path: string; fileName: string; contentType: string }): FileSource {
  return { kind: 'sent', path, fileName, contentType }
}
