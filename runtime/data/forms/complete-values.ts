/** Prepares submitted values for validation: restores readonly fields and fills in defaults. */
import type { Render } from '../../page/render.ts'
import type { FieldDef, FormEntry, NestedGroup, Scope } from '../../page/site.ts'
import { setKey } from '../../page/values/hash.ts'
import { fieldsOf, isSent, nestedValues, SECTIONS, type Section, storedValueOf } from './fields.ts'
import { formScope } from './form-scope.ts'
import { type FormState, NO_VALUES, type Values } from './model.ts'
import { otherSources } from './sent-file.ts'
import { evaluateSetting } from '../../page/setting.ts'

/**
 * Returns the sent values without readonly fields, with defaults for fields that are neither sent nor stored.
 * @throws LiquidFault of the Liquid in a default
 */
export async function completeValues(form: FormEntry, state: FormState, r: Render): Promise<Values> {
  const scope = formScope(form, state, () => r)
  return completeGroup(fieldsOf(form), state.sentValues ?? NO_VALUES, state.storedResource, r, scope)
}

async function completeGroup(
  group: NestedGroup['fields'],
  sentValues: Values,
  storedValues: Values | null,
  r: Render,
  scope: () => Scope,
): Promise<Values> {
  const sections = { attributes: sentValues.attributes, properties: sentValues.properties }
  for (const section of SECTIONS) {
    const fields = group[section]
    if (!fields.some((field) => field.readonly || field.default !== null)) continue
    const values: Record<string, unknown> = { ...sentValues[section] }
    for (const field of fields) {
      if (field.readonly) for (const name of [field.name, ...otherSources(field)]) delete values[name]
      if (field.default === null || !isMissing(field, section, { ...sentValues, [section]: values }, storedValues))
        continue
      const value = evaluateSetting(field.default, () => r, scope)
      setKey(values, field.name, value instanceof Promise ? await value : value)
    }
    sections[section] = values
  }
  if (group.nested.length === 0) return { ...sections, nested: sentValues.nested }
  const nested: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const nestedDefinition of group.nested) {
    const values = nestedValues(sentValues, nestedDefinition)
    if (values === null) continue
    const storedNested = storedValues === null ? null : nestedValues(storedValues, nestedDefinition)
    setKey(
      (nested[nestedDefinition.kind] ??= {}),
      nestedDefinition.name,
      await completeGroup(nestedDefinition.fields, values, storedNested, r, scope),
    )
  }
  return { ...sections, nested }
}

function isMissing(field: FieldDef, section: Section, sentValues: Values, storedValues: Values | null): boolean {
  if (isSent(sentValues, section, field.name) || storedValueOf(storedValues, section, field.name) !== null) return false
  return !otherSources(field).some((name) => isSent(sentValues, section, name))
}
