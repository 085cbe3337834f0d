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
  const shared: ViewContext = { errors: state.errors, facts, scope }
  return groupView(fieldsOf(form), state.sent, state.stored, '', () => rootOf(facts), shared)
}

function groupView(
  group: FieldGroup,
  sent: Values | null,
  stored: Values | null,
  prefix: string,
  parent: () => string,
  shared: ViewContext,
): GroupView {
  const view = (section: Section) => (field: FieldDef) =>
    fieldView(field, section, { sent: sent ?? NO_VALUES, stored }, prefix, parent, shared)
  return {
    attributes: group.attributes.map(view('attributes')),
    properties: group.properties.map(view('properties')),
    nested: group.nested.map((nested) => {
      const path = `${prefix}${nestedPath(nested)}`
      const nestedView = groupView(
        nested.fields,
        sent === null ? null : nestedValues(sent, nested),
        stored === null ? null : nestedValues(stored, nested),
        `${path}.`,
        () => nestedName(parent(), nested),
        shared,
      )
      return { ...nestedView, definition: nested, path, errors: shared.errors.get(path) ?? NO_ERRORS }
    }),
  }
}

function fieldView(
  field: FieldDef,
  section: Section,
  { sent, stored }: { readonly sent: Values; readonly stored: Values | null },
  prefix: string,
  parent: () => string,
  shared: ViewContext,
): FieldView {
  const path = fieldPath(prefix, section, field.name)
  let computing = false
  const value = (): unknown => {
    if (!field.readonly && isSent(sent, section, field.name)) return sent[section][field.name] ?? null
    const storedValue = storedValueOf(stored, section, field.name)
    if (storedValue !== null || field.default === null) return storedValue
    if (computing) throw new LiquidFault(`the default of the field ${path} depends on its own value`)
    computing = true
    try {
      return evaluateSettingSync(field.default, () => shared.facts.r, shared.scope) ?? null
    } finally {
      computing = false
    }
  }
  return {
    field,
    section,
    path,
    errors: shared.errors.get(path) ?? NO_ERRORS,
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
