/** The built-in attributes of form resources, and how each is stored. */
import { type ColumnKind, columnText } from '../../../runtime/data/query/writes/columns.ts'
import { USER_COLUMN_KINDS } from '../../../runtime/data/values/user-columns.ts'

/** Converts an attribute to the parameter of its column. */
export interface ColumnDef {
  readonly cast: 'text' | 'bigint' | 'timestamptz' | 'boolean'
  /**
   * Text of the parameter.
   * @throws QueryError when the column cannot hold the value
   */
  text(value: unknown): string | null
}

function column(name: string, kind: ColumnKind): ColumnDef {
  const cast = kind === 'id' ? 'bigint' : kind === 'time' || kind === 'required time' ? 'timestamptz' : 'text'
  return { cast, text: (value) => (isNothing(value) ? null : columnText(name, kind, plainText(value), null)) }
}

const YES = new Set(['true', 't', '1', 'yes', 'y', 'on'])
const YES_OR_NO: ColumnDef = {
  cast: 'boolean',
  text: (value) => (isNothing(value) ? null : `${YES.has(`${plainText(value) as string}`.trim().toLowerCase())}`),
}

/** Columns of a record besides its properties. An `id` that is sent is never stored. */
export const RECORD_COLUMNS: Readonly<Record<string, ColumnDef>> = {
  user_id: column('user_id', 'id'),
  external_id: column('external_id', 'text'),
  customizable_id: column('customizable_id', 'id'),
  customizable_type: column('customizable_type', 'text'),
  created_at: column('created_at', 'required time'),
  updated_at: column('updated_at', 'required time'),
  deleted_at: column('deleted_at', 'time'),
}

/** Columns of a user; the password is stored as its hash. */
export const USER_COLUMNS: Readonly<Record<string, ColumnDef>> = {
  ...Object.fromEntries(Object.entries(USER_COLUMN_KINDS).map(([name, kind]) => [name, column(name, kind)])),
  featured: YES_OR_NO,
  public_profile: YES_OR_NO,
}

/** Columns that are never null; a blank value leaves them unchanged. */
export const NEVER_NULL: ReadonlySet<string> = new Set([
  'email',
  'slug',
  'created_at',
  'updated_at',
  'featured',
  'public_profile',
])

export const ADDRESS_FIELDS = [
  'label',
  'address',
  'street',
  'street_number',
  'suburb',
  'city',
  'state',
  'postcode',
  'country',
  'iso_country_code',
  'latitude',
  'longitude',
] as const

/** Attributes that hold the file of an image or attachment form; the first one given counts. */
export const FILE_FIELDS = {
  image: ['image', 'file', 'remote_image_url', 'raw_remote_image_url', 'remote_file_url'],
  attachment: ['file', 'attachment', 'remote_file_url', 'remote_attachment_url', 'raw_remote_file_url'],
} as const

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function plainText(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value
}
