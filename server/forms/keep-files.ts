/** Stores the files among a form's values before the form is saved; they are removed again when saving fails. */
import type { PropertyDef } from '../../runtime/page/compiled.ts'
import { allowedTypes, isSentFile } from '../../runtime/data/forms/index.ts'
import type { ValidationProblem } from '../../runtime/data/forms/messages.ts'
import type { Values } from '../../runtime/data/forms/model.ts'
import type { Catalog } from '../../runtime/data/query/model.ts'
import type { FieldGroup, FormEntry, NestedGroup } from '../../runtime/page/site.ts'
import { keepOptionsOf } from '../files/keep-options.ts'
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
  /** Why files were refused, by the same paths. */
  readonly refused: ReadonlyMap<string, ValidationProblem>
}

/** A file to store. */
interface FileToKeep {
  readonly path: string
  readonly source: FileSource
  readonly options: KeepOptions
}

const NOTHING_KEPT: KeptFiles = { files: new Map(), refused: new Map() }

/** Options of forms without options of their own. */
const ATTACHED: KeepOptions = { acl: 'public', limit: 25_000_000, types: null, versions: {} }
const IMAGE: KeepOptions = { ...ATTACHED, types: ['image/*'] }

/**
 * Stores the files one after another: in parallel they would only compete for the disk.
 * @param table of a record
 */
export async function keepFiles(
  files: Files | null,
  catalog: Catalog,
  form: FormEntry,
  table: string | null,
  values: Values,
): Promise<KeptFiles> {
  const pending: FileToKeep[] = []
  const declared =
    form.resource === 'user'
      ? catalog.userProperties
      : form.resource === 'profile'
        ? catalog.profileProperties(form.table ?? 'default')
        : catalog.properties(table ?? '')
  collect(catalog, form.fields, declared, values, '', pending)
  if (pending.length === 0) return NOTHING_KEPT
  const kept = new Map<string, StoredFile>()
  const refused = new Map<string, ValidationProblem>()
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
  return { files: kept, refused }
}

function problemOf({ key, count, message }: FileRefused): ValidationProblem {
  return { key, text: message, ...(count === undefined ? {} : { count }) }
}

function collect(
  catalog: Catalog,
  group: FieldGroup,
  declared: ReadonlyMap<string, PropertyDef> | null,
  values: Values,
  path: string,
  pending: FileToKeep[],
): void {
  for (const [name, value] of Object.entries(values.properties)) {
    const property = declared?.get(name)
    if (!isSentFile(value) || property === undefined) continue
    const options = keepOptionsOf(property)
    // The validation so far relied on the media type that the sender claimed.
    const field = group.properties.find((each) => each.name === name)
    const types = (field === undefined ? null : allowedTypes(field)) ?? options.types
    pending.push({ path: `${path}properties.${name}`, source: sent(value), options: { ...options, types } })
  }
  for (const nested of group.nested) {
    const given = values.nested[nested.kind]?.[nested.name]
    if (given === undefined) continue
    const at = `${path}${nested.kind}.${nested.name}`
    const source = sourceOf(nested, given)
    if (source !== null) pending.push({ path: at, source, options: nested.kind === 'custom_images' ? IMAGE : ATTACHED })
    collect(catalog, nested.fields, propertiesOf(catalog, nested), given, `${at}.`, pending)
  }
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
