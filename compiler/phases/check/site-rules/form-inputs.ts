/** Checks the names of hand-written inputs in a form's template against the fields of the form. */
import { unknownField } from '../rules/queries/unknown-field.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { type LinkedForm, type LinkedGroup, withMisspelled } from '../../../core/model/form.ts'
import type { NestedKind } from '../../../core/model/settings.ts'
import type { Element } from '../walk/html.ts'

/** Elements that submit a value. */
const INPUT_ELEMENTS: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button'])

/** The names that clients send for the nested resources of a form. */
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

/** Alternative parameter names of files, with the names of their fields. */
const FIELD_OF_SOURCE: Readonly<Record<string, string>> = {
  remote_image_url: 'image',
  raw_remote_image_url: 'image',
  remote_file_url: 'file',
  raw_remote_file_url: 'file',
}

/** Checks names such as `form[properties_attributes][title]`. Other names are not fields of the form. */
export function checkInputs(form: LinkedForm, elements: readonly Element[]): readonly Diagnostic[] {
  const { path: file, text } = form.unit.file
  const diagnostics: Diagnostic[] = []
  for (const { name: element, attributes, span } of elements) {
    const name = INPUT_ELEMENTS.has(element) ? attributes.get('name') : null
    if (name == null || !/^form(?:\[[^\][]*\])+$/.test(name)) continue
    const steps = [...name.matchAll(/\[([^\]]*)\]/g)]
    const missing = findMissingStep(
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
      unknownField(stepSpan, holder, step?.[1] ?? '', missing.knownNames, 'form', form.unit.settings.fieldsSpan),
    )
  }
  return diagnostics
}

/** Returns the first step of a path that the form lacks, with the names that the form has at that level; null if the form has all steps. */
function findMissingStep(
  fields: LinkedGroup,
  steps: readonly string[],
): { readonly index: number; readonly knownNames: readonly string[] } | null {
  let group = withMisspelled(fields)
  for (let index = 0; index < steps.length; index++) {
    const step = stripSuffix(steps[index] ?? '')
    const next = steps[index + 1]
    if (step === 'properties' && next !== undefined) {
      const knownNames = group.properties.map(({ name }) => name)
      return knownNames.includes(next) ? null : { index: index + 1, knownNames }
    }
    const kind = Object.hasOwn(NESTED_KINDS, step) ? NESTED_KINDS[step] : undefined
    if (kind !== undefined && next !== undefined) {
      if (group.misspelled?.kinds.has(kind) === true) return null
      const nestedGroups = group.nested.filter((each) => each.group === kind)
      const inner = nestedGroups.find(({ name }) => name === stripSuffix(next) || name === next)
      if (inner === undefined)
        return { index: index + 1, knownNames: nestedGroups.map(({ name }) => `${name}_attributes`) }
      group = withMisspelled(inner.fields)
      index++
      continue
    }
    const knownNames = group.attributes.map(({ name }) => name)
    const source = Object.hasOwn(FIELD_OF_SOURCE, step) ? (FIELD_OF_SOURCE[step] ?? '') : ''
    const knownKeys = [
      ...knownNames,
      'properties_attributes',
      ...group.nested.map((each) => `${each.group}_attributes`),
    ]
    return step === 'id' || knownNames.includes(step) || knownNames.includes(source)
      ? null
      : { index, knownNames: knownKeys }
  }
  return null
}

/** Removes the suffix `_attributes` from a step. */
function stripSuffix(step: string): string {
  return step.replace(/_attributes$/, '')
}
