/** Completes the keys below `fields` of a form, and the keys of translations: those that other files have. */
import { RULE_NAMES, RULE_SAYS } from '../../../core/model/form-rules.ts'
import type { PropertyDef } from '../../../core/model/operation.ts'
import type { TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { fieldDocs } from '../../../language/settings/form-fields.ts'
import { USER_TABLE } from './query-texts.ts'
import type { Suggestion } from './suggestion.ts'

/**
 * Returns the keys that a form accepts below `fields`.
 * @param resource the name of the form's resource; null if it has none
 * @param above the keys between `fields` and the place, outermost first
 */
export function fieldKeys(site: Site, resource: string | null, above: readonly string[]): readonly Suggestion[] {
  const { groups, keys, options } = fieldDocs()
  const documented = (docs: typeof keys): readonly Suggestion[] =>
    docs.map(({ name, takes, description }) => setting(name, takes, description))
  const kindOf = (key: string | undefined): string | null =>
    groups.find(({ name, aliases }) => name === key || aliases.includes(key ?? ''))?.name ?? null
  let owner = resource
  const rest = [...above]
  for (;;) {
    const kind = kindOf(rest[0])
    if (kind === null || kind === 'properties') break
    if (rest.length === 1) return nestedNames(site, kind)
    owner = kind === 'profiles' || kind === 'customizations' ? (rest[1] ?? null) : null
    rest.splice(0, 2)
  }
  const isOfProperty = kindOf(rest[0]) === 'properties'
  const inField = isOfProperty ? rest.slice(1) : rest
  if (rest.length === 0) return [...documented(groups), ...(above.length > 0 ? documented(keys) : [])]
  if (inField.length === 0) return owner === null ? [] : propertyNames(site, owner)
  const last = inField.at(-1)
  if (last === 'validation') return RULE_NAMES.map((name) => setting(name, 'a validation', RULE_SAYS[name] ?? ''))
  if (last === 'property_options') return documented(options)
  return inField.length === 1 ? documented(keys) : []
}

function nestedNames({ data }: Site, kind: string): readonly Suggestion[] {
  const named = kind === 'profiles' ? data.profiles : kind === 'customizations' ? data.tables : []
  return named.map(({ name }) => ({ label: name, insert: `${name}:`, kind: 'table' }))
}

/** Returns the properties of users, of a table or of a profile; undefined for an unknown owner. */
export function propertiesOf({ data }: Site, owner: string): readonly PropertyDef[] | undefined {
  return owner === USER_TABLE
    ? data.user
    : [...data.tables, ...data.profiles].find(({ name }) => name === owner)?.properties
}

function propertyNames(site: Site, owner: string): readonly Suggestion[] {
  return (propertiesOf(site, owner) ?? []).map(({ name, type }) => ({
    label: name,
    insert: `${name}:`,
    kind: 'property',
    detail: type,
  }))
}

function setting(name: string, takes: string, description: string): Suggestion {
  return { label: name, insert: `${name}:`, kind: 'setting', detail: takes, documentation: description }
}

/**
 * Returns the keys that other languages have below the given parent keys, of which the first is the language.
 * @param given the keys that the file already has there
 */
export function translationKeysBelow(
  site: Site,
  file: SourceFile,
  above: readonly string[],
  given: ReadonlySet<string>,
): readonly Suggestion[] {
  const [locale, ...parents] = above
  if (locale === undefined) return []
  const steps = [...(file.module === null ? [] : [`modules/${file.module}`]), ...parents]
  const at = (tree: TranslationNode | undefined): TranslationNode | undefined => {
    let node = tree
    for (const step of steps) node = node?.kind === 'map' ? node.entries.get(step) : undefined
    return node
  }
  const found = new Map<string, Suggestion>()
  for (const [other, tree] of site.translations) {
    const node = other === locale ? undefined : at(tree)
    if (node?.kind !== 'map') continue
    for (const [label, value] of node.entries) {
      if (found.has(label) || label.startsWith('modules/') || given.has(label)) continue
      const detail = value.kind === 'value' ? `${other}: ${String(value.value)}` : `${other}: more keys`
      found.set(label, {
        label,
        insert: value.kind === 'value' ? `${label}: ` : `${label}:`,
        kind: 'translation',
        detail,
      })
    }
  }
  return [...found.values()]
}
