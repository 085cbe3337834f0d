/**
 * The names of inputs in HTML, such as `form[profiles_attributes][developer_attributes][properties_attributes][title]`.
 */
import type { FieldDef, NestedGroup } from '../../page/site.ts'
import type { Section } from './fields.ts'

/** Returns the prefix of input names for a nested resource. `parent` is the prefix of its parent. */
export function nestedName(parent: string, nested: NestedGroup): string {
  return `${parent}[${nested.kind}_attributes][${nested.name}_attributes]`
}

/** Returns the name of the input of a field. Lists have one input for each element. */
export function inputName(parent: string, section: Section, field: FieldDef): string {
  const namePrefix = section === 'properties' ? `${parent}[properties_attributes]` : parent
  return `${namePrefix}[${field.name}]${field.type === 'array' ? '[]' : ''}`
}
