/** The fields of a form: what each resource has in any case, where a value stands, and how people call it. */
import type { FieldDef, FieldGroup, FormEntry, NestedGroup } from '../../page/site.ts'
import { type FormState, NOTHING, type StoredResource, type Values } from './model.ts'

export type Section = 'attributes' | 'properties'

export const SECTIONS: readonly Section[] = ['attributes', 'properties']

/** One resource of a form, the root or a nested one, with its values. */
export interface ResourceValues {
  readonly group: FieldGroup
  /** `''` of the root, else `profiles.developer.`. */
  readonly prefix: string
  readonly sent: Values
  /** Null where nothing is stored. */
  readonly stored: Values | null
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

/** What a form accepts. Signing in needs its fields whether the configuration lists them or not. */
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

/** The root of a form and every nested resource that was sent, in the order of the configuration. */
export function places(form: FormEntry, state: FormState): readonly ResourceValues[] {
  const root = fieldsOf(form)
  const sent = state.sent ?? NOTHING
  const place: ResourceValues = { group: root, prefix: '', sent, stored: state.stored }
  return root.nested.length === 0 ? [place] : [place, ...below(place)]
}

function below(place: ResourceValues): readonly ResourceValues[] {
  const found: ResourceValues[] = []
  for (const nested of place.group.nested) {
    const sent = nestedValues(place.sent, nested)
    if (sent === null) continue
    const stored = place.stored === null ? null : nestedValues(place.stored, nested)
    const inner: ResourceValues = {
      group: nested.fields,
      prefix: `${place.prefix}${nestedPath(nested)}.`,
      sent,
      stored,
    }
    found.push(inner, ...below(inner))
  }
  return found
}

/** The values of a nested resource, null without any. */
export function nestedValues(values: Values, nested: NestedGroup): Values | null {
  const kind = values.nested[nested.kind]
  return kind !== undefined && Object.hasOwn(kind, nested.name) ? (kind[nested.name] ?? null) : null
}

/** `profiles.developer`. */
export function nestedPath(nested: NestedGroup): string {
  return `${nested.kind}.${nested.name}`
}

/** `profiles.developer.properties.title`. */
export function fieldPath(prefix: string, section: Section, name: string): string {
  return section === 'properties' ? `${prefix}properties.${name}` : `${prefix}${name}`
}

/** Whether something was sent under the name; what is sent may be null. */
export function isSent(values: Values, section: Section, name: string): boolean {
  return Object.hasOwn(values[section], name)
}

/** What was sent, else what is stored, else null. */
export function valueAt(place: Pick<ResourceValues, 'sent' | 'stored'>, section: Section, name: string): unknown {
  if (isSent(place.sent, section, name)) return place.sent[section][name] ?? null
  return storedAt(place.stored, section, name)
}

export function storedAt(stored: Values | StoredResource | null, section: Section, name: string): unknown {
  return stored !== null && Object.hasOwn(stored[section], name) ? (stored[section][name] ?? null) : null
}
