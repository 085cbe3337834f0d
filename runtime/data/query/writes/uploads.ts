/** `value_upload`: files that the host creates for a property before the row is written. */
import type { PropertyDef } from '../../../page/compiled.ts'
import {
  type InputFields,
  type ParameterHost,
  type SourceRange,
  type Problem,
  valueError,
  type UploadValue,
} from '../model.ts'
import type { UploadOwner } from '../upload-host.ts'
import { invalidPropertyValue, storedText } from './stored-values.ts'
import { parseJsonText, isObject } from '../../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

const TYPES: ReadonlySet<PropertyDef['type']> = new Set(['upload', 'file', 'photo'])

/** Returns whether a property holds a file. */
export function isUpload({ type }: PropertyDef): boolean {
  return TYPES.has(type)
}

/**
 * The address of a file that the sender may not assign. A row may keep the file only when it already holds it. `ingot.held_uploads` reads
 * this value.
 */
export class HeldUpload {
  readonly json: string

  /** @param errorMessage the error message when the row does not hold the file */
  constructor(address: string, errorMessage: string) {
    this.json = JSON.stringify({ held: address, why: errorMessage })
  }
}

interface UploadTarget {
  readonly property: PropertyDef
  readonly owner: UploadOwner
  /** Whether the row may already hold the file. */
  readonly mayHold: boolean
  readonly range: SourceRange | null
}

/**
 * Assigns an uploaded file to a property.
 * @returns the value of the property, or a `HeldUpload` when the row must already hold the file
 * @throws QueryError when the sender may not use the file
 */
export async function claimUpload(
  { property, owner, mayHold, range }: UploadTarget,
  value: unknown,
  host: ParameterHost,
): Promise<unknown> {
  const text = storedText(property, value, range)
  // Without a file store, there are no files to protect.
  if (text === 'null' || host.uploads === undefined) return value
  const claimedValue = await host.uploads.claim(property, owner, value)
  if (claimedValue !== null) return claimedValue.value
  const invalidValueError = invalidPropertyValue(property, value, range)
  if (!mayHold) throw invalidValueError
  const storedValue = parseJsonText(text)
  if (!isObject(storedValue) || typeof storedValue['path'] !== 'string') throw invalidValueError
  const [problem] = invalidValueError.problems
  return new HeldUpload(storedValue['path'], `${problem?.message ?? ''} ${problem?.hint ?? ''}`.replaceAll('\0', ''))
}

interface Upload {
  readonly range: SourceRange | null
  readonly upload?: InputFields
}

/** Returns the problem of an upload for a property, when the document itself shows a problem. */
export function uploadProblem(property: PropertyDef, { upload, range }: Upload): Problem | null {
  if (upload === undefined) return null
  if (TYPES.has(property.type)) return null
  return {
    code: 'property-type',
    message: `Property \`${property.name}\` is declared \`${property.type}\`: \`value_upload\` needs a property of the type \`upload\`.`,
    range,
    hint: null,
    mistake: { kind: 'property type', name: property.name, type: 'upload' },
    property: property.name,
  }
}

/**
 * Creates the file.
 * @returns the value of the property
 * @throws QueryError
 */
export async function storeUpload(
  property: PropertyDef,
  uploadArguments: unknown,
  host: ParameterHost,
): Promise<Fields> {
  const value = valueOf(isObject(uploadArguments) ? uploadArguments : {})
  if ((value.content === null) === (value.remoteUrl === null))
    throw valueError('`value_upload` requires either `content` or `remote_url`.')
  if (host.uploads === undefined) throw valueError('This host does not store files.')
  return host.uploads.store(property, value)
}

function valueOf(uploadArguments: Fields): UploadValue {
  const { type, acl } = uploadArguments
  return {
    type: type === 'image' || type === 'pdf' ? type : 'plain',
    content: textIn(uploadArguments, 'content'),
    remoteUrl: textIn(uploadArguments, 'remote_url'),
    filePath: textIn(uploadArguments, 'file_path'),
    contentType: textIn(uploadArguments, 'content_type'),
    acl: acl === 'public' ? 'public' : 'private',
    gpg: gpgOf(uploadArguments['encryption']),
  }
}

/** Returns the recipient in the argument `encryption`; null without encryption. */
function gpgOf(encryption: unknown): UploadValue['gpg'] {
  const gpg = partOf(partOf(encryption)['gpg'])
  const key = textIn(gpg, 'key')
  return key === null ? null : { key, armor: gpg['armor'] === true }
}

function partOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  return value === null || value === undefined ? null : String(value)
}
