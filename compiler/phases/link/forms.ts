/** Checks form configurations against the site's tables, users and profiles. Finds the owner and the type of each field. */
import { withAbsentModule } from '../../core/diagnostics/absent-modules.ts'
import { type FieldOwnerName, unknownFormField } from '../../core/diagnostics/codes/forms/unknown-form-field.ts'
import { unknownFormResource } from '../../core/diagnostics/codes/forms/unknown-form-resource.ts'
import { validationType } from '../../core/diagnostics/codes/forms/validation-type.ts'
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import type { MisspelledNames, LinkedField, LinkedForm, LinkedGroup, LinkedNested } from '../../core/model/form.ts'
import { ANY_TABLE, RESOURCE_WORDS } from '../../core/model/form-resources.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { DataSchema, PropertyDef, PropertyType, TableDef } from '../../core/model/operation.ts'
import type {
  FormField,
  FormGroup,
  FormNested,
  FormSettings,
  NamedReference,
  NestedKind,
} from '../../core/model/settings.ts'
import type { Unit } from '../../core/model/unit.ts'
import type { Span } from '../../core/source/span.ts'
import { formType } from '../../language/types/from-form.ts'
import { type AttributeTypes, NESTED, PROFILE, RECORD, SESSION, USER } from './form-attributes.ts'

/** Links every form in effect, by file. Forms with an unknown resource are left out. */
export function linkForms(
  forms: ReadonlyMap<string, Unit<FormSettings>>,
  data: DataSchema,
  modules: ReadonlySet<string>,
  report: Report,
  memo: Memo,
): ReadonlyMap<string, LinkedForm> {
  const unreadable = new Set(
    report.diagnostics.filter(({ code }) => code === 'yaml-syntax').map(({ span }) => span.file),
  )
  const key = [...unreadable, '', ...modules].join('\n')
  const linked = new Map<string, LinkedForm>()
  for (const [name, unit] of forms) {
    const file = unit.file.path
    // An unreadable file already has diagnostics.
    if (unreadable.has(file)) continue
    const linkedOnce = memo.once('form', file, [name, unit, data, key], () => {
      const linker = new FormLinker(unit, data, unreadable)
      return { linkForm: linker.form(name, modules), diagnostics: linker.diagnostics }
    })
    for (const diagnostic of linkedOnce.diagnostics) report.add(diagnostic)
    if (linkedOnce.linkForm !== null) linked.set(file, linkedOnce.linkForm)
  }
  return linked
}

/** Resources of older sites that this server does not have, each with its replacement. */
const UNSUPPORTED_RESOURCES: ReadonlyMap<string, string> = new Map([
  ['Authentication', 'Unlink identity providers with a GraphQL mutation.'],
  [
    'CustomImage',
    'Accept the image as a property of type `upload`, or below `custom_images` of the form of its owner.',
  ],
  [
    'CustomAttachment',
    'Accept the file as a property of type `upload`, or below `custom_attachments` of the form of its owner.',
  ],
])

const A_USER: FieldOwnerName = { name: null, description: 'a user', isUser: true }

/** The owner of a form's fields. `properties` is null if the declaring file cannot be read. In that case, any name is accepted. */
interface FieldOwner extends FieldOwnerName {
  readonly attributes: AttributeTypes
  readonly properties: readonly PropertyDef[] | null
  readonly span: Span | null
}

/** Returns the attributes of a resource that templates can read. Sessions have no attributes, and passwords are never readable. */
function readableAttributes(resource: LinkedForm['resource'], attributes: AttributeTypes): AttributeTypes {
  if (resource !== 'record' && resource !== 'user') return {}
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'password'))
}

class FormLinker {
  readonly diagnostics: Diagnostic[] = []
  readonly #unit: Unit<FormSettings>
  readonly #data: DataSchema
  readonly #unreadable: ReadonlySet<string>

  /** @param unreadable files that could not be parsed */
  constructor(unit: Unit<FormSettings>, data: DataSchema, unreadable: ReadonlySet<string>) {
    this.#unit = unit
    this.#data = data
    this.#unreadable = unreadable
  }

  form(name: string, modules: ReadonlySet<string>): LinkedForm | null {
    const { settings } = this.#unit
    const resolved = settings.resource === null ? null : this.#resource(settings.resource, modules)
    if (resolved === null) return null
    const { resource, table, owner } = resolved
    const fields = this.#group(settings.fields, owner, resource)
    return {
      unit: this.#unit,
      name,
      resource,
      table,
      owner: settings.resourceOwner ?? OWNERS[resource],
      fields,
      type: formType(this.#unit, fields, readableAttributes(resource, owner.attributes)),
    }
  }

  #resource({ name, span }: NamedReference, modules: ReadonlySet<string>): ResolvedResource | null {
    if (name === 'User') return { resource: 'user', table: null, owner: this.#ownerOfUsers() }
    if (name === 'Session') {
      return {
        resource: 'session',
        table: null,
        owner: { name: null, description: 'a session', attributes: SESSION, properties: [], span: null },
      }
    }
    if (name === 'UserProfile')
      return { resource: 'profile', table: null, owner: this.#ownerOfAny('a profile', PROFILE, this.#data.profiles) }
    const table = this.#table(name)
    if (table !== undefined) return { resource: 'record', table: table.name, owner: this.#ownerOfTable(table, RECORD) }
    if (ANY_TABLE.has(name))
      return { resource: 'record', table: null, owner: this.#ownerOfAny('a record', RECORD, this.#data.tables) }
    const profile = this.#data.profiles.find((each) => each.name === name)
    if (profile !== undefined)
      return { resource: 'profile', table: profile.name, owner: this.#ownerOfTable(profile, PROFILE) }
    const tables = this.#data.tables.map((each) => each.name)
    const unsupported = UNSUPPORTED_RESOURCES.get(name) ?? null
    const diagnostic = unknownFormResource(span, name, unsupported, [...tables, ...RESOURCE_WORDS], tables)
    // Only a warning if this server does not support the resource, because that is not a mistake of the site.
    this.diagnostics.push(
      withAbsentModule(modules, name, unsupported === null ? diagnostic : { ...diagnostic, severity: 'warning' }),
    )
    return null
  }

  /** Returns the table with the name. A module's form may omit the module prefix of its tables. */
  #table(name: string): TableDef | undefined {
    const { module } = this.#unit.file
    const { tables } = this.#data
    return (
      tables.find((each) => each.name === name) ??
      (module === null ? undefined : tables.find((each) => each.name === `modules/${module}/${name}`))
    )
  }

  #ownerOfTable(table: TableDef, attributes: AttributeTypes): FieldOwner {
    return {
      name: table.name,
      description: `\`${table.name}\``,
      attributes,
      properties: this.#unreadable.has(table.file) ? null : table.properties,
      span: { file: table.file, start: 0, end: 0 },
    }
  }

  #ownerOfUsers(): FieldOwner {
    return { ...A_USER, attributes: USER, properties: this.#data.user, span: null }
  }

  /** Returns the owner of fields of a form that accepts several tables. The request decides which of them is used. */
  #ownerOfAny(words: string, attributes: AttributeTypes, tables: readonly TableDef[]): FieldOwner {
    const all = tables.some(({ file }) => this.#unreadable.has(file)) || tables.length === 0
    return {
      name: null,
      description: words,
      attributes,
      properties: all ? null : tables.flatMap((each) => each.properties),
      span: null,
    }
  }

  #group(group: FormGroup, owner: FieldOwner, resource: LinkedForm['resource'] | null): LinkedGroup {
    const attributes = group.attributes.map((field) => this.#attribute(field, owner))
    const properties = group.properties.map((field) => this.#property(field, owner))
    const misspelled = new Set<NestedKind>()
    const nested = group.nested.flatMap((each) => this.#nested(each, resource, () => misspelled.add(each.group)) ?? [])
    const isComplete = [...attributes, ...properties].every(({ isKnown }) => isKnown) && misspelled.size === 0
    return {
      attributes: attributes.map(({ field }) => field),
      properties: properties.map(({ field }) => field),
      nested,
      misspelled: isComplete ? null : unusedFieldNames(group, owner, misspelled, this.#unit.settings.fieldsSpan),
    }
  }

  #attribute(field: FormField, owner: FieldOwner): ResolvedField {
    this.#checkScopes(field, owner)
    const known = Object.hasOwn(owner.attributes, field.name) ? owner.attributes[field.name] : undefined
    if (known === undefined && !field.virtual) {
      const isProperty = owner.properties?.some(({ name }) => name === field.name) === true
      const names = [...Object.keys(owner.attributes), ...GROUP_WORDS]
      this.#reportUnknown(field.span, 'attribute', field.name, owner, names, isProperty ? PROPERTY_HINT : null, null)
    }
    if (known !== undefined) this.#checkTypes(field, known)
    return { field: { ...field, type: known ?? 'string' }, isKnown: known !== undefined || field.virtual }
  }

  #property(field: FormField, owner: FieldOwner): ResolvedField {
    this.#checkScopes(field, owner)
    const { properties } = owner
    const known = properties?.find(({ name }) => name === field.name)
    if (known === undefined && properties !== null && !field.virtual) {
      const names = properties.map(({ name }) => name)
      const hint = Object.hasOwn(owner.attributes, field.name) ? ATTRIBUTE_HINT : null
      this.#reportUnknown(field.span, 'property', field.name, owner, names, hint, owner.span)
    }
    if (known !== undefined) this.#checkTypes(field, known.type)
    return {
      field: { ...field, type: known?.type ?? 'string', ...(known?.located && { located: known.located }) },
      isKnown: known !== undefined || properties === null || field.virtual,
    }
  }

  /** Links a nested resource. Calls `reportMisspelled` for a table or profile that the site does not have. */
  #nested(
    each: FormNested,
    resource: LinkedForm['resource'] | null,
    reportMisspelled: () => void,
  ): LinkedNested | null {
    const linked = (owner: FieldOwner, table: string | null): LinkedNested => ({
      ...each,
      table,
      fields: this.#group(each.fields, owner, null),
    })
    if (each.group === 'profiles') {
      const profile = this.#data.profiles.find(({ name }) => name === each.name)
      if (resource !== 'user') {
        reportMisspelled()
        const owner = { name: null, description: 'a resource other than a user' }
        const hint = 'Profiles belong to forms of the resource `User`.'
        this.#reportUnknown(each.span, 'profile', each.name, owner, [], hint, null)
        return null
      }
      if (profile !== undefined) return linked(this.#ownerOfTable(profile, PROFILE), null)
      const names = this.#data.profiles.map(({ name }) => name)
      // Every user has the `default` profile, even without a file.
      if (each.name !== 'default') {
        reportMisspelled()
        this.#reportUnknown(each.span, 'profile', each.name, A_USER, [...new Set([...names, 'default'])], null, null)
      }
      return linked({ name: null, description: 'the profile', attributes: PROFILE, properties: null, span: null }, null)
    }
    if (each.group === 'customizations') {
      const table = this.#table(each.name)
      if (table !== undefined) return linked(this.#ownerOfTable(table, RECORD), table.name)
      const names = this.#data.tables.map(({ name }) => name)
      reportMisspelled()
      this.#reportUnknown(each.span, 'table', each.name, { name: null, description: 'the site' }, names, null, null)
      return null
    }
    const attributes = NESTED[each.group]
    return linked({ name: each.name, description: `\`${each.name}\``, attributes, properties: [], span: null }, null)
  }

  /** Checks that the scopes of `unique` validations name existing fields of the resource. */
  #checkScopes({ validations }: FormField, owner: FieldOwner): void {
    if (owner.properties === null) return
    const names = [...Object.keys(owner.attributes), ...owner.properties.map(({ name }) => name)]
    for (const { options } of validations) {
      for (const { name, span, value } of options) {
        if (name !== 'scope') continue
        for (const item of value.kind === 'list' ? value.items : [value]) {
          const scope = item.kind === 'plain' ? String(item.value).replace(/^properties\./, '') : null
          if (scope !== null && !names.includes(scope))
            this.#reportUnknown(span, 'field', scope, owner, names, null, owner.span)
        }
      }
    }
  }

  #checkTypes({ name, virtual, validations }: FormField, type: PropertyType): void {
    if (virtual) return
    for (const { rule, span } of validations) {
      const compatibleTypes = Object.hasOwn(COMPATIBLE_TYPES, rule) ? COMPATIBLE_TYPES[rule] : undefined
      if (compatibleTypes !== undefined && !compatibleTypes.includes(type))
        this.diagnostics.push(validationType(span, rule, name, type, compatibleTypes))
    }
  }

  #reportUnknown(...args: Parameters<typeof unknownFormField>): void {
    this.diagnostics.push(unknownFormField(...args))
  }
}

interface ResolvedField {
  readonly field: LinkedField
  /** Returns whether the resource has the field, or the field is never stored. */
  readonly isKnown: boolean
}

const EMPTY_FIELD = { virtual: false, readonly: false, default: null, validations: [], options: [] } as const

/** Returns all fields of the resource that the form does not name. */
function unusedFieldNames(
  group: FormGroup,
  owner: FieldOwner,
  kinds: ReadonlySet<NestedKind>,
  span: Span,
): MisspelledNames {
  const missingFields = (
    fields: readonly FormField[],
    all: Iterable<readonly [string, PropertyType]>,
  ): LinkedField[] => {
    const named = new Set(fields.map(({ name }) => name))
    return [...all].flatMap(([name, type]) => (named.has(name) ? [] : [{ ...EMPTY_FIELD, name, span, type }]))
  }
  return {
    attributes: missingFields(group.attributes, Object.entries(owner.attributes)),
    properties: missingFields(
      group.properties,
      (owner.properties ?? []).map(({ name, type }) => [name, type] as const),
    ),
    kinds,
  }
}

interface ResolvedResource {
  readonly resource: LinkedForm['resource']
  readonly table: string | null
  readonly owner: FieldOwner
}

/** Returns the default rule that decides who may change or delete the resource. */
const OWNERS: Readonly<Record<LinkedForm['resource'], LinkedForm['owner']>> = {
  record: 'creator',
  user: 'self',
  profile: 'self',
  session: 'anyone',
}

const GROUP_WORDS = ['properties', ...Object.keys(NESTED)]
const PROPERTY_HINT = 'It is a property: write it below `properties`.'
const ATTRIBUTE_HINT = 'It is not a property: write it directly below `fields`.'

/** The property types that each validation can check. Validations without an entry can check any type. */
const COMPATIBLE_TYPES: Readonly<Record<string, readonly PropertyType[]>> = {
  email: ['string', 'array'],
  phone_number: ['string', 'array'],
  numericality: ['integer', 'float', 'decimal', 'string', 'array'],
  datetime: ['datetime', 'date', 'time', 'string'],
  date: ['date', 'datetime', 'string'],
  geometry: ['geojson', 'string'],
  file_content_type: ['upload', 'file', 'photo', 'array', 'string'],
}
