/** The built-in attributes of form resources and their storage format. */
import { type ColumnKind, columnText } from '../../../runtime/data/query/writes/columns.ts'
import { USER_COLUMN_KINDS } from '../../../runtime/data/values/user-columns.ts'

/** How the values of a column are stored. */
export interface ColumnDef {
  readonly cast: 'text' | 'bigint' | 'timestamptz' | 'boolean'
  /**
   * Converts a value to the text of the SQL parameter. Null stores SQL null.
   * @throws QueryError when the column cannot hold the value
   */
  text(value: unknown): string | null
}

function column(name: string, kind: ColumnKind): ColumnDef {
  const cast = kind === 'id' ? 'bigint' : kind === 'time' || kind === 'required time' ? 'timestamptz' : 'text'
  return { cast, text: (value) => (isEmptyValue(value) ? null : columnText(name, kind, toPlainValue(value), null)) }
}

const TRUE_WORDS = new Set(['true', 't', '1', 'yes', 'y', 'on'])
const BOOLEAN_COLUMN: ColumnDef = {
  cast: 'boolean',
  text: (value) => (isEmptyValue(value) ? null : `${TRUE_WORDS.has(String(toPlainValue(value)).trim().toLowerCase())}`),
}

/** Columns of a record other than its properties. An `id` in the request is ignored. */
export const RECORD_COLUMNS: Readonly<Record<string, ColumnDef>> = {
  user_id: column('user_id', 'id'),
  external_id: column('external_id', 'text'),
  customizable_id: column('customizable_id', 'id'),
  customizable_type: column('customizable_type', 'text'),
  created_at: column('created_at', 'required time'),
  updated_at: column('updated_at', 'required time'),
  deleted_at: column('deleted_at', 'time'),
}

/** Columns of a user. The password is stored separately as a hash. */
export const USER_COLUMNS: Readonly<Record<string, ColumnDef>> = {
  ...Object.fromEntries(Object.entries(USER_COLUMN_KINDS).map(([name, kind]) => [name, column(name, kind)])),
  featured: BOOLEAN_COLUMN,
  public_profile: BOOLEAN_COLUMN,
}

/** Columns that are never null. A blank value leaves them unchanged. */
export const NEVER_NULL: ReadonlySet<string> = new Set([
  'email',
  'slug',
  'created_at',
  'updated_at',
  'featured',
  'public_profile',
])

/** Fields of an address. */
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

/** Attributes that can hold the file of an image or attachment. The first attribute with a value is used. */
export const FILE_FIELDS = {
  image: ['image', 'file', 'remote_image_url', 'raw_remote_image_url', 'remote_file_url'],
  attachment: ['file', 'attachment', 'remote_file_url', 'remote_attachment_url', 'raw_remote_file_url'],
} as const

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function toPlainValue(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value
}
