/** What the rooms of forms hand to each other: what was sent for a form, what is stored, and what is wrong with it. */
import type { Render } from '../../page/render.ts'
import type { FieldDef, NestedGroup } from '../../page/site.ts'

/** Values of one resource by the shape of its `FieldGroup`. Keys that are absent were not sent, or are not stored. */
export interface Values {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly properties: Readonly<Record<string, unknown>>
  /** Nested resources by their kind, then their name: `nested.profiles.developer`. */
  readonly nested: Readonly<Partial<Record<NestedGroup['kind'], Readonly<Record<string, Values>>>>>
}

export const NOTHING: Values = { attributes: {}, properties: {}, nested: {} }

/** A resource as it is stored, with its id. */
export interface StoredResource extends Values {
  readonly id: string
  /** Id of the user whom a record belongs to. */
  readonly userId: string | null
}

/** Messages by flat field path (`email`, `properties.title`, `profiles.developer.properties.x`, `base`), in the order of the fields. */
export type FormErrors = ReadonlyMap<string, readonly string[]>

/** A form at one moment: new, loaded, or after a failed submit. */
export interface FormState {
  /** Null when new. */
  readonly stored: StoredResource | null
  /** What was sent; null before a submit. */
  readonly sent: Values | null
  readonly errors: FormErrors
}

/** What checking the values of a form asks of its host. */
export interface ValidationHost {
  readonly r: Render
  readonly on: 'create' | 'update'
  /**
   * Whether no other living row of the form's resource has this value.
   * @param path of the field @param scope further fields that must be equal too, with their values
   */
  unique(
    path: string,
    field: FieldDef,
    value: unknown,
    options: { readonly caseSensitive: boolean; readonly scope: Readonly<Record<string, unknown>> },
  ): Promise<boolean>
}
