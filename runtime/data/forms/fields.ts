/** The fields of a form: built-in ones, the paths of values, and labels. */
import type { FieldDef, FieldGroup, FormEntry, NestedGroup } from '../../page/site.ts'
import { type FormState, NO_VALUES, type StoredResource, type Values } from './model.ts'

export type Section = 'attributes' | 'properties'

export const SECTIONS: readonly Section[] = ['attributes', 'properties']

/** The root or a nested resource of a form, with its values. */
export interface ResourceValues {
  readonly group: FieldGroup
  /** The path prefix of the fields: `''` for the root, otherwise for example `profiles.developer.`. */
  readonly prefix: string
  readonly sentValues: Values
  /** The stored values; null when nothing is stored. */
  readonly storedValues: Values | null
}

const SESSION_FIELDS: readonly FieldDef[] = [
  sessionField('email', 'string'),
  sessionField('password', 'string'),
  sessionField('remember_me', 'boolean'),
]

function sessionField(name: string, type: FieldDef['type']): FieldDef {
  return { name, type, virtual: false, readonly: false, default: null, validations: [], options: {} }
}

const sessionGroups = new WeakMap<FormEntry, FieldGroup>()

/** Returns the fields that a form accepts. A sign-in form always has the fields for credentials. */
export function fieldsOf(form: FormEntry): FieldGroup {
  if (form.resource !== 'session') return form.fields
  let group = sessionGroups.get(form)
  if (group === undefined) {
    const { attributes } = form.fields
    const missing = SESSION_FIELDS.filter(({ name }) => !attributes.some((field) => field.name === name))
    group = { ...form.fields, attributes: [...attributes, ...missing] }
    sessionGroups.set(form, group)
  }
  return group
}

/** Returns the root of a form and all nested resources that were sent, in the order of the configuration. */
export function resourcesOf(form: FormEntry, state: FormState): readonly [ResourceValues, ...ResourceValues[]] {
  const root = fieldsOf(form)
  const sentValues = state.sentValues ?? NO_VALUES
  const resource: ResourceValues = { group: root, prefix: '', sentValues, storedValues: state.storedResource }
  return root.nested.length === 0 ? [resource] : [resource, ...nestedResources(resource)]
}

function nestedResources(resource: ResourceValues): readonly ResourceValues[] {
  const resources: ResourceValues[] = []
  for (const nested of resource.group.nested) {
    const sentValues = nestedValues(resource.sentValues, nested)
    if (sentValues === null) continue
    const storedValues = resource.storedValues === null ? null : nestedValues(resource.storedValues, nested)
    const nestedResource: ResourceValues = {
      group: nested.fields,
      prefix: `${resource.prefix}${nestedPath(nested)}.`,
      sentValues,
      storedValues,
    }
    resources.push(nestedResource, ...nestedResources(nestedResource))
  }
  return resources
}

/** Returns the values of a nested resource; null when it has none. */
export function nestedValues(values: Values, nested: NestedGroup): Values | null {
  const kind = values.nested[nested.kind]
  return kind !== undefined && Object.hasOwn(kind, nested.name) ? (kind[nested.name] ?? null) : null
}

/** Returns the path of a nested resource, for example `profiles.developer`. */
export function nestedPath(nested: NestedGroup): string {
  return `${nested.kind}.${nested.name}`
}

/** Returns the path of a field, for example `profiles.developer.properties.title`. */
export function fieldPath(prefix: string, section: Section, name: string): string {
  return section === 'properties' ? `${prefix}properties.${name}` : `${prefix}${name}`
}

/** Returns whether a value, possibly null, was sent under this name. */
export function isSent(values: Values, section: Section, name: string): boolean {
  return Object.hasOwn(values[section], name)
}

/** Returns the sent value, otherwise the stored one, otherwise null. */
export function valueOfField(
  resource: Pick<ResourceValues, 'sentValues' | 'storedValues'>,
  section: Section,
  name: string,
): unknown {
  if (isSent(resource.sentValues, section, name)) return resource.sentValues[section][name] ?? null
  return storedValueOf(resource.storedValues, section, name)
}

export function storedValueOf(storedValues: Values | StoredResource | null, section: Section, name: string): unknown {
  return storedValues !== null && Object.hasOwn(storedValues[section], name)
    ? (storedValues[section][name] ?? null)
    : null
}
