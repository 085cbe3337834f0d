/** What a form takes, as a schema: its fields with their types and rules, and the resources below it. */
import type { FieldDef, FieldGroup, NestedGroup, PropertyType } from '../site.ts'
import type { Described, On, Schema } from './model.ts'
import { plainOf } from './plain.ts'
import { counts, joined, ruleKeywords } from './rules.ts'

/** A schema of one key of an object. */
export interface Entry {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

/** Base64, or an address that the site fetches. */
const FILE: Schema = { type: 'string', description: 'The file as base64 or `data:` URL.' }

const TYPES: Readonly<Record<PropertyType, Schema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  float: { type: 'number' },
  decimal: { type: ['number', 'string'] },
  datetime: { type: 'string', format: 'date-time' },
  time: { type: 'string' },
  date: { type: 'string', format: 'date' },
  binary: { type: 'string' },
  boolean: { type: 'boolean' },
  array: { type: 'array', items: {} },
  address: { type: ['object', 'string'] },
  geojson: { type: 'object' },
  file: FILE,
  photo: FILE,
  upload: FILE,
}

const LABELS: Readonly<Record<NestedGroup['kind'], string>> = {
  profiles: 'Profiles of the user, by name.',
  customizations: 'Records that belong to this one, by name.',
  custom_images: 'Images, by name.',
  custom_attachments: 'Attachments, by name.',
  custom_addresses: 'Addresses, by name.',
}

/**
 * The schema of a form's values.
 * @param filled names of fields, as paths, that the site fills itself
 * @param more entries that the operation has beside the form's own
 */
export function groupSchema(
  group: FieldGroup,
  on: On,
  filled: (path: string) => boolean,
  more: readonly Entry[] = [],
  path = '',
): Schema {
  const fieldsOf = (fields: readonly FieldDef[], below: string): Entry[] =>
    fields.map((field) => fieldEntry(field, on, filled(`${below}${field.name}`)))
  const own = fieldsOf(group.attributes, path)
  const taken = new Set(own.map(({ name }) => name))
  const entries = [...more.filter(({ name }) => !taken.has(name)), ...own]
  if (group.properties.length > 0)
    entries.push(holder('properties', fieldsOf(group.properties, `${path}properties.`), 'Properties of the table.'))
  for (const kind of Object.keys(LABELS) as NestedGroup['kind'][]) {
    const groups = group.nested.filter((each) => each.kind === kind)
    if (groups.length === 0) continue
    const below = groups.map((each): Entry => {
      const place = `${path}${kind}.${each.name}`
      const schema = groupSchema(each.fields, on, filled, [], `${place}.`)
      return { name: each.name, schema, required: mustBeSent(each.validations, on) && !filled(place) }
    })
    entries.push(holder(kind, below, LABELS[kind]))
  }
  return objectOf(entries)
}

/** An object with the given keys. */
export function objectOf(entries: readonly Entry[], description?: string): Schema {
  const required = entries.filter((entry) => entry.required).map(({ name }) => name)
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  }
}

// What is below has to be sent where any of it has to be.
function holder(name: string, entries: readonly Entry[], description: string): Entry {
  return { name, schema: objectOf(entries, description), required: entries.some(({ required }) => required) }
}

function mustBeSent(validations: NestedGroup['validations'], on: On): boolean {
  return validations.some((rule) => rule.kind === 'presence' && counts(rule, on))
}

function fieldEntry(field: FieldDef, on: On, filled: boolean): Entry {
  const { name } = field
  const rules = field.validations.filter((rule) => counts(rule, on))
  const conditional = field.validations.filter((rule) => rule.if !== null && (rule.on === null || rule.on === on))
  const present = rules.some(({ kind, allowBlank, allowNil }) => kind === 'presence' && !allowBlank && !allowNil)
  const types: unknown[] = []
  const parts = rules.map((rule): Described => {
    const {
      keywords: { type, ...keywords },
      notes,
    } = ruleKeywords(rule, field)
    if (type !== undefined) types.push(type)
    // A blank value passes such a rule.
    const open = rule.allowBlank && Object.keys(keywords).length > 0
    return { keywords: open ? { anyOf: [{ enum: ['', null] }, keywords] } : keywords, notes }
  })
  const { keywords, notes } = joined(parts)
  const { type: declared, ...base } = TYPES[field.type]
  const type = typesOf(field, declared, types, keywords['enum'])
  const standard = plainOf(field.default)
  const texts = [
    base['description'],
    ...(field.virtual ? ['Checked, and not stored.'] : []),
    ...(filled ? ['Filled by the site.'] : []),
    ...notes,
    ...conditional.map(({ kind }) => `The rule ${kind.replaceAll('_', ' ')} counts under a condition.`),
  ].filter((text) => typeof text === 'string')
  const schema = {
    ...base,
    ...keywords,
    type: present && type.length === 1 ? type[0] : present ? type : [...new Set([...type, 'null'])],
    ...(!present && Array.isArray(keywords['enum'])
      ? { enum: [...new Set<unknown>([...keywords['enum'], null])] }
      : {}),
    ...(texts.length === 0 ? {} : { description: texts.join(' ') }),
    ...(standard === undefined || standard === null ? {} : { default: standard }),
    ...(field.readonly ? { readOnly: true } : {}),
    ...(name === 'password' || name === 'password_confirmation' ? { writeOnly: true } : {}),
  }
  const required = present && on === 'create' && !filled && !field.readonly && field.default === null
  return { name, schema, required }
}

/** Types of a field's values: a choice has those of its values, and a rule for numbers lets text fields hold some. */
function typesOf(field: FieldDef, declared: unknown, ruled: readonly unknown[], choice: unknown): readonly unknown[] {
  const own = [declared].flat()
  if (Array.isArray(choice) && field.type !== 'array') return [...new Set(choice.map(typeOf))]
  if (ruled.length === 0) return own
  return field.type === 'string' ? [...new Set([...own, ...ruled])] : [...new Set(ruled)]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
