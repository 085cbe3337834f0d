/** The fields of a form for display: the input's name, the current value, and the errors. */
import { LiquidFault } from '../../page/fault.ts'
import type { FieldDef, FieldGroup, FormEntry, NestedGroup, Scope } from '../../page/site.ts'
import { toDeclaredType } from './cast.ts'
import { type FormFacts, rootOf } from './facts.ts'
import { fieldPath, fieldsOf, isSent, nestedPath, nestedValues, type Section, storedValueOf } from './fields.ts'
import { type FormState, NO_VALUES, type Values } from './model.ts'
import { inputName, nestedName } from './names.ts'
import { isSentFile } from './sent-file.ts'
import { evaluateSettingSync } from '../../page/setting.ts'
import { str } from '../../page/values/text.ts'

export interface FieldView {
  readonly field: FieldDef
  readonly section: Section
  /** The path of the field, for example `profiles.developer.properties.title`. */
  readonly path: string
  readonly errors: readonly string[]
  /** Returns the name of the input. */
  name(): string
  /** Returns the sent value, the stored one, or the default. */
  value(): unknown
  /** Returns the value in the declared type. */
  current(): unknown
}

export interface GroupView {
  readonly attributes: readonly FieldView[]
  readonly properties: readonly FieldView[]
  readonly nested: readonly NestedView[]
}

interface NestedView extends GroupView {
  readonly nested: readonly NestedView[]
  readonly definition: NestedGroup
  readonly path: string
  readonly errors: readonly string[]
}

/** Facts that all fields of a form share. */
interface ViewContext {
  readonly errors: FormState['errors']
  readonly facts: FormFacts
  readonly scope: () => Scope
}

const NO_ERRORS: readonly string[] = []

/**
 * Returns the fields of a form for display.
 * @param scope returns the scope of the Liquid in defaults
 */
export function viewsOf(form: FormEntry, state: FormState, facts: FormFacts, scope: () => Scope): GroupView {
  const sharedContext: ViewContext = { errors: state.errors, facts, scope }
  return groupView(fieldsOf(form), state.sentValues, state.storedResource, '', () => rootOf(facts), sharedContext)
}

function groupView(
  group: FieldGroup,
  sentValues: Values | null,
  storedValues: Values | null,
  prefix: string,
  parent: () => string,
  sharedContext: ViewContext,
): GroupView {
  const view = (section: Section) => (field: FieldDef) =>
    fieldView(field, section, { sentValues: sentValues ?? NO_VALUES, storedValues }, prefix, parent, sharedContext)
  return {
    attributes: group.attributes.map(view('attributes')),
    properties: group.properties.map(view('properties')),
    nested: group.nested.map((nested) => {
      const path = `${prefix}${nestedPath(nested)}`
      const nestedView = groupView(
        nested.fields,
        sentValues === null ? null : nestedValues(sentValues, nested),
        storedValues === null ? null : nestedValues(storedValues, nested),
        `${path}.`,
        () => nestedName(parent(), nested),
        sharedContext,
      )
      return { ...nestedView, definition: nested, path, errors: sharedContext.errors.get(path) ?? NO_ERRORS }
    }),
  }
}

function fieldView(
  field: FieldDef,
  section: Section,
  { sentValues, storedValues }: { readonly sentValues: Values; readonly storedValues: Values | null },
  prefix: string,
  parent: () => string,
  sharedContext: ViewContext,
): FieldView {
  const path = fieldPath(prefix, section, field.name)
  let computing = false
  const value = (): unknown => {
    if (!field.readonly && isSent(sentValues, section, field.name)) return sentValues[section][field.name] ?? null
    const storedValue = storedValueOf(storedValues, section, field.name)
    if (storedValue !== null || field.default === null) return storedValue
    if (computing) throw new LiquidFault(`the default of the field ${path} depends on its own value`)
    computing = true
    try {
      return evaluateSettingSync(field.default, () => sharedContext.facts.r, sharedContext.scope) ?? null
    } finally {
      computing = false
    }
  }
  return {
    field,
    section,
    path,
    errors: sharedContext.errors.get(path) ?? NO_ERRORS,
    name: () => inputName(parent(), section, field),
    value: () => displayValue(field, value()),
    current: () => displayValue(field, toDeclaredType(field, value())),
  }
}

const STRUCTURED: ReadonlySet<FieldDef['type']> = new Set([
  'array',
  'address',
  'geojson',
  'binary',
  'file',
  'photo',
  'upload',
])

/**
 * Converts a value for display. Templates rely on the declared types, so a list or an object in place of a number is shown as text. A file
 * is shown by its name.
 */
function displayValue(field: FieldDef, value: unknown): unknown {
  if (isSentFile(value)) return value.fileName
  if (field.virtual || STRUCTURED.has(field.type) || value === null) return value
  return field.type === 'string' || typeof value === 'object' ? str(value) : value
}
