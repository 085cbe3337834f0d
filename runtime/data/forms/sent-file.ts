/** Files as they stand among the values of a form, and the other ways of sending one. */
import type { FieldDef, PropertyType } from '../../page/site.ts'

/** A file of a multipart body, as a server keeps it until the answer is sent. */
export interface SentFile {
  readonly kind: 'sent-file'
  readonly fileName: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Absolute path. */
  readonly path: string
}

/** Whether a value that `readInput` gave is a file that was sent: it lets no other object of this shape pass. */
export function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'sent-file'
}

const FILE_TYPES: ReadonlySet<PropertyType> = new Set(['file', 'photo', 'upload'])

/** Names under which the source of a file may come instead of the file itself, by the name of the attribute. */
const OTHER_SOURCES: Readonly<Record<string, readonly string[]>> = {
  image: ['remote_image_url', 'raw_remote_image_url'],
  file: ['remote_file_url', 'raw_remote_file_url'],
  attachment: ['remote_attachment_url', 'raw_remote_attachment_url'],
}

const NONE: readonly string[] = []

/** Whether the field takes a file. */
export function takesFile(field: FieldDef): boolean {
  return FILE_TYPES.has(field.type)
}

/** Further names that the file of an attribute may come under: `remote_image_url` beside `image`. */
export function otherSources(field: FieldDef): readonly string[] {
  const names = Object.hasOwn(OTHER_SOURCES, field.name) && takesFile(field) ? OTHER_SOURCES[field.name] : undefined
  return names ?? NONE
}
