/**
 * The names of inputs in HTML, such as `form[profiles_attributes][developer_attributes][properties_attributes][title]`.
 */
import type { FieldDef, NestedGroup } from '../../page/site.ts'
import type { Section } from './fields.ts'

/** The name prefix of a nested resource, below that of its parent. */
export function nestedName(parent: string, nested: NestedGroup): string {
  return `${parent}[${nested.kind}_attributes][${nested.name}_attributes]`
}

/** The name of the input of a field. Lists have one input for each element. */
export function inputName(parent: string, section: Section, field: FieldDef): string {
  const namePrefix = section === 'properties' ? `${parent}[properties_attributes]` : parent
  return `${namePrefix}[${field.name}]${field.type === 'array' ? '[]' : ''}`
}
