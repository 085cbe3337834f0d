/**
 * The object `form` of templates. What it has is told by the configuration that it was made for, and emitted code reads its fields as
 * typed parts after `formParts` has looked at that.
 */
import type { FieldGroup, NestedGroup } from './compiled.ts'
import type { Fields } from './values/access.ts'
import { Markup, PRINTED } from './values/markup.ts'

/** A hash that prints the inputs of all configured fields. */
export class FormObject extends Markup {
  readonly [PRINTED]: () => string
  readonly #fields: FieldGroup<never>

  constructor(fields: FieldGroup<never>, html: () => string) {
    super()
    this.#fields = fields
    this[PRINTED] = html
    Object.defineProperty(this, PRINTED, { enumerable: false })
  }

  /** Whether the value is the object of a form that has all of these fields. */
  static isOf<const Names extends FieldNames>(value: unknown, names: Names): value is FormParts<Names> {
    return typeof value === 'object' && value !== null && #fields in value && hasFields(value.#fields, names)
  }
}

/** The names of a form's fields. */
export interface FieldNames {
  readonly attributes: readonly string[]
  readonly properties: readonly string[]
  readonly nested: { readonly [Kind in NestedGroup<never>['kind']]?: Readonly<Record<string, FieldNames>> }
}

type NameIn<Names extends FieldNames, Section extends 'attributes' | 'properties'> = Names[Section][number]

/** A part of a form. Templates may put something else into its place, so none is sure to be there. */
type Part<Type> = Type | null | undefined

/** `form.fields.NAME`. */
export type FieldParts = {
  readonly name?: Part<string>
  readonly value?: unknown
  readonly validation?: Part<Fields>
  readonly property_options?: Part<Fields>
}

/** The objects of nested resources by kind and name. */
type NestedParts<Nested extends FieldNames['nested'], Of extends 'fields' | 'values'> = {
  readonly [Kind in keyof Nested]?: Part<{
    readonly [Name in keyof Nested[Kind]]?: Nested[Kind][Name] extends infer Names extends FieldNames
      ? Part<Of extends 'fields' ? GroupParts<Names> : ValueParts<Names>>
      : unknown
  }>
}

/** `form.fields`, or the fields of a nested resource. */
type GroupParts<Names extends FieldNames> = { readonly [Name in NameIn<Names, 'attributes'>]?: Part<FieldParts> } & {
  readonly properties?: Part<{ readonly [Name in NameIn<Names, 'properties'>]?: Part<FieldParts> }>
} & NestedParts<Names['nested'], 'fields'>

/** The values themselves: `form.email`, `form.properties.title`. */
type ValueParts<Names extends FieldNames> = { readonly [Name in NameIn<Names, 'attributes'>]?: unknown } & {
  readonly properties?: Part<{ readonly [Name in NameIn<Names, 'properties'>]?: unknown }>
} & NestedParts<Names['nested'], 'values'>

/** `form`, with what a form has beside its values. */
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
 * The object of a form with its typed parts.
 * @throws TypeError where the value is none, or one of a form without these fields: the host hands over another form than the module's
 */
export function formParts<const Names extends FieldNames>(names: Names, value: unknown): FormParts<Names> {
  if (FormObject.isOf(value, names)) return value
  throw new TypeError('the host hands over no form, or one with other fields')
}

function hasFields({ attributes, properties, nested }: FieldGroup<never>, names: FieldNames): boolean {
  return (
    hasNames(attributes, names.attributes) &&
    hasNames(properties, names.properties) &&
    Object.entries(names.nested).every(([kind, groups]) =>
      Object.entries(groups).every(([name, inner]) =>
        nested.some((each) => each.kind === kind && each.name === name && hasFields(each.fields, inner)),
      ),
    )
  )
}

/** Emitted code lists fields in the order of the configuration, so that mostly one look at each is enough. */
function hasNames(fields: readonly { readonly name: string }[], names: readonly string[]): boolean {
  return names.every((name, at) => fields[at]?.name === name || fields.some((field) => field.name === name))
}
