/**
 * Renders the inputs of all fields as HTML for `{{ form_builder }}`. Labels are above the inputs and errors below. Both refer to their
 * input.
 */
import { humanizeName } from '../../page/filters/text/humanize-name.ts'
import type { FieldDef, ValidationDef } from '../../page/site.ts'
import { escapeHtml, str } from '../../page/values/text.ts'
import { isBlank, truthy } from '../../page/values/truth.ts'
import { takesFile } from './sent-file.ts'
import type { FieldView, GroupView } from './views.ts'

/** Returns the HTML of a form's fields. `base` contains the errors that do not belong to a field. */
export function fieldsHtml(views: GroupView, base: readonly string[]): string {
  return `${errorList(base, null)}${groupHtml(views)}`
}

function groupHtml(views: GroupView): string {
  const fields = [...views.attributes, ...views.properties].map(fieldHtml).join('')
  const groups = views.nested.map((nested) => {
    const legend = escapeHtml(humanizeName(nested.definition.name))
    return `<fieldset><legend>${legend}</legend>${errorList(nested.errors, null)}${groupHtml(nested)}</fieldset>`
  })
  return `${fields}${groups.join('')}`
}

function errorList(errors: readonly string[], id: string | null): string {
  if (errors.length === 0) return ''
  const items = errors.map((error) => `<li>${escapeHtml(error)}</li>`).join('')
  return `<ul class="form-errors"${id === null ? ' role="alert"' : ` id="${id}"`}>${items}</ul>`
}

function fieldHtml(view: FieldView): string {
  const id = `form_${view.path.replace(/[^A-Za-z0-9]+/g, '_')}`
  const errorId = `${id}_errors`
  const hasErrors = view.errors.length > 0
  const shared = new Map<string, string | true>([
    ['id', id],
    ['name', view.name()],
  ])
  if (isRequired(view)) shared.set('required', true)
  if (view.field.readonly) shared.set('readonly', true)
  if (hasErrors) shared.set('aria-invalid', 'true').set('aria-describedby', errorId)
  const label = `<label for="${id}">${escapeHtml(humanizeName(view.field.name))}</label>`
  const input = inputHtml(view, shared)
  return `<div class="form-field${hasErrors ? ' form-field-invalid' : ''}">${label}${input}${errorList(view.errors, errorId)}</div>`
}

/** Returns whether the input gets the attribute `required`. Checkboxes and file inputs with a stored file never get it. */
function isRequired({ field, value }: FieldView): boolean {
  if (field.type === 'boolean' || field.readonly) return false
  const rule = field.validations.find(({ kind }) => kind === 'presence')
  return rule !== undefined && rule.if === null && rule.on === null && !(takesFile(field) && !isBlank(value()))
}

type Attributes = ReadonlyMap<string, string | true>

function attributesHtml(attributes: Attributes): string {
  return Array.from(attributes, ([name, value]) =>
    value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`,
  ).join('')
}

function inputTag(attributes: Attributes, additionalAttributes: Readonly<Record<string, string | true>>): string {
  return `<input${attributesHtml(new Map([...attributes, ...Object.entries(additionalAttributes)]))}>`
}

function inputHtml(view: FieldView, sharedAttributes: Attributes): string {
  const { field } = view
  if (/^password(?:_confirmation)?$/.test(field.name))
    return inputTag(sharedAttributes, { type: 'password', autocomplete: 'off' })
  if (takesFile(field)) return inputTag(sharedAttributes, { type: 'file' })
  const choices = choicesOf(field.validations)
  if (choices !== null) return selectHtml(view, sharedAttributes, choices)
  const value = view.value()
  if (field.type === 'array') return listHtml(sharedAttributes, value)
  if (field.type === 'boolean' || field.validations.some(({ kind }) => kind === 'acceptance'))
    return checkboxHtml(view, sharedAttributes)
  if (field.type === 'geojson' || field.type === 'address')
    return `<textarea${attributesHtml(sharedAttributes)}>\n${escapeHtml(str(value))}</textarea>`
  return inputTag(sharedAttributes, { ...inputType(field), value: inputValue(field, value) })
}

function choicesOf(rules: readonly ValidationDef[]): readonly unknown[] | null {
  const list = rules.find(({ kind }) => kind === 'inclusion')?.options['in']
  return list?.kind === 'plain' && Array.isArray(list.value) ? list.value : null
}

function selectHtml(view: FieldView, sharedAttributes: Attributes, choices: readonly unknown[]): string {
  const value = view.value()
  const selectedChoices = new Set((Array.isArray(value) ? value : [value]).filter((item) => !isBlank(item)).map(str))
  const isMultiple = view.field.type === 'array'
  const options = choices.map((choice) => {
    const text = escapeHtml(str(choice))
    return `<option value="${text}"${selectedChoices.has(str(choice)) ? ' selected' : ''}>${text}</option>`
  })
  const attributes = isMultiple ? new Map([...sharedAttributes, ['multiple', true] as const]) : sharedAttributes
  return `<select${attributesHtml(attributes)}>${isMultiple ? '' : '<option value=""></option>'}${options.join('')}</select>`
}

/** Returns one input for each element, and an empty one for a new element. The label refers to the first input. */
function listHtml(sharedAttributes: Attributes, value: unknown): string {
  const items = Array.isArray(value)
    ? value.filter((item) => !isBlank(item)).map(str)
    : isBlank(value)
      ? []
      : [str(value)]
  const others = new Map([...sharedAttributes].filter(([name]) => name !== 'id' && name !== 'required'))
  return [...items, '']
    .map((item, at) => inputTag(at === 0 ? sharedAttributes : others, { type: 'text', value: item }))
    .join('')
}

const ON = new Set(['1', 'true', 'on', 't', 'yes', 'y'])

/** Returns a checkbox with a hidden input before it, because browsers send nothing for an unchecked checkbox. */
function checkboxHtml(view: FieldView, sharedAttributes: Attributes): string {
  const value = view.value()
  const isChecked = typeof value === 'string' ? ON.has(value.trim().toLowerCase()) : truthy(value) && value !== 0
  const unchecked = inputTag(new Map([['name', view.name()]]), { type: 'hidden', value: '0' })
  return `${unchecked}${inputTag(sharedAttributes, { type: 'checkbox', value: '1', ...(isChecked ? { checked: true } : {}) })}`
}

function inputType(field: FieldDef): Readonly<Record<string, string>> {
  switch (field.type) {
    case 'integer':
      return { type: 'number', step: '1' }
    case 'float':
    case 'decimal':
      return { type: 'number', step: 'any' }
    case 'date':
      return { type: 'date' }
    case 'datetime':
      return { type: 'datetime-local', step: '1' }
    case 'time':
      return { type: 'time', step: '1' }
    default:
      return {
        type: field.name === 'email' || field.validations.some(({ kind }) => kind === 'email') ? 'email' : 'text',
      }
  }
}

const ISO = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/

/**
 * Returns the value of an input. Time inputs have no zone. Stored times are shown in UTC, because text without a zone is also parsed as
 * UTC.
 */
function inputValue(field: FieldDef, value: unknown): string {
  const text = str(value)
  return field.type === 'datetime' ? (ISO.exec(text)?.[1] ?? text) : text
}
