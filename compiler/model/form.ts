/** A form configuration as the site's tables and users make of it: whose fields it has, and of which types. */
import type { FormField, FormNested, FormSettings, PropertyType } from './settings.ts'
import type { Type } from './type.ts'
import type { Unit } from './unit.ts'

export interface LinkedField extends FormField {
  readonly type: PropertyType
}

export interface LinkedGroup {
  readonly attributes: readonly LinkedField[]
  readonly properties: readonly LinkedField[]
  readonly nested: readonly LinkedNested[]
}

export interface LinkedNested extends FormNested {
  /** Logical name of the table of a customization, else null. */
  readonly table: string | null
  readonly fields: LinkedGroup
}

/** A form whose resource is known, with the declared types of its fields. */
export interface LinkedForm {
  readonly unit: Unit<FormSettings>
  readonly name: string
  readonly resource: 'record' | 'user' | 'profile' | 'session'
  /** Logical name of the table of records, or the type of a profile; null for the others, and for records of any table. */
  readonly table: string | null
  readonly owner: 'anyone' | 'self' | 'creator'
  readonly fields: LinkedGroup
  /** What `form` is in its template and in the Liquid of its settings. */
  readonly type: Type
}
