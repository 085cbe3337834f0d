/** Types of forms: sent values, stored values, and errors. */
import type { Render } from '../../page/render.ts'
import type { FieldDef, NestedGroup } from '../../page/site.ts'

/** The values of one resource, in the shape of its `FieldGroup`. A missing key means that the value was not sent or is not stored. */
export interface Values {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly properties: Readonly<Record<string, unknown>>
  /** Nested resources by kind and name, such as `nested.profiles.developer`. */
  readonly nested: Readonly<Partial<Record<NestedGroup['kind'], Readonly<Record<string, Values>>>>>
}

/** The kinds of nested resources. */
export const NESTED_KINDS: readonly NestedGroup['kind'][] = [
  'profiles',
  'customizations',
  'custom_images',
  'custom_attachments',
  'custom_addresses',
]

export function isNestedKind(key: string): key is NestedGroup['kind'] {
  return NESTED_KINDS.some((kind) => kind === key)
}

export const NO_VALUES: Values = { attributes: {}, properties: {}, nested: {} }

/** A stored resource. */
export interface StoredResource extends Values {
  readonly id: string
  /** The id of the user that a record belongs to. */
  readonly userId: string | null
}

/**
 * Messages by field path (`email`, `properties.title`, `profiles.developer.properties.x`, `base`), in the order of the
 * fields.
 */
export type FormErrors = ReadonlyMap<string, readonly string[]>

/** The state of a form: new, loaded, or after a failed submission. */
export interface FormState {
  /** The stored resource; null for a new one. */
  readonly storedResource: StoredResource | null
  /** The sent values; null before a submission. */
  readonly sentValues: Values | null
  readonly errors: FormErrors
}

/** The host functions that validation uses. */
export interface ValidationHost {
  readonly r: Render
  readonly on: 'create' | 'update'
  /**
   * Returns whether no other row of the form's resource has this value. Deleted rows are ignored.
   * @param path path of the field
   * @param scope further fields that must be equal too, with their values
   */
  unique(
    path: string,
    field: FieldDef,
    value: unknown,
    options: { readonly caseSensitive: boolean; readonly scope: Readonly<Record<string, unknown>> },
  ): Promise<boolean>
}
