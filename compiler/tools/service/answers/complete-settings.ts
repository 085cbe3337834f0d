/** Completes keys and values of settings: front matter, tables, forms, the configuration. */
import { listedValues } from '../../../language/settings/accepted-values.ts'
import { KINDS } from '../../../language/settings/index.ts'
import { type KeyDocs, keyDocs } from '../../../language/settings/key-docs.ts'
import { PROPERTY_TYPES, propertyItemKeys } from '../../../language/settings/properties.ts'
import type { SettingKeys } from '../../../language/settings/setting.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { cutFrontMatter } from '../../../core/source/front-matter.ts'
import type { Workspace } from '../workspace.ts'
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
    const suggestions = above === 'properties' ? keysOf(file, ['properties']) : valuesOf(site, file, above)
    return { start: offset - writtenText.length, end: offset, suggestions }
  }
  const key = /^(\s*)(\w*)$/.exec(line)
  if (key === null) return NOTHING
  const [, indent = '', writtenText = ''] = key
  return {
    start: offset - writtenText.length,
    end: offset,
    suggestions: keysOf(file, keysAbove(file.text, lineStart, indent.length)),
  }
}

/** Returns the parent keys of a line by indentation, outermost first. */
export function keysAbove(text: string, lineStart: number, indent: number): readonly string[] {
  const keys: string[] = []
  let minIndent = indent
  const lines = text.slice(0, lineStart).split('\n').toReversed()
  for (const line of lines) {
    const match = /^(\s*)(?:- )?([\w.]+):/.exec(line)
    if (match === null || (match[1]?.length ?? 0) >= minIndent) continue
    minIndent = match[1]?.length ?? 0
    keys.unshift(match[2] ?? '')
    if (minIndent === 0) break
  }
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
function keysOf(file: SourceFile, above: readonly string[]): readonly Suggestion[] {
  if (above.at(-1) === 'properties' && file.kind !== 'form') return keyDocs(propertyItemKeys).map(suggestionOf)
  const reader = KINDS[file.kind]
  if (!('kind' in reader)) return []
  let keys: SettingKeys | undefined = reader.kind.keys
  for (const key of above) keys = keys?.[key]?.below
  return keys === undefined
    ? []
    : keyDocs(keys)
        .filter(({ name }) => !name.includes('.'))
        .map(suggestionOf)
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
  if (key === 'resource') return tableNames(site)
  if (key === 'table') return tableNames(site)
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
