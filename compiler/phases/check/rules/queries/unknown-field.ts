/** `unknown-field`: a field that the query does not select, the table does not declare, or the form does not have. */
import type { MissingKey } from '../../../../core/model/type.ts'
import { findIntendedKey, isGuarded, ownerText, type PartRead } from '../../walk/part-read.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import type { Span } from '../../../../core/source/span.ts'
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { type NameList, joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'
import type { Element } from '../../walk/html.ts'
import { type LinkedForm, type LinkedGroup, withMisspelled } from '../../../../core/model/form.ts'
import type { NestedKind } from '../../../../core/model/settings.ts'

const DECLARED_IN = { query: 'this query selects', table: 'the table declares', form: 'the form has' } as const

/** The hint if no similar field exists: how to add the field. */
const HINTS: Readonly<Record<keyof typeof DECLARED_IN, (name: string, knownNames: NameList) => string>> = {
  query: (name) => `The value is always nil: remove it, or select ${quote(name)} in the query.`,
  table: (name) => `The value is always nil: remove it, or declare ${quote(name)} in the table.`,
  form: (_name, knownNames) => `The fields are ${joinWithAnd(knownNames, 20)}.`,
}

export const unknownField = message(
  'unknown-field',
  'warning',
  'UnknownProperty',
  (owner: string, name: string, knownNames: NameList, of: 'query' | 'table' | 'form', origin: Span) => ({
    subject: { kind: 'field', name, of: owner },
    text: `${quote(owner)} has no field ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: HINTS[of](name, knownNames) }),
    related: [{ span: origin, message: `${DECLARED_IN[of]} ${joinWithAnd(knownNames)}` }],
  }),
  {
    wrong: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.titel }}{% endfor %}` }),
    right: bookSite({ page: `{% graphql g = 'books' %}{% for b in g.records.results %}{{ b.title }}{% endfor %}` }),
  },
)

/**
 * Reports a key that is missing in a record of a query, a table or a form. A test or a default does not help against it. Returns false for
 * other values.
 */
export function checkUnknownField(
  walk: Walk,
  span: Span,
  owner: string,
  key: string,
  { knownNames, origin }: MissingKey,
): boolean {
  if (origin?.source === undefined) return false
  walk.report(unknownField(span, owner, key, knownNames, origin.source, origin))
  return true
}

/** Reports a field that no known value has. Other values may have it, so a test is reported only if the field is misspelled. */
export function checkUnlikelyField(walk: Walk, read: PartRead, unlikely: MissingKey): void {
  const { key, accessor } = read
  if (!isGuarded(read) || findIntendedKey(walk, key, unlikely.knownNames) !== null)
    checkUnknownField(walk, accessor.span, ownerText(walk, read), key, unlikely)
}

/** Elements that submit a value. */
const INPUT_ELEMENTS: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button'])

/** Reports hand-written inputs such as `form[properties_attributes][title]` that name no field of the form. */
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
