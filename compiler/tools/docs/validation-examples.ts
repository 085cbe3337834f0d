/** An example form for each validation. The tests compile them. */

interface ValidationExample {
  /** Name of the property, and its type. */
  readonly property: string
  readonly type: string
  /** The value of the validation's key. */
  readonly options: string
  /** A second field that the validation needs: a table property, or a virtual field. */
  readonly otherField?: { readonly name: string; readonly stored: boolean }
}

const EXAMPLES: Readonly<Record<string, ValidationExample>> = {
  presence: { property: 'title', type: 'string', options: '{ message: A dish needs a name }' },
  absence: { property: 'website', type: 'string', options: 'true' },
  email: { property: 'contact', type: 'string', options: 'true' },
  confirmation: {
    property: 'code',
    type: 'string',
    options: 'true',
    otherField: { name: 'code_confirmation', stored: false },
  },
  length: { property: 'title', type: 'string', options: '{ minimum: 3, maximum: 60 }' },
  inclusion: { property: 'size', type: 'string', options: '{ in: [small, large] }' },
  exclusion: { property: 'slug', type: 'string', options: '{ in: [new, edit] }' },
  format: { property: 'code', type: 'string', options: "{ with: '\\A[A-Z]{2}\\d+\\z', message: looks like AB12 }" },
  numericality: { property: 'price', type: 'float', options: '{ greater_than: 0 }' },
  unique: {
    property: 'title',
    type: 'string',
    options: '{ scope: [size], case_sensitive: false }',
    otherField: { name: 'size', stored: true },
  },
  acceptance: { property: 'terms', type: 'boolean', options: '{ on: create }' },
  datetime: { property: 'served_at', type: 'datetime', options: '{ after: 1 hour ago }' },
  date: { property: 'day', type: 'date', options: '{ on_or_after: today, on_or_before: 2040-12-31 }' },
  phone_number: { property: 'phone', type: 'string', options: '{ allow_blank: true }' },
  geometry: { property: 'place', type: 'geojson', options: 'true' },
  file_content_type: { property: 'picture', type: 'upload', options: "{ allow: ['image/*'] }" },
}

/** The names of the validations with an example. @internal Exported for tests. */
export const EXAMPLE_NAMES: readonly string[] = Object.keys(EXAMPLES)

/** Returns the example's files by path; empty for a validation without an example. */
export function validationExample(name: string): Readonly<Record<string, string>> {
  const example = EXAMPLES[name]
  if (example === undefined) return {}
  const { property, type, options, otherField } = example
  const field = otherField?.stored === false ? `\n      property_options: { virtual: true }` : ''
  const otherFieldLines = otherField === undefined ? '' : `\n    ${otherField.name}:${field}`
  const otherProperty = otherField?.stored === true ? `\n  - name: ${otherField.name}` : ''
  return {
    'app/forms/dish.liquid': `---
name: dish
resource: dish
fields:
  properties:
    ${property}:
      validation:
        ${name}: ${options}${otherFieldLines}
---
`,
    'app/schema/dish.yml': `name: dish
properties:
  - name: ${property}
    type: ${type}${otherProperty}
`,
  }
}
