/** The type of `form` in the template of a form configuration. It has the same fields as the form builder at run time. */
import { byKind, type LinkedField, type LinkedGroup, type LinkedNested, withMisspelled } from '../../core/model/form.ts'
import { RULE_NAMES } from '../../core/model/form-rules.ts'
import type { PropertyType } from '../../core/model/operation.ts'
import type { FormField, FormSettings } from '../../core/model/settings.ts'
import { BOOLEAN, INTEGER, NIL, NUMBER, type ShapeOrigin, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import type { Unit } from '../../core/model/unit.ts'
import { markedSpan } from '../../core/source/mark.ts'
import { join } from './relate.ts'

const TEXT_OR_NIL = join(STRING, NIL)
const TEXTS: Type = { kind: 'list', element: STRING }
const ANY_HASH: Type = { kind: 'hash', element: UNKNOWN }

/**
 * Returns the types of `form` and `form_builder`, which are the same. `attributeTypes`: the attributes of the resource, configured or
 * not.
 */
export function formType(
  { file, settings }: Unit<FormSettings>,
  fields: LinkedGroup,
  attributeTypes: Readonly<Record<string, PropertyType>>,
): Type {
  const origin: ShapeOrigin = { ...markedSpan(settings.fieldsSpan, file.text), source: 'form' }
  const record = (of: Iterable<readonly [string, Type]>): Type => ({
    kind: 'record',
    fields: new Map(of),
    open: false,
    origin,
  })
  const builder = new Map<string, Type>([
    ...Object.entries(attributeTypes).map(([name, type]): [string, Type] => [name, join(VALUES[type], TEXT_OR_NIL)]),
    ...valueTypes(fields, record),
    ['resource', STRING],
    ['resource_owner', STRING],
    ['action', STRING],
    ['metadata', UNKNOWN],
    ['fields', groupType(fields, record)],
    ['errors', errorsType(fields, record)],
    ['system_fields', { kind: 'hash', element: TEXT_OR_NIL }],
    ['changes', { kind: 'hash', element: ANY_HASH }],
  ])
  // The members of the form hide fields with the same names.
  builder.set('id', TEXT_OR_NIL).set('name', STRING)
  return record(builder)
}

type MakeRecord = (of: Iterable<readonly [string, Type]>) => Type

// ---- form.fields ------------------------------------------------------------------------------------------------------

function groupType(
  linkedGroup: LinkedGroup,
  record: MakeRecord,
  validations: LinkedNested['validations'] | null = null,
): Type {
  const group = withMisspelled(linkedGroup)
  const fields = new Map<string, Type>(group.attributes.map((field) => [field.name, fieldType(field, record)]))
  fields.set('properties', record(group.properties.map((field) => [field.name, fieldType(field, record)])))
  for (const [kind, nested] of byKind(group))
    fields.set(kind, record(nested.map((each) => [each.name, groupType(each.fields, record, each.validations)])))
  for (const kind of group.misspelled?.kinds ?? []) fields.set(kind, UNKNOWN)
  if (validations !== null) fields.set('validation', validationType(record))
  return record(fields)
}

function fieldType(field: LinkedField, record: MakeRecord): Type {
  return record([
    ['name', STRING],
    ['value', valueType(field)],
    ['validation', validationType(record)],
    ['property_options', optionsType(field, record)],
  ])
}

/** A template that prints any field may read validations that a field does not have. */
function validationType(record: MakeRecord): Type {
  return record([
    ['rules', record(RULE_NAMES.map((rule) => [rule, UNKNOWN]))],
    ['errors', TEXTS],
    ['messages', TEXTS],
  ])
}

function optionsType({ options }: FormField, record: MakeRecord): Type {
  return record(['readonly', 'virtual', 'default', ...options.map(({ name }) => name)].map((name) => [name, UNKNOWN]))
}

// ---- values and errors ------------------------------------------------------------------------------------------------

/** Returns the types of the values: `form.email`, `form.properties.title`. */
function valueTypes(linkedGroup: LinkedGroup, record: MakeRecord): Map<string, Type> {
  const group = withMisspelled(linkedGroup)
  const fields = new Map<string, Type>(group.attributes.map((field) => [field.name, valueType(field)]))
  fields.set('properties', record(group.properties.map((field) => [field.name, valueType(field)])))
  for (const [kind, nested] of byKind(group))
    fields.set(kind, record(nested.map((each) => [each.name, record(valueTypes(each.fields, record))])))
  for (const kind of group.misspelled?.kinds ?? []) fields.set(kind, UNKNOWN)
  return fields
}

/** Returns the type of the errors, with flat and nested paths: `form.errors['properties.title']` and `form.errors.properties.title`. */
function errorsType(group: LinkedGroup, record: MakeRecord): Type {
  const errorTypes = new Map<string, Type>([['base', TEXT_OR_NIL]])
  let open = false
  const collect = (linked: LinkedGroup, path: string): Map<string, Type> => {
    const group = withMisspelled(linked)
    const ownErrors = new Map<string, Type>()
    const addError = (target: Map<string, Type>, name: string, nestedPath: string) => {
      target.set(name, TEXT_OR_NIL)
      errorTypes.set(nestedPath, TEXT_OR_NIL)
    }
    for (const { name } of group.attributes) addError(ownErrors, name, path + name)
    const properties = new Map<string, Type>()
    for (const { name } of group.properties) addError(properties, name, `${path}properties.${name}`)
    ownErrors.set('properties', join(record(properties), NIL))
    for (const [kind, nested] of byKind(group)) {
      const nestedErrors = nested.map((below): readonly [string, Type] => {
        const nestedPath = `${path}${kind}.${below.name}`
        errorTypes.set(nestedPath, TEXT_OR_NIL)
        return [below.name, join(record(collect(below.fields, `${nestedPath}.`)), NIL)]
      })
      ownErrors.set(kind, join(record(nestedErrors), NIL))
    }
    for (const kind of group.misspelled?.kinds ?? []) {
      ownErrors.set(kind, UNKNOWN)
      // The flat paths below it are unknown.
      open = true
    }
    return ownErrors
  }
  for (const [name, type] of collect(group, '')) errorTypes.set(name, type)
  const errors = record(errorTypes)
  return open && errors.kind === 'record' ? { ...errors, open } : errors
}

/** Returns the type of a value. A submitted value is the text of the visitor, which may not be a valid value. */
function valueType({ type, virtual }: LinkedField): Type {
  return virtual ? UNKNOWN : join(VALUES[type], TEXT_OR_NIL)
}

const VALUES: Readonly<Record<PropertyType, Type>> = {
  string: STRING,
  integer: INTEGER,
  float: NUMBER,
  decimal: NUMBER,
  boolean: BOOLEAN,
  datetime: STRING,
  time: STRING,
  date: STRING,
  array: UNKNOWN,
  binary: UNKNOWN,
  address: UNKNOWN,
  file: UNKNOWN,
  photo: UNKNOWN,
  geojson: UNKNOWN,
  upload: UNKNOWN,
}
