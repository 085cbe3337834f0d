/** Finds the fields of a form by the names of inputs. */
import { type LinkedGroup, withMisspelled } from '../../../core/model/form.ts'
import type { NestedKind } from '../../../core/model/settings.ts'

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

/** Returns the first step of a path that the form lacks, with the names that the form has at that level; null if the form has all steps. */
export function findMissingStep(
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
