/** Files among the values of a form, and alternative ways to send them. */
import type { FieldDef, PropertyType } from '../../page/site.ts'

/** An uploaded file of a multipart body, which the server keeps until the response is sent. */
export interface SentFile {
  readonly kind: 'sent-file'
  readonly fileName: string
  readonly contentType: string
  /** Size in bytes. */
  readonly size: number
  /** Absolute path. */
  readonly path: string
}

/** Returns whether a value from `readInput` is an uploaded file. `readInput` rejects other objects of this shape. */
export function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'sent-file'
}

const FILE_TYPES: ReadonlySet<PropertyType> = new Set(['file', 'photo', 'upload'])

/** Other parameters that can name the source of a file, by the name of the attribute. */
const OTHER_SOURCES: Readonly<Record<string, readonly string[]>> = {
  image: ['remote_image_url', 'raw_remote_image_url'],
  file: ['remote_file_url', 'raw_remote_file_url'],
  attachment: ['remote_attachment_url', 'raw_remote_attachment_url'],
}

const NONE: readonly string[] = []

/** Returns whether the field accepts files. */
export function takesFile(field: FieldDef): boolean {
  return FILE_TYPES.has(field.type)
}

/** Returns the other parameters that can name the source of a file attribute, such as `remote_image_url` for `image`. */
export function otherSources(field: FieldDef): readonly string[] {
  const names = Object.hasOwn(OTHER_SOURCES, field.name) && takesFile(field) ? OTHER_SOURCES[field.name] : undefined
  return names ?? NONE
}
