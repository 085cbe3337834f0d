/** Linked form configurations: the fields of a form with their types from tables and users. */
import type { PropertyType } from './operation.ts'
import type { FormField, FormNested, FormSettings, NestedKind } from './settings.ts'
import type { Type } from './type.ts'
import type { Unit } from './unit.ts'

export interface LinkedField extends FormField {
  readonly type: PropertyType
  /** Whether a point without coordinates is invalid. */
  readonly located?: true
}

export interface LinkedGroup {
  readonly attributes: readonly LinkedField[]
  readonly properties: readonly LinkedField[]
  readonly nested: readonly LinkedNested[]
  /** Additional fields that misspelled names may mean; null if all names are correct. */
  readonly misspelled: MisspelledNames | null
}

/**
 * The fields that misspelled names may mean. Since it is not known which field was meant, the template may read any of these fields.
 * They are used only for checking the template: the form itself does not accept them.
 */
export interface MisspelledNames {
  readonly attributes: readonly LinkedField[]
  readonly properties: readonly LinkedField[]
  /** The kinds of nested resources with a misspelled name. */
  readonly kinds: ReadonlySet<NestedKind>
}

/** Returns the group with the additional fields among its own. */
export function withMisspelled(group: LinkedGroup): LinkedGroup {
  const { misspelled: besides } = group
  if (besides === null) return group
  return {
    ...group,
    attributes: [...group.attributes, ...besides.attributes],
    properties: [...group.properties, ...besides.properties],
  }
}

/** Returns the nested resources of a group by kind. */
export function byKind({ nested }: LinkedGroup): ReadonlyMap<NestedKind, readonly LinkedNested[]> {
  const kinds = new Map<NestedKind, LinkedNested[]>()
  for (const each of nested) kinds.set(each.group, [...(kinds.get(each.group) ?? []), each])
  return kinds
}

export interface LinkedNested extends FormNested {
  /** The logical name of the table of a customization; otherwise null. */
  readonly table: string | null
  readonly fields: LinkedGroup
}

/** A form with a known resource and the declared types of its fields. */
export interface LinkedForm {
  readonly unit: Unit<FormSettings>
  readonly name: string
  readonly resource: 'record' | 'user' | 'profile' | 'session'
  /** The logical name of the table of records, or the type of a profile. Null for other resources, and for records of any table. */
  readonly table: string | null
  readonly owner: 'anyone' | 'self' | 'creator'
  readonly fields: LinkedGroup
  /** The type of `form` in its template and in the Liquid of its settings. */
  readonly type: Type
}
