/**
 * The object `form` of templates. The form's configuration determines its parts. Emitted code reads its fields as
 * typed parts after `formParts` has checked them.
 */
import type { FieldGroup, NestedGroup } from './compiled.ts'
import type { Fields } from './values/access.ts'
import { Markup, MARKUP_OF } from './values/markup.ts'

/** A hash that prints the inputs of all configured fields. */
export class FormObject extends Markup {
  readonly [MARKUP_OF]: () => string
  readonly #fields: FieldGroup<never>

  constructor(fields: FieldGroup<never>, html: () => string) {
    super()
    this.#fields = fields
    this[MARKUP_OF] = html
    Object.defineProperty(this, MARKUP_OF, { enumerable: false })
  }

  /** Returns whether the value is the object of a form that has all of these fields. */
  static isOf<const Names extends FieldNames>(value: unknown, names: Names): value is FormParts<Names> {
    return typeof value === 'object' && value !== null && #fields in value && hasAllFields(value.#fields, names)
  }
}

/** The names of a form's fields, by section. */
interface FieldNames {
  readonly attributes: readonly string[]
  readonly properties: readonly string[]
  readonly nested: { readonly [Kind in NestedGroup<never>['kind']]?: Readonly<Record<string, FieldNames>> }
}

type NameIn<Names extends FieldNames, Section extends 'attributes' | 'properties'> = Names[Section][number]

/** The type of a part of a form. The part may be missing, because templates may replace it. */
type Part<Type> = Type | null | undefined

/** The parts of `form.fields.NAME`. */
type FieldParts = {
  readonly name?: Part<string>
  readonly value?: unknown
  readonly validation?: Part<Fields>
  readonly property_options?: Part<Fields>
}

/** The parts of nested resources, by kind and name. */
type NestedParts<Nested extends FieldNames['nested'], Of extends 'fields' | 'values'> = {
  readonly [Kind in keyof Nested]?: Part<{
    readonly [Name in keyof Nested[Kind]]?: Nested[Kind][Name] extends infer Names extends FieldNames
      ? Part<Of extends 'fields' ? GroupParts<Names> : ValueParts<Names>>
      : unknown
  }>
}

/** The parts of `form.fields`, and of the fields of a nested resource. */
type GroupParts<Names extends FieldNames> = { readonly [Name in NameIn<Names, 'attributes'>]?: Part<FieldParts> } & {
  readonly properties?: Part<{ readonly [Name in NameIn<Names, 'properties'>]?: Part<FieldParts> }>
} & NestedParts<Names['nested'], 'fields'>

/** The values of a form: `form.email`, `form.properties.title`. */
type ValueParts<Names extends FieldNames> = { readonly [Name in NameIn<Names, 'attributes'>]?: unknown } & {
  readonly properties?: Part<{ readonly [Name in NameIn<Names, 'properties'>]?: unknown }>
} & NestedParts<Names['nested'], 'values'>

/** The parts of `form`, including its values. */
export type FormParts<Names extends FieldNames> = ValueParts<Names> & {
  readonly id?: Part<string>
  readonly name?: Part<string>
  readonly action?: Part<string>
  readonly resource?: Part<string>
  readonly resource_owner?: Part<string>
  readonly metadata?: unknown
  readonly fields?: Part<GroupParts<Names>>
  readonly errors?: Part<Fields>
  readonly system_fields?: Part<Fields>
  readonly changes?: Part<Fields>
}

/**
 * Returns the object of a form with its typed parts.
 * @throws TypeError when the value is not a form, or lacks one of the fields, because the host passes a form that does not match the module
 */
export function formParts<const Names extends FieldNames>(names: Names, value: unknown): FormParts<Names> {
  if (FormObject.isOf(value, names)) return value
  throw new TypeError('the host passed no form, or a form with other fields')
}

function hasAllFields({ attributes, properties, nested }: FieldGroup<never>, names: FieldNames): boolean {
  return (
    includesNames(attributes, names.attributes) &&
    includesNames(properties, names.properties) &&
    Object.entries(names.nested).every(([kind, groups]) =>
      Object.entries(groups).every(([name, inner]) =>
        nested.some((each) => each.kind === kind && each.name === name && hasAllFields(each.fields, inner)),
      ),
    )
  )
}

/**
 * Checks that all names are fields. Emitted code lists the names in the order of the configuration, so one comparison for each name is
 * usually enough.
 */
function includesNames(fields: readonly { readonly name: string }[], names: readonly string[]): boolean {
  return names.every((name, at) => fields[at]?.name === name || fields.some((field) => field.name === name))
}
