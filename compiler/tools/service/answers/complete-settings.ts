/** Completes keys and values of settings: front matter, tables, forms, the configuration. */
import { RESOURCE_WORDS } from '../../../core/model/form-resources.ts'
import { listedValues } from '../../../language/settings/accepted-values.ts'
import { KINDS } from '../../../language/settings/index.ts'
import { type KeyDocs, keyDocs } from '../../../language/settings/key-docs.ts'
import { PROPERTY_TYPES, propertyItemKeys } from '../../../language/settings/properties.ts'
import type { SettingKeys } from '../../../language/settings/setting.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { Workspace } from '../workspace.ts'
import { fieldKeys, translationKeysBelow } from './complete-fields.ts'
import { pageLinks } from './names-in-texts.ts'
import { NOTHING, type Suggestion, type Suggestions } from './suggestion.ts'
import type { Site } from '../../../core/model/site.ts'

export function completeSettings(workspace: Workspace, file: SourceFile, offset: number): Suggestions {
  const site = workspace.siteAnalysis?.analysis.site
  const { yaml } = file.path.endsWith('.liquid') ? cutFrontMatter(file.text) : { yaml: { start: 0, text: file.text } }
  if (yaml === null || site === undefined) return NOTHING
  const lineStart = file.text.lastIndexOf('\n', offset - 1) + 1
  const line = file.text.slice(lineStart, offset)
  const value = /^(\s*(?:- )?)(\w+):\s+(?:["']?)([^"']*)$/.exec(line)
  if (value !== null) {
    const [, , key = '', writtenText = ''] = value
    return { start: offset - writtenText.length, end: offset, suggestions: valuesOf(site, file, key) }
  }
  const item = /^\s*-\s+["']?([\w/.-]*)$/.exec(line)
  if (item !== null) {
    const above = listKeyAbove(file.text, lineStart)
    const writtenText = item[1] ?? ''
    const suggestions = above === 'properties' ? keysOf(site, file, ['properties']) : valuesOf(site, file, above)
    return { start: offset - writtenText.length, end: offset, suggestions }
  }
  const key = /^(\s*)(\w*)$/.exec(line)
  if (key === null) return NOTHING
  const [, indent = '', writtenText = ''] = key
  const above = keysAbove(file.text, lineStart, indent.length)
  const suggestions =
    file.kind === 'translation'
      ? translationKeysBelow(site, file, above, keysBeside(file.text, lineStart, indent.length))
      : keysOf(site, file, above)
  return { start: offset - writtenText.length, end: offset, suggestions }
}

/** Returns the parent keys of a line by indentation, outermost first. @param column where the key of the line begins */
export function keysAbove(text: string, lineStart: number, column: number): readonly string[] {
  const keys: string[] = []
  let minColumn = column
  const lines = text.slice(0, lineStart).split('\n').toReversed()
  for (const line of lines) {
    const match = /^([ ]*)(-[ ]+)?([\w.]+):/.exec(line)
    if (match === null) continue
    const [, indent = '', dash = '', key = ''] = match
    const own = indent.length + dash.length
    if (own > minColumn) continue
    if (own < minColumn) keys.unshift(key)
    // The key of a list may have the same indentation as the dashes of its items.
    if (dash !== '') minColumn = indent.length + 1
    else minColumn = Math.min(own, minColumn)
    if (minColumn === 0) break
  }
  return keys
}

/** Returns the keys with the same parent as a line. @param column where the key of the line begins */
function keysBeside(text: string, lineStart: number, column: number): ReadonlySet<string> {
  const keys = new Set<string>()
  const addUntilParent = (lines: readonly string[]): void => {
    for (const line of lines) {
      const match = /^( *)["']?([^"':#\s][^"':]*)["']?:/.exec(line)
      const own = match?.[1]?.length ?? column
      if (own < column) return
      if (match !== null && own === column) keys.add(match[2] ?? '')
    }
  }
  addUntilParent(text.slice(0, lineStart).split('\n').toReversed())
  addUntilParent(text.slice(lineStart).split('\n').slice(1))
  return keys
}

function listKeyAbove(text: string, lineStart: number): string {
  const lines = text.slice(0, lineStart).split('\n').toReversed()
  for (const line of lines) {
    const match = /^\s*(\w+):\s*$/.exec(line)
    if (match !== null) return match[1] ?? ''
  }
  return ''
}

/** Returns the keys that a file of this kind accepts below the given parent keys. */
function keysOf(site: Site, file: SourceFile, above: readonly string[]): readonly Suggestion[] {
  if (file.kind === 'form' && /^(?:fields|configuration)$/.test(above[0] ?? '')) {
    const resource = /^resource:[ \t]*["']?([\w/-]+)/m.exec(file.text)?.[1] ?? null
    return fieldKeys(site, resource, above.slice(1))
  }
  const keys = keysBelow(file, above)
  return keys === undefined
    ? []
    : keyDocs(keys)
        .filter(({ name }) => !name.includes('.'))
        .map(suggestionOf)
}

/** Returns the keys below the given parent keys, which begin with the outermost one. Undefined if nothing is known about them. */
export function keysBelow(file: SourceFile, above: readonly string[]): SettingKeys | undefined {
  const reader = KINDS[file.kind]
  if (!('kind' in reader)) return undefined
  let keys: SettingKeys | undefined = reader.kind.keys
  for (const key of above)
    keys =
      key === 'properties' && keys === reader.kind.keys && file.kind !== 'form' ? propertyItemKeys : keys?.[key]?.below
  return keys
}

function suggestionOf({ name, takes, description, instead }: KeyDocs): Suggestion {
  return {
    label: name,
    insert: `${name}: `,
    kind: 'setting',
    detail: takes,
    documentation: description,
    ...(instead !== null && { deprecated: true }),
  }
}

/** Returns values for a key: names of other files, or the words that its schema allows. */
function valuesOf(site: Site, file: SourceFile, key: string): readonly Suggestion[] {
  const files = (names: Iterable<readonly [string, { readonly file: SourceFile }]>): readonly Suggestion[] =>
    [...names].map(([label, unit]) => ({ label, kind: 'file', detail: unit.file.path }))
  if (key === 'layout' || key === 'layout_path' || key === 'layout_name') return files(site.layouts)
  if (key === 'authorization_policies') return files(site.policies)
  if (key === 'email_notifications') return files(site.emails)
  if (key === 'sms_notifications') return files(site.smses)
  if (key === 'api_call_notifications') return files(site.apiCalls)
  if (key === 'resource')
    return [...tableNames(site), ...RESOURCE_WORDS.map((label): Suggestion => ({ label, kind: 'value' }))]
  if (key === 'table' || (key === 'belongs_to' && 'properties' in (keysBelow(file, []) ?? {}))) return tableNames(site)
  if (key === 'redirect_to') return pageLinks(site)
  if (key === 'type' && file.kind !== 'form')
    return Object.entries(PROPERTY_TYPES).map(([label, { description }]) => ({
      label,
      kind: 'value',
      documentation: description,
    }))
  const reader = KINDS[file.kind]
  if (!('kind' in reader)) return []
  const keys: SettingKeys = reader.kind.keys
  const schema = keys[key]?.schema
  return schema === undefined ? [] : listedValues(schema).map((label) => ({ label, kind: 'value' }))
}

export function tableNames({ data }: Site): readonly Suggestion[] {
  return data.tables.map(({ name }) => ({ label: name, kind: 'table' }))
}
