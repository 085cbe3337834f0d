/** Inputs that a form's template writes by hand: whether the form takes what their names say. */
import { unknownField } from '../../../core/diagnostics/codes/queries/unknown-field.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { type LinkedForm, type LinkedGroup, withMisspelled } from '../../../core/model/form.ts'
import type { NestedKind } from '../../../core/model/settings.ts'
import type { Element } from './html.ts'

const INPUTS: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button'])

/** Other words for resources below a form's own, as clients send them. */
const NESTED_KINDS: Readonly<Record<string, NestedKind>> = {
  profiles: 'profiles',
  user_profiles: 'profiles',
  customizations: 'customizations',
  models: 'customizations',
  records: 'customizations',
  custom_images: 'custom_images',
  custom_attachments: 'custom_attachments',
  custom_addresses: 'custom_addresses',
}

/** Names that a file comes under instead of its own. */
const FIELD_OF_SOURCE: Readonly<Record<string, string>> = {
  remote_image_url: 'image',
  raw_remote_image_url: 'image',
  remote_file_url: 'file',
  raw_remote_file_url: 'file',
}

/** Checks names such as `form[properties_attributes][title]`; other names are no fields. */
export function checkInputs(form: LinkedForm, elements: readonly Element[]): readonly Diagnostic[] {
  const { path: file, text } = form.unit.file
  const diagnostics: Diagnostic[] = []
  for (const { name: element, attributes, span } of elements) {
    const name = INPUTS.has(element) ? attributes.get('name') : null
    if (name == null || !/^form(?:\[[^\][]*\])+$/.test(name)) continue
    const steps = [...name.matchAll(/\[([^\]]*)\]/g)]
    const missing = missingStep(
      form.fields,
      steps.map(([, step = '']) => step),
    )
    if (missing === null) continue
    const start = text.indexOf(name, span.start)
    const step = steps[missing.index]
    const stepSpan =
      start < 0 || start > span.end || step === undefined
        ? span
        : { file, start: start + step.index + 1, end: start + step.index + 1 + (step[1]?.length ?? 0) }
    const holder = name.slice(0, step?.index ?? 0)
    diagnostics.push(
      unknownField(stepSpan, holder, step?.[1] ?? '', missing.known, 'form', form.unit.settings.fieldsSpan),
    )
  }
  return diagnostics
}

/** The first step that the form does not have, with what it has there; null where it has all of them. */
function missingStep(
  fields: LinkedGroup,
  steps: readonly string[],
): { readonly index: number; readonly known: readonly string[] } | null {
  let group = withMisspelled(fields)
  for (let index = 0; index < steps.length; index++) {
    const step = bare(steps[index] ?? '')
    const next = steps[index + 1]
    if (step === 'properties' && next !== undefined) {
      const known = group.properties.map(({ name }) => name)
      return known.includes(next) ? null : { index: index + 1, known }
    }
    const kind = Object.hasOwn(NESTED_KINDS, step) ? NESTED_KINDS[step] : undefined
    if (kind !== undefined && next !== undefined) {
      if (group.misspelled?.kinds.has(kind) === true) return null
      const below = group.nested.filter((each) => each.group === kind)
      const inner = below.find(({ name }) => name === bare(next) || name === next)
      if (inner === undefined) return { index: index + 1, known: below.map(({ name }) => `${name}_attributes`) }
      group = withMisspelled(inner.fields)
      index++
      continue
    }
    const known = group.attributes.map(({ name }) => name)
    const source = Object.hasOwn(FIELD_OF_SOURCE, step) ? (FIELD_OF_SOURCE[step] ?? '') : ''
    const words = [...known, 'properties_attributes', ...group.nested.map((each) => `${each.group}_attributes`)]
    return step === 'id' || known.includes(step) || known.includes(source) ? null : { index, known: words }
  }
  return null
}

function bare(step: string): string {
  return step.replace(/_attributes$/, '')
}
