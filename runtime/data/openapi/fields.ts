/** Describes the values that a form accepts as a JSON schema: its fields with types and rules, and nested resources. */
import { builtInRules, CUSTOMIZABLE } from '../forms/built-in.ts'
import { fieldPath, nestedPath, type Section } from '../forms/fields.ts'
import { otherSources, takesFile } from '../forms/sent-file.ts'
import { rulesOfField } from '../forms/validate.ts'
import type { FieldDef, FieldGroup, FormEntry, NestedGroup, PropertyType, ValidationDef } from '../../page/site.ts'
import type { DescribedSchema, WriteKind, Schema } from './model.ts'
import { staticValueOf } from './static-setting.ts'
import { appliesAlways, combineSchemas, ruleKeywords } from './rules.ts'
import { NESTED_KINDS } from '../forms/model.ts'

/** The schema of one property of an object. */
export interface PropertySchema {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Other keys that may be sent instead of `key`. */
  readonly alternatives?: readonly string[]
}

/** The form and the write operation whose fields are described. */
interface FormContext {
  readonly form: FormEntry
  readonly on: WriteKind
  /** Returns whether the site itself fills the field at this path; null when it may fill the field. */
  readonly isFilledBySite: (path: string) => boolean | null
}

const FILE: Schema = { type: 'string', description: 'A file as base64 or `data:` URL.' }
const REMOTE: Schema = { type: ['string', 'null'], format: 'uri', description: 'A file that the site fetches.' }

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
  customizations: 'Records that belong to this record, by name.',
  custom_images: 'Images, by name.',
  custom_attachments: 'Attachments, by name.',
  custom_addresses: 'Addresses, by name.',
}

/**
 * Returns the schema of a form's values.
 * @param additionalEntries further entries of the operation
 * @param prefix `''` for the form itself, otherwise for example `profiles.developer.`
 */
export function groupSchema(
  group: FieldGroup,
  context: FormContext,
  additionalEntries: readonly PropertySchema[] = [],
  prefix = '',
): Schema {
  const attributeEntries = entriesOf(group.attributes, 'attributes', prefix, context)
  const names = new Set(attributeEntries.map(({ name }) => name))
  const entries = [...additionalEntries.filter(({ name }) => !names.has(name)), ...attributeEntries]
  if (group.properties.length > 0)
    entries.push(
      objectEntry('properties', entriesOf(group.properties, 'properties', prefix, context), 'Own properties.'),
    )
  for (const kind of NESTED_KINDS) {
    const groups = group.nested.filter((each) => each.kind === kind)
    if (groups.length === 0) continue
    const nestedEntries = groups.map((each): PropertySchema => {
      const path = `${prefix}${nestedPath(each)}`
      const schema = groupSchema(each.fields, context, [], `${path}.`)
      return {
        name: each.name,
        schema,
        required: mustBeSent(each.validations, context.on) && context.isFilledBySite(path) === false,
      }
    })
    entries.push(objectEntry(kind, nestedEntries, LABELS[kind]))
  }
  // The id and type of the resource that a record belongs to are sent together or not at all.
  const hasCustomizable = prefix === '' && names.has('customizable_id') && names.has('customizable_type')
  return { ...objectOf(entries), ...(hasCustomizable ? { dependentRequired: BOTH } : {}) }
}

const BOTH = { customizable_id: ['customizable_type'], customizable_type: ['customizable_id'] }

/** Returns the schema of an object with these entries. */
export function objectOf(entries: readonly PropertySchema[], description?: string): Schema {
  const required = entries.filter((entry) => entry.required)
  const alone = required.filter(({ alternatives = [] }) => alternatives.length === 0).map(({ name }) => name)
  const choices = required.flatMap(({ name, alternatives = [] }) =>
    alternatives.length === 0 ? [] : [{ anyOf: [name, ...alternatives].map((key) => ({ required: [key] })) }],
  )
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    ...(alone.length === 0 ? {} : { required: alone }),
    ...(choices.length === 0 ? {} : { allOf: choices }),
  }
}

function entriesOf(
  fields: readonly FieldDef[],
  section: Section,
  prefix: string,
  context: FormContext,
): PropertySchema[] {
  const entries = fields.map((field) => fieldEntry(field, section, prefix, context))
  const names = new Set(fields.map(({ name }) => name))
  const remote = fields.flatMap(otherSources).filter((name) => !names.has(name))
  return [...entries, ...remote.map((name) => ({ name, schema: REMOTE, required: false }))]
}

// A group is required when one of its entries is.
function objectEntry(name: string, entries: readonly PropertySchema[], description: string): PropertySchema {
  return { name, schema: objectOf(entries, description), required: entries.some(({ required }) => required) }
}

function mustBeSent(validations: NestedGroup['validations'], on: WriteKind): boolean {
  return on === 'create' && validations.some((rule) => rule.kind === 'presence' && appliesAlways(rule, on))
}

function fieldEntry(
  field: FieldDef,
  section: Section,
  prefix: string,
  { form, on, isFilledBySite }: FormContext,
): PropertySchema {
  const { name } = field
  const isFilled = isFilledBySite(fieldPath(prefix, section, name))
  // Some rules apply to a field only when it is sent, such as the password of an existing user. Both cases are therefore described.
  const builtIn = (isSent: boolean): readonly ValidationDef[] =>
    section === 'attributes' ? builtInRules(form, field, prefix, on, isSent) : []
  const { keywords, notes, types, refusesNil } = combinedRules(field, rulesOfField(field, builtIn(true)), on)
  const { description, type: declared, ...base } = takesFile(field) ? FILE : TYPES[field.type]
  const choice =
    name === 'customizable_type' && form.resource === 'record' && prefix === '' ? CUSTOMIZABLE : keywords['enum']
  const type = typesOf(field, declared, types, choice)
  const standard = staticValueOf(field.default)
  const texts = [
    description,
    ...(field.virtual ? ['Checked, but not stored.'] : []),
    ...(isFilled === true ? ['Filled by the site.'] : []),
    ...notes,
  ].filter((text) => typeof text === 'string')
  const typesWithNull = refusesNil ? type : [...new Set([...type, 'null'])]
  const schema = {
    ...base,
    ...keywords,
    type: typesWithNull.length === 1 ? typesWithNull[0] : typesWithNull,
    ...(Array.isArray(choice) ? { enum: refusesNil ? choice : [...new Set<unknown>([...choice, null])] } : {}),
    ...(texts.length === 0 ? {} : { description: texts.join(' ') }),
    ...(standard === undefined || standard === null ? {} : { default: standard }),
    ...(field.readonly ? { readOnly: true } : {}),
    ...(name === 'password' || name === 'password_confirmation' ? { writeOnly: true } : {}),
  }
  const isNeeded = combinedRules(field, rulesOfField(field, builtIn(false)), on).refusesNil
  const required = isNeeded && on === 'create' && isFilled === false && !field.readonly && field.default === null
  return { name, schema, required, alternatives: otherSources(field) }
}

interface FieldRules extends DescribedSchema {
  readonly types: readonly unknown[]
}

/** Combines the rules of a field. */
function combinedRules(field: FieldDef, rules: readonly ValidationDef[], on: WriteKind): FieldRules {
  const types: unknown[] = []
  const parts = rules.flatMap((rule): DescribedSchema[] => {
    if (rule.on !== null && rule.on !== on) return []
    if (!appliesAlways(rule, on))
      return [{ keywords: {}, notes: [`The rule ${rule.kind} applies only under a condition.`], refusesNil: false }]
    const { keywords, notes, refusesNil } = ruleKeywords(rule, field)
    const { type, ...others } = keywords
    if (type !== undefined) types.push(type)
    // `allow_blank` lets a blank value pass.
    const allowsBlank = rule.allowBlank && Object.keys(others).length > 0
    return [
      {
        keywords: allowsBlank ? { anyOf: [{ enum: ['', null] }, others] } : others,
        notes,
        refusesNil: refusesNil && !rule.allowBlank && !rule.allowNil,
      },
    ]
  })
  return { ...combineSchemas(parts), types }
}

/** Returns the types of a field's values: those of its choices, if it has any. A numeric rule allows numbers in text fields. */
function typesOf(field: FieldDef, declared: unknown, ruled: readonly unknown[], choice: unknown): readonly unknown[] {
  const declaredTypes = [declared].flat()
  if (Array.isArray(choice) && field.type !== 'array') return [...new Set(choice.map(typeOf))]
  if (ruled.length === 0) return declaredTypes
  return field.type === 'string' ? [...new Set([...declaredTypes, ...ruled])] : [...new Set(ruled)]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
