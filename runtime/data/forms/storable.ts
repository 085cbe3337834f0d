/** Selects the values of a form to store. */
import type { FieldDef, FieldGroup, FormEntry, NestedGroup } from '../../page/site.ts'
import { setKey } from '../../page/values/hash.ts'
import { isBlank } from '../../page/values/truth.ts'
import { toDeclaredType } from './cast.ts'
import { fieldsOf, nestedValues, type Section } from './fields.ts'
import type { Values } from './model.ts'
import { otherSources } from './sent-file.ts'

/**
 * Returns the values in their declared types, without virtual fields. A blank password is omitted, because it means no change.
 * @param values validated values
 */
export function storableValues(form: FormEntry, values: Values): Values {
  return storableGroup(fieldsOf(form), values)
}

function storableGroup(group: FieldGroup, values: Values): Values {
  const nested: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const nestedDefinition of group.nested) {
    const sentValues = nestedValues(values, nestedDefinition)
    if (sentValues !== null)
      setKey(
        (nested[nestedDefinition.kind] ??= {}),
        nestedDefinition.name,
        storableGroup(nestedDefinition.fields, sentValues),
      )
  }
  return {
    attributes: storableSection(group.attributes, 'attributes', values),
    properties: storableSection(group.properties, 'properties', values),
    nested,
  }
}

function storableSection(fields: readonly FieldDef[], section: Section, values: Values): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.virtual) continue
    if (Object.hasOwn(values[section], field.name)) {
      const value = values[section][field.name]
      if (!(section === 'attributes' && field.name === 'password' && isBlank(value)))
        setKey(result, field.name, toDeclaredType(field, value))
    }
    for (const name of otherSources(field))
      if (Object.hasOwn(values[section], name) && !isBlank(values[section][name]))
        setKey(result, name, values[section][name])
  }
  return result
}
