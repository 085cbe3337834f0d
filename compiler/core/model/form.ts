/** A form configuration as the site's tables and users make of it: whose fields it has, and of which types. */
import type { PropertyType } from './operation.ts'
import type { FormField, FormNested, FormSettings, NestedKind } from './settings.ts'
import type { Type } from './type.ts'
import type { Unit } from './unit.ts'

export interface LinkedField extends FormField {
  readonly type: PropertyType
  /** As of its property. */
  readonly located?: true
}

export interface LinkedGroup {
  readonly attributes: readonly LinkedField[]
  readonly properties: readonly LinkedField[]
  readonly nested: readonly LinkedNested[]
  /** What the resource has besides, where a name above is none of its own; null where all are. */
  readonly misspelled: MisspelledNames | null
}

/**
 * Which one a wrong name was meant to be is not known, so that its form may be read by any of them. A form takes none of these:
 * they are for what is said of its template only.
 */
export interface MisspelledNames {
  readonly attributes: readonly LinkedField[]
  readonly properties: readonly LinkedField[]
  /** Kinds of resources below it of which a name is wrong. */
  readonly kinds: ReadonlySet<NestedKind>
}

/** The group with what it has besides among its own. */
export function withBesides(group: LinkedGroup): LinkedGroup {
  const { misspelled: besides } = group
  if (besides === null) return group
  return {
    ...group,
    attributes: [...group.attributes, ...besides.attributes],
    properties: [...group.properties, ...besides.properties],
  }
}

/** The nested resources of a group by their kinds. */
export function byKind({ nested }: LinkedGroup): ReadonlyMap<NestedKind, readonly LinkedNested[]> {
  const kinds = new Map<NestedKind, LinkedNested[]>()
  for (const each of nested) kinds.set(each.group, [...(kinds.get(each.group) ?? []), each])
  return kinds
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
