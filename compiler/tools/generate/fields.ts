/** The parts of generated files that depend on the type of a field: its declaration, selection, input, output and samples. */
import { type Field, type FieldType, findNameField, labelOf, type Names, shownName } from './names.ts'

/** Maximum size of an uploaded file, in kilobytes. */
const UPLOAD_LIMIT = 8_192

/** Returns the declaration of a field in a table. */
export function declarationOf({ name, type, related }: Field): string {
  if (related !== null) return `  - name: ${name}\n    belongs_to: ${related.table}\n`
  if (type === 'string') return `  - name: ${name}\n`
  const options = type === 'upload' ? `    options:\n      content_length:\n        lte: ${UPLOAD_LIMIT}\n` : ''
  return `  - name: ${name}\n    type: ${type}\n${options}`
}

const READERS: Readonly<Record<string, string>> = {
  integer: 'property_int',
  float: 'property_float',
  boolean: 'property_boolean',
  array: 'property_array',
  upload: 'property_upload',
}

/** Returns the call of the GraphQL field that reads a property. */
export function readerOf(name: string, type: string): string {
  return `${name}: ${READERS[type] ?? 'property'}(name: "${name}")`
}

/** Returns the GraphQL field that reads a property. */
export function selectionOf({ name, type, related }: Field): string {
  if (related !== null)
    return `${related.alias}: related_record(table: "${related.table}", join_on_property: "${name}") { ${related.label}: property(name: "${related.label}") }`
  return type === 'upload' ? `${readerOf(name, type)} { url extension file_name }` : readerOf(name, type)
}

/** Returns the validation rules of a field in a form configuration. */
export function rulesOf({ type }: Field, isNeeded: boolean): string {
  const rules = [
    ...(isNeeded ? ['presence: true'] : []),
    ...(type === 'string' ? ['length: { maximum: 255 }'] : []),
    ...(type === 'integer' || type === 'references' ? ['numericality: { only_integer: true, allow_blank: true }'] : []),
    ...(type === 'float' ? ['numericality: { allow_blank: true }'] : []),
  ]
  return rules.length === 0 ? '' : `\n      validation: { ${rules.join(', ')} }`
}

const INPUTS: Readonly<Record<Exclude<FieldType, 'text' | 'boolean' | 'references'>, string>> = {
  string: 'type="text"',
  integer: 'type="number" step="1"',
  float: 'type="number" step="any"',
  date: 'type="date"',
  datetime: 'type="datetime-local"',
  upload: 'type="file"',
}

/**
 * Returns an input field with its label, followed by its error message.
 * @param prefix prefix of ids and translations: `books`
 */
export function inputOf(field: Field, prefix: string, isNeeded: boolean): string {
  const { name } = field
  const [at, id] = [`fields.${name}`, `${prefix}-${name}`.replaceAll('_', '-')]
  const needed = isNeeded ? ' aria-required="true"' : ''
  const state = `${needed}{% if ${at}.validation.errors != blank %} aria-invalid="true" aria-describedby="${id}-wrong"{% endif %}`
  return `  <div class="form-field">
    <label for="${id}">{{ '${prefix}.fields.${shownName(field)}' | t }}</label>
    ${controlOf(field, at, `id="${id}" name="{{ ${at}.name }}"`, state)}
    {% if ${at}.validation.errors != blank %}
      <p class="form-wrong" id="${id}-wrong">{{ ${at}.validation.errors | first }}</p>
    {% endif %}
  </div>
`
}

function controlOf({ type, related }: Field, at: string, start: string, state: string): string {
  if (related !== null)
    return `<select ${start}${state}>
      <option value="">–</option>
      {% for choice in choices.${related.alias}.results %}
        <option value="{{ choice.id }}"{% if choice.id == ${at}.value %} selected{% endif %}>{{ choice.${related.label} }}</option>
      {% endfor %}
    </select>`
  switch (type) {
    case 'text':
      return `<textarea ${start} rows="6"${state}>{{ ${at}.value }}</textarea>`
    case 'boolean':
      return `<input type="hidden" name="{{ ${at}.name }}" value="false">
    <input ${start} type="checkbox" value="true"{% if ${at}.value == true or ${at}.value == 'true' %} checked{% endif %}${state}>`
    case 'upload':
      return `<input ${start} ${INPUTS.upload}${state}>`
    case 'datetime':
      // Browsers show a date and time only if it has no time zone.
      return `<input ${start} ${INPUTS.datetime} value="{{ ${at}.value | slice: 0, 16 }}"${state}>`
    case 'references':
      return ''
    default:
      return `<input ${start} ${INPUTS[type]} value="{{ ${at}.value }}"${state}>`
  }
}

/**
 * Returns the output of a field of a row.
 * @param fields all fields; a picture is described by the field that names the row
 */
export function outputOf(
  { name, type, related }: Field,
  { singular, plural }: Names,
  fields: readonly Field[],
): string {
  const value = `${singular}.${name}`
  if (related !== null) return `{{ ${singular}.${related.alias}.${related.label} }}`
  switch (type) {
    case 'boolean':
      return `{% if ${value} %}{{ '${plural}.yes' | t }}{% else %}{{ '${plural}.no' | t }}{% endif %}`
    case 'text':
      return `{% print ${value} | escape | newline_to_br %}`
    case 'date':
      return timeOf(value, `${plural}_day`)
    case 'datetime':
      return timeOf(value, `${plural}_minute`)
    case 'upload':
      return `{% if ${value} %}{% render '${plural}/file', file: ${value}, about: ${singular}.${findNameField(fields)?.name ?? 'id'} %}{% endif %}`
    default:
      return `{{ ${value} }}`
  }
}

/** Returns a day or a time in a format of the translations, which people can read. */
function timeOf(value: string, format: string): string {
  return `{% if ${value} != blank %}<time datetime="{{ ${value} }}">{{ ${value} | l: '${format}' }}</time>{% endif %}`
}

/** The types of values in documentation. */
const DOC_TYPES: Readonly<Partial<Record<FieldType, string>>> = {
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
}

/** Returns the type of a field's values in documentation. */
export function docTypeOf({ type }: Field): string {
  return DOC_TYPES[type] ?? 'string'
}

/** Returns a sample value, as typed into a form; null for a field that the test leaves empty. */
export function sampleOf(field: Field, isSecond: boolean): string | null {
  const label = labelOf(field.name).toLowerCase()
  const samples: Readonly<Record<FieldType, readonly [string, string] | null>> = {
    string: [`A ${label}`, `Another ${label}`],
    text: [`A ${label}`, `Another ${label}`],
    integer: ['3', '4'],
    float: ['1.5', '2.5'],
    boolean: ['true', 'false'],
    date: ['2026-02-28', '2026-03-01'],
    datetime: ['2026-02-28T12:30', '2026-03-01T12:30'],
    upload: null,
    references: null,
  }
  return samples[field.type]?.[isSecond ? 1 : 0] ?? null
}
