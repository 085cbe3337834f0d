/** The groups of fields of a form whose properties belong to a table, to users or to a profile. */
import type { LinkedNested } from '../../../core/model/form.ts'
import type { FormField, FormGroup, FormNested, FormSettings } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { USER_TABLE } from './query-texts.ts'

interface OwnedGroup {
  /** The table of the properties, the name of a profile, or `USER_TABLE`. */
  readonly table: string
  /** The keys below `fields` that lead to the group: `customizations`, `order`. */
  readonly path: readonly string[]
  readonly properties: readonly FormField[]
}

/** Returns the groups of a form, outermost first. The outermost group is missing for a form whose table is unknown. */
export function ownedGroups(site: Site, { file, settings }: Unit<FormSettings>): readonly OwnedGroup[] {
  const linkedForm = site.formSchemas.get(file.path)
  const isOfUsers = linkedForm?.resource === 'user' || linkedForm?.resource === 'session'
  const own = linkedForm === undefined ? (settings.resource?.name ?? null) : isOfUsers ? USER_TABLE : linkedForm.table
  const groups: OwnedGroup[] = []
  const add = (table: string | null, { properties, nested }: FormGroup, path: readonly string[]): void => {
    if (table !== null) groups.push({ table, path, properties })
    for (const each of nested) add(tableOfNested(each), each.fields, [...path, each.group, each.name])
  }
  add(own, linkedForm?.fields ?? settings.fields, [])
  return groups
}

/** Returns the owner of the properties of a nested resource; null for images, attachments and addresses. */
function tableOfNested(nested: FormNested | LinkedNested): string | null {
  if (nested.group === 'profiles') return nested.name
  if (nested.group !== 'customizations') return null
  return 'table' in nested && nested.table !== null ? nested.table : nested.name
}
