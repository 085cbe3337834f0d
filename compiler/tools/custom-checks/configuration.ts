/**
 * Reads which modules with checks a site has, and the settings of their checks: `.platformos-check.yml`, the files that it extends, and the
 * packages of the site whose names say that they have checks.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { customCheckFailed } from '../../core/diagnostics/codes/site/custom-check-failed.ts'
import type { Diagnostic, Severity } from '../../core/diagnostics/diagnostic.ts'
import { globPattern } from '../../core/diagnostics/suppress.ts'
import { errorCode } from '../../core/source/error-code.ts'
import type { SourceFile } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { entryOf, readYaml, toValue, type YamlNode } from '../../core/source/yaml.ts'
import { FILE_SETTINGS, SEVERITIES } from '../../language/settings/lint_config.ts'
import { checkPackages } from './configured.ts'
import type { CheckSettings } from './messages.ts'

interface ModuleReference {
  /** As written: a path or the name of a package. */
  readonly name: string
  /** The absolute path of the folder from which the name is resolved. */
  readonly folder: string
  /** Where the settings of the site name it. */
  readonly span: Span
  readonly isPackage: boolean
}

interface WrittenSetting {
  /** The name as written: `max_length` for `maxLength`. */
  readonly name: string
  readonly key: Span
  readonly value: Span
  /** The value as written. */
  readonly text: string
}

/** Where the settings of the site configure a check. */
interface SettingsPlace {
  readonly span: Span
  readonly values: ReadonlyMap<string, WrittenSetting>
}

export interface Configuration {
  readonly modules: readonly ModuleReference[]
  readonly settings: ReadonlyMap<string, CheckSettings>
  readonly places: ReadonlyMap<string, SettingsPlace>
  /** The start of the file, for what has no other place. */
  readonly start: Span
  /** The text of the file. */
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The contents of one file, with those of the files that it extends. */
interface Fragment {
  readonly modules: ModuleReference[]
  readonly ignored: string[]
  readonly checks: Map<string, Record<string, unknown>>
}

/** Maximum number of files that extend each other. */
const MAX_DEPTH = 20

const NUMBERS: Readonly<Record<Severity, 0 | 1 | 2>> = { error: 0, warning: 1, info: 2 }

/**
 * Reads the configuration of a site. Files that cannot be read are reported.
 * @param root the folder of the site, as an absolute path
 * @param file `.platformos-check.yml`
 */
export function readConfiguration(root: string, file: SourceFile): Configuration {
  const diagnostics: Diagnostic[] = []
  const { tree } = readYaml(file.text, file.path, 0)
  const fragment = readFragment(tree, { folder: root, root, file, at: null, trail: [], diagnostics })
  const start: Span = { file: file.path, start: 0, end: 0 }
  const packages = checkPackages(root).map((name): ModuleReference => {
    const extending = listOf(entryOf(tree, 'extends')?.value).find(({ text }) => text.startsWith(`${name}/`))
    return { name, folder: root, span: extending?.span ?? start, isPackage: true }
  })
  const settings = [...fragment.checks].map(
    ([name, values]) => [name, settingsFrom(values, fragment.ignored)] satisfies [string, CheckSettings],
  )
  const places = new Map<string, SettingsPlace>()
  for (const { key, keySpan, value } of tree?.kind === 'map' ? tree.entries : [])
    places.set(key, { span: keySpan, values: spansOf(value, file) })
  return {
    modules: [...fragment.modules, ...packages],
    settings: new Map(settings),
    places,
    start,
    text: file.text,
    diagnostics,
  }
}

function settingsFrom(values: Readonly<Record<string, unknown>>, everywhere: readonly string[]): CheckSettings {
  const { enabled = true, severity, ignore, ...options } = values
  const known = SEVERITIES[String(severity)]
  const ignored = [ignore].flat().filter((each) => typeof each === 'string')
  return {
    enabled: enabled === true,
    severity: known === undefined ? null : NUMBERS[known],
    ignored: [...everywhere, ...ignored].map((pattern) => globPattern(pattern).source),
    options,
  }
}

interface FragmentContext {
  readonly folder: string
  readonly root: string
  readonly file: SourceFile
  /** Where the settings of the site extend this file; null for these settings themselves. */
  readonly at: Span | null
  /** The files that led here. */
  readonly trail: readonly string[]
  readonly diagnostics: Diagnostic[]
}

function readFragment(tree: YamlNode | null, context: FragmentContext): Fragment {
  const { folder, at } = context
  const all: Fragment = { modules: [], ignored: [], checks: new Map() }
  for (const { text, span } of listOf(entryOf(tree, 'extends')?.value)) {
    // The sets of the service's own checks, also written as `:recommended`.
    if (/^(?:platformos-check)?:/.test(text)) continue
    const extended = readExtended(text, { ...context, at: at ?? span })
    all.modules.push(...extended.modules)
    all.ignored.push(...extended.ignored)
    for (const [name, values] of extended.checks) all.checks.set(name, merge(all.checks.get(name) ?? {}, values))
  }
  for (const { text, span } of listOf(entryOf(tree, 'require')?.value))
    all.modules.push({ name: text, folder, span: at ?? span, isPackage: !isPath(text) })
  all.ignored.push(...listOf(entryOf(tree, 'ignore')?.value).map(({ text }) => text))
  for (const { key, value } of tree?.kind === 'map' ? tree.entries : []) {
    if (FILE_SETTINGS.has(key)) continue
    const values = value.kind === 'map' ? renamed(plainValue(value)) : {}
    all.checks.set(key, merge(all.checks.get(key) ?? {}, values))
  }
  return all
}

function readExtended(name: string, context: FragmentContext & { readonly at: Span }): Fragment {
  const empty: Fragment = { modules: [], ignored: [], checks: new Map() }
  const { at, diagnostics, trail } = context
  const refuse = (reason: string): Fragment => {
    diagnostics.push(customCheckFailed(at, { kind: 'unreadable-settings', path: name, reason }))
    return empty
  }
  if (!/\.ya?ml$/.test(name)) return refuse('the name of a file must end with `.yml`')
  const path = pathOf(name, context.folder)
  if (path === null) return refuse('there is no such file')
  if (trail.includes(path)) return refuse('it extends itself')
  if (trail.length >= MAX_DEPTH) return refuse(`more than ${MAX_DEPTH} files extend each other`)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(errorCode(error) === 'ENOENT' ? 'there is no such file' : String(error))
  }
  const { tree, problems } = readYaml(text, path, 0)
  if (tree === null && problems.length > 0) return refuse('it is not valid YAML')
  return readFragment(tree, { ...context, folder: dirname(path), trail: [...trail, path] })
}

/** Returns the path of a file that another one extends; null if it belongs to a package that is not installed. */
function pathOf(name: string, folder: string): string | null {
  if (isPath(name)) return resolve(folder, name)
  // A package need not list its settings in its `exports`, so these are not asked.
  const folders = createRequire(join(folder, 'a.js')).resolve.paths(name) ?? []
  return folders.map((each) => join(each, name)).find(isFile) ?? null
}

function isFile(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
}

/** Returns whether a name in `require` or `extends` is a path, not a package. */
function isPath(name: string): boolean {
  return name.startsWith('.') || isAbsolute(name)
}

/** Returns the texts of a list, or of a single text. */
function listOf(node: YamlNode | null | undefined): readonly { readonly text: string; readonly span: Span }[] {
  if (node?.kind === 'list') return node.items.flatMap(listOf)
  return node?.kind === 'scalar' && typeof node.value === 'string' ? [{ text: node.value, span: node.span }] : []
}

/** Returns a map as an object that JSON can express. */
function plainValue(tree: YamlNode): Record<string, unknown> {
  const text = JSON.stringify(toValue(tree), (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  return JSON.parse(text) as Record<string, unknown>
}

/** Returns the settings with the names that checks use: `max_length` becomes `maxLength`. */
function renamed(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [settingName(key), value]))
}

function settingName(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Merges objects deeply. Other values, also lists, are replaced. */
function merge(first: Readonly<Record<string, unknown>>, second: Readonly<Record<string, unknown>>) {
  const merged: Record<string, unknown> = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const old = merged[key]
    merged[key] = isObject(old) && isObject(value) ? merge(old, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function spansOf(value: YamlNode, { text }: SourceFile): SettingsPlace['values'] {
  const entries = value.kind === 'map' ? value.entries : []
  return new Map(
    entries.map(({ key, keySpan, value: { span } }) => [
      settingName(key),
      { name: key, key: keySpan, value: span, text: text.slice(span.start, span.end) },
    ]),
  )
}
