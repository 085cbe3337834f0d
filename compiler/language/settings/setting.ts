/**
 * Declares kinds of settings: their keys, each with a zod schema, and the record that they are read into. Zod issues are reported at the
 * position of the YAML value. A key with an issue counts as absent.
 */
import * as z from 'zod'
import { replaceWith, suggestValue } from '../../core/diagnostics/change.ts'
import { deprecatedSetting } from '../../core/diagnostics/codes/settings/deprecated-setting.ts'
import { ignoredSetting } from '../../core/diagnostics/codes/settings/ignored-setting.ts'
import { missingSetting } from '../../core/diagnostics/codes/settings/missing-setting.ts'
import { settingRefused } from '../../core/diagnostics/codes/settings/setting-refused.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import { unknownSetting } from '../../core/diagnostics/codes/settings/unknown-setting.ts'
import type { Diagnostic, Fix, Report } from '../../core/diagnostics/diagnostic.ts'
import { distance, findNearest } from '../../core/diagnostics/suggest.ts'
import { joinWithOr, joinWithAnd, quote } from '../../core/diagnostics/words.ts'
import type { LiquidText, NamedReference, SettingTree } from '../../core/model/settings.ts'
import type { FileKind, SourceFile } from '../../core/source/file.ts'
import { type Span, span } from '../../core/source/span.ts'
import { entryOf, toValue, type YamlEntry, type YamlNode } from '../../core/source/yaml.ts'
import { acceptedValues } from './accepted-values.ts'
import { liquidText, NO_TREE, settingTree } from './liquid-text.ts'

/** Receives the diagnostics. */
export type Reporter = Pick<Report, 'add'>

/** The topic of a page in the reference. */
export type ReferencePage = FileKind | 'fields' | 'properties'

export interface SettingKey<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** The description of the key in the reference, as one sentence. */
  readonly description: string
  /** The accepted values, if the error text of the schema is not enough. */
  readonly takes?: string
  /** The value if the key is missing. */
  readonly default?: unknown
  /** The default in words, if it is not a fixed value: `the name of the file`. */
  readonly otherwise?: string
  /** Whether a file without this key is rejected. */
  readonly required?: boolean
  /** If the key accepts a mapping: the keys of that mapping. */
  readonly below?: SettingKeys
  /** The page of the reference with more details. */
  readonly see?: ReferencePage
  /** Whether the key is ignored without a message. */
  readonly unread?: boolean
  /** The replacement of a deprecated key; null if there is none. Absent if the key is not deprecated. */
  readonly deprecated?: string | null
  /** Whether the platform accepts the key, but does not list it in its error message. */
  readonly unlisted?: boolean
  /** Whether the key is ignored with an info diagnostic. */
  readonly ignored?: boolean
  /** Whether an invalid value is an error, because the platform rejects it. */
  readonly refused?: boolean
}

export interface SettingKeys extends Readonly<Record<string, SettingKey>> {}

/** The type of a setting: of its value or its default. */
type SettingValue<Of extends SettingKey> = Of extends { readonly default: unknown }
  ? z.output<Of['schema']>
  : z.output<Of['schema']> | undefined

export interface SettingsKind<K extends SettingKeys, Settings> {
  /** The name of this kind of file: `page`. */
  readonly noun: string
  /** The description of this kind of file in the reference. */
  readonly description: string
  readonly keys: K
  /** The platform rejects a deploy with unknown keys. */
  readonly strict?: boolean
  /** Converts the entries to settings. A file without settings has no entries. */
  read(from: Entries<K>, file: SourceFile): Settings
}

/** Reads the settings of a file. `tree` is null if there are none, or if the YAML has a syntax error. */
export type ReadSettings<Settings> = (file: SourceFile, tree: YamlNode | null, report: Reporter) => Settings

/** A reader together with its declaration. */
export type DeclaredSettings<K extends SettingKeys, Settings> = ReadSettings<Settings> & {
  readonly kind: SettingsKind<K, Settings>
}

/** Declares a kind of settings and returns its reader. */
export function settings<K extends SettingKeys, Settings>(
  kind: SettingsKind<K, Settings>,
): DeclaredSettings<K, Settings> {
  const read: ReadSettings<Settings> = (file, tree, report) => {
    const from = new Entries(kind, file, tree, report)
    const result = kind.read(from, file)
    from.reportUnknown()
    return result
  }
  return Object.assign(read, { kind })
}

/** The checked entries of the settings of one file. Null values count as absent. */
export class Entries<K extends SettingKeys> {
  readonly report: Reporter
  readonly file: SourceFile
  readonly #entries = new Map<string, { readonly entry: YamlEntry; readonly value: unknown }>()
  /** The spans of known keys, including those with null or an invalid value. */
  readonly #keySpans = new Map<string, Span>()
  readonly #refused = new Set<string>()
  /** Unknown keys that are not reported yet, because one of them may be a misspelling of a missing key. */
  readonly #unknown: {
    readonly entry: YamlEntry
    readonly suggestion: string | null
    readonly diagnostic: Diagnostic
  }[] = []
  readonly #noun: string
  readonly #keys: K

  constructor(
    kind: Pick<SettingsKind<K, unknown>, 'noun' | 'keys' | 'strict'>,
    file: SourceFile,
    tree: YamlNode | null,
    report: Reporter,
  ) {
    this.report = report
    this.file = file
    this.#noun = kind.noun
    this.#keys = kind.keys
    if (tree === null) return
    if (tree.kind !== 'map') {
      report.add(settingRefused(tree.span, 'Settings must be written as `name: value`, one per line', settingFix(tree)))
      return
    }
    const current = Object.keys(kind.keys).filter((name) => kind.keys[name]?.deprecated === undefined)
    for (const entry of tree.entries) {
      const key = Object.hasOwn(kind.keys, entry.key) ? kind.keys[entry.key] : undefined
      if (key === undefined) {
        const platform = kind.strict === true ? platformError(entry.key, kind.keys) : undefined
        const diagnostic = unknownSetting(entry.keySpan, entry.key, kind.noun, current, null, platform)
        this.#unknown.push({ entry, suggestion: findNearest(entry.key, current), diagnostic })
        continue
      }
      if (key.deprecated !== undefined) report.add(deprecatedSetting(entry.keySpan, entry.key, key.deprecated))
      if (key.ignored === true) report.add(ignoredSetting(entry.keySpan, entry.key))
      this.#keySpans.set(key.deprecated ?? entry.key, entry.keySpan)
      if (isNull(entry.value)) continue
      const parsed = key.schema.safeParse(toValue(entry.value))
      if (parsed.success) {
        if (parsed.data !== undefined) this.#entries.set(entry.key, { entry, value: parsed.data })
      } else {
        // An invalid value of a required key is an error.
        const isRefused = key.refused === true || key.required === true
        const { issues } = parsed.error
        for (const issue of issues) reportIssue(issue, entry, file, report, { ...kind, schema: key.schema }, isRefused)
        // Known keys next to an unknown one are still used.
        const isUsable = issues.every(({ code }) => code === 'unrecognized_keys')
          ? key.schema.safeParse(withoutUnknown(toValue(entry.value), issues))
          : null
        if (isUsable?.success === true) this.#entries.set(entry.key, { entry, value: isUsable.data })
        else if (isRefused) this.#refused.add(entry.key)
      }
    }
  }

  has(name: keyof K & string): boolean {
    return this.#entries.has(name)
  }

  /** Returns the parsed value of the key, its default, or undefined. */
  value<N extends keyof K & string>(name: N): SettingValue<K[N]> {
    const givenValue = this.#entries.get(name)
    // The key's schema has checked the value; the default is of its type.
    return (givenValue === undefined ? this.#keys[name]?.default : givenValue.value) as SettingValue<K[N]>
  }

  node(name: keyof K & string): YamlNode | null {
    return this.#entries.get(name)?.entry.value ?? null
  }

  span(name: keyof K & string): Span | null {
    return this.node(name)?.span ?? null
  }

  keySpan(name: keyof K & string): Span | null {
    return this.#entries.get(name)?.entry.keySpan ?? null
  }

  /** Returns the text of the first key that is set. */
  liquid(...names: (keyof K & string)[]): LiquidText | null {
    for (const name of names) {
      const node = this.node(name)
      if (node?.kind === 'scalar') return liquidText(node)
    }
    return null
  }

  /** Returns the value of the first key that is set, of any shape. */
  tree(...names: (keyof K & string)[]): SettingTree | null {
    for (const name of names) {
      const node = this.node(name)
      if (node !== null) return settingTree(node)
    }
    return null
  }

  /** Returns the mapping below the key; an empty mapping if it is missing. */
  map(name: keyof K & string): SettingTree {
    return this.tree(name) ?? NO_TREE
  }

  /** Returns the names in the list below the key, or its single name. Empty texts are skipped. */
  names(name: keyof K & string): readonly NamedReference[] {
    const node = this.node(name)
    if (node === null) return []
    const items = node.kind === 'list' ? node.items : [node]
    return items.flatMap((item) =>
      item.kind === 'scalar' && item.text.trim() !== '' ? [{ name: item.text.trim(), span: item.span }] : [],
    )
  }

  reference(...names: (keyof K & string)[]): NamedReference | null {
    for (const name of names) {
      const firstName = this.names(name)[0]
      if (firstName !== undefined) return firstName
    }
    return null
  }

  /** Returns the span of each key, by its current name. */
  get keySpans(): ReadonlyMap<string, Span> {
    return this.#keySpans
  }

  /**
   * Reports a missing key: at the key if it has no value, at a misspelled key, or at the beginning of the file. A key with an invalid
   * value is already reported.
   */
  missing(name: keyof K & string): void {
    if (this.#refused.has(name)) return
    // A key with two letters is similar to too many others to be treated as a misspelling.
    const misspelledIndex = this.#unknown.findIndex(
      ({ entry, suggestion }) => suggestion === name || distance(entry.key, name, 1) <= 1,
    )
    const [misspelled] = misspelledIndex < 0 ? [] : this.#unknown.splice(misspelledIndex, 1)
    const missingSpan = misspelled?.entry.keySpan ?? this.#keySpans.get(name) ?? top(this.file)
    this.report.add(missingSetting(missingSpan, name, this.#noun, misspelled?.entry.key ?? null))
  }

  /** Reports unknown keys, except those that were reported as a misspelled missing key. */
  reportUnknown(): void {
    for (const { diagnostic } of this.#unknown.splice(0)) this.report.add(diagnostic)
  }
}

/** Returns the span for a setting that is missing in the file. */
export function top(file: SourceFile): Span {
  return span(file.path, 0, 0)
}

/** Returns the name by which other files refer to a named file, with the prefix of its module. */
export function logicalName(name: string, file: SourceFile): string {
  return file.module === null || name.startsWith('modules/') ? name : `modules/${file.module}/${name}`
}

/**
 * Returns the name by which queries find a table or a profile. A display name such as `Blog Post` is found as `blog_post`, because
 * public sites use such names in their queries.
 */
export function tableName(written: string | null | undefined, file: SourceFile): string {
  return logicalName(written?.trim().toLowerCase().replace(/\s+/g, '_') ?? file.name, file)
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

/** Returns the error message of the platform for an unknown key. */
function platformError(key: string, keys: SettingKeys): string {
  const listedKeys = Object.keys(keys).filter((name) => keys[name]?.unlisted !== true)
  return `Unknown properties: ${key}. Available properties are: ${listedKeys.toSorted().join(', ')}.`
}

/** Reports problems below an entry as warnings. Another function reads the entry. */
export function reportIssues(
  entry: YamlEntry,
  schema: z.ZodType,
  noun: string,
  file: SourceFile,
  report: Reporter,
): void {
  const parsed = schema.safeParse(toValue(entry.value))
  for (const issue of parsed.error?.issues ?? []) reportIssue(issue, entry, file, report, { noun, schema }, false)
}

/** Reports a zod issue at its YAML value. The error text of each schema describes the accepted values: `a whole number`. */
function reportIssue(
  issue: z.core.$ZodIssue,
  entry: YamlEntry,
  file: SourceFile,
  report: Reporter,
  { noun, schema }: { readonly noun: string; readonly schema: z.ZodType },
  refused: boolean,
): void {
  const location = locate(entry, issue.path)
  const path = [entry.key, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const innerEntry = entryOf(location.node, key)
      report.add(unknownSetting(innerEntry?.keySpan ?? location.span, key, noun, keysAt(schema, issue.path), path))
    }
    return
  }
  if (location.node === null) {
    report.add(missingSetting(location.span, path, noun))
    return
  }
  const writtenValue = firstLine(file.text.slice(location.node.span.start, location.node.span.end))
  if (refused)
    report.add(
      settingRefused(
        location.span,
        `The setting ${quote(path)} takes ${issue.message}, but this is ${quote(writtenValue)}`,
        issue.code === 'invalid_type' && issue.expected === 'array' ? entryFix(location.node, file) : null,
      ),
    )
  else
    report.add(
      settingValue(location.span, path, issue.message, writtenValue, suggestValue(writtenValue, acceptedValues(issue))),
    )
}

/** Suggests list dashes before named entries that were written without them. */
function entryFix(node: YamlNode, { text }: SourceFile): Fix | null {
  const key = node.kind === 'map' && entryOf(node, 'name') !== undefined ? node.entries[0]?.key : undefined
  if (key === undefined) return null
  const { span } = node
  const indent = ' '.repeat(span.start - text.lastIndexOf('\n', span.start) - 1)
  const writtenNode = `\n${indent}${text.slice(span.start, span.end)}`
  const lines = writtenNode.replaceAll('\n', '\n  ').replaceAll(`\n  ${indent}${key}:`, `\n${indent}- ${key}:`)
  return {
    hint: 'Begin each entry of a list with a dash.',
    change: { edits: [{ span, text: lines.trimStart().replace(/ +$/, '') }] },
  }
}

/** Returns the value without the keys that its schema does not have. */
function withoutUnknown(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value)
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    let nested: unknown = copy
    for (const step of issue.path)
      nested = isRecord(nested) && Object.hasOwn(nested, step) ? nested[String(step)] : undefined
    if (isRecord(nested)) for (const key of issue.keys) delete nested[key]
  }
  return copy
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Returns the keys of the mapping at a path. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return keysAt(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) {
    const optionKeys = schema.options.flatMap((each) => keysAt(each, path))
    return [...new Set(optionKeys)]
  }
  const [step, ...rest] = path
  if (step === undefined) return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest)
  const innerSchema = schema instanceof z.ZodObject ? schema.shape[String(step)] : undefined
  return innerSchema === undefined ? [] : keysAt(innerSchema, rest)
}

/** Returns a hint for a list or text where settings are expected. */
function settingFix(tree: YamlNode): Fix | null {
  if (tree.kind === 'list') return { hint: 'Write the key of this list above it, such as `properties:`.' }
  const match = tree.kind === 'scalar' ? /^([a-z_]+)\s*[:=]\s*(\S[^\n]*)$/i.exec(tree.text.trim()) : null
  return match === null ? null : replaceWith(`${match[1]}: ${match[2]}`)
}

/** Returns the node at a zod path below `entry`; if there is none, the key of the deepest node that exists. */
function locate(
  entry: YamlEntry,
  path: readonly PropertyKey[],
): { readonly node: YamlNode | null; readonly span: Span } {
  let node: YamlNode = entry.value
  let lastSpan = entry.keySpan
  for (const step of path) {
    if (node.kind === 'list' && typeof step === 'number') {
      const item: YamlNode | undefined = node.items[step]
      if (item === undefined) return { node: null, span: lastSpan }
      lastSpan = item.span
      node = item
      continue
    }
    const innerEntry = entryOf(node, String(step))
    if (innerEntry === undefined) return { node: null, span: node.kind === 'map' ? firstKey(node) : lastSpan }
    lastSpan = innerEntry.keySpan
    node = innerEntry.value
  }
  return { node, span: node.kind === 'scalar' ? node.span : lastSpan }
}

/** Returns the first line of a value, shortened for a message. */
function firstLine(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').trimEnd()
  return line.length < text.trimEnd().length || line.length > MAX_VALUE_LENGTH
    ? `${line.slice(0, MAX_VALUE_LENGTH)}…`
    : line
}

const MAX_VALUE_LENGTH = 80

function firstKey(node: YamlNode): Span {
  return node.kind === 'map' ? (node.entries[0]?.keySpan ?? node.span) : node.span
}

// ---- schemas of values ------------------------------------------------------------------------------------------------

/** A text. Numbers are accepted as text. */
export const text = z.union([z.string(), z.number(), z.bigint()], { error: 'a text' }).transform(String)

/** A text that may contain Liquid. Numbers, `true` and `false` are accepted as text. */
export const liquid = z.union([z.string(), z.number(), z.bigint(), z.boolean()], { error: 'a text' })

export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: '`true` or `false`' })
  .transform((value) => value === true || value === 'true')

export const wholeNumber = z
  .union([z.int(), z.string().regex(/^\d+$/, { error: 'a whole number' })], { error: 'a whole number' })
  .transform(Number)

/** Wraps a schema so that a blank value counts as absent. */
export function unlessBlank<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema> | undefined> {
  const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''
  return z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional())
}

export const anything = z.unknown()

/** A mapping with any keys. */
export const mapping = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'a mapping of names to values' },
)

export const names = z.union([text, z.array(text)], { error: 'a list of names' })

/** A text that may contain Liquid, or a mapping. */
export const textOrMapping = z.union([liquid, mapping], { error: 'a text or a mapping' })

/** The schemas of texts that are rendered with Liquid. */
export const RENDERED: ReadonlySet<z.ZodType> = new Set<z.ZodType>([liquid, textOrMapping])

type EntriesSchema<K extends SettingKeys> = { readonly [N in keyof K]: z.ZodOptional<z.ZodNullable<K[N]['schema']>> }

/** Returns the zod shape of a mapping. Null counts as absent in it. */
export function shape<const K extends SettingKeys>(keys: K): EntriesSchema<K> {
  // The cast is needed because the type of `Object.fromEntries` does not keep the schema of each key.
  return Object.fromEntries(
    Object.entries(keys).map(([name, { schema }]) => [name, schema.nullish()]),
  ) as EntriesSchema<K>
}

/** A mapping with only these keys. */
export function section<const K extends SettingKeys>(
  keys: K,
  error = `a mapping of ${joinWithAnd(Object.keys(keys))}`,
): z.ZodObject<EntriesSchema<K>, z.core.$strict> {
  return z.strictObject(shape(keys), { error })
}

/** One of several words, in upper or lower case. Returns the word as it is in the list. */
export function word<const Words extends readonly string[]>(...words: Words): z.ZodType<Words[number]> {
  const error = `one of ${joinWithOr(words, 20)}`
  return z.union([z.string(), z.number()], { error }).transform((value, context): Words[number] => {
    const lowerCaseText = String(value).trim().toLowerCase()
    const knownWord = words.find((each) => each.toLowerCase() === lowerCaseText)
    if (knownWord !== undefined) return knownWord
    context.addIssue({ code: 'custom', message: error, params: { accepted: words } })
    return z.NEVER
  })
}

// ---- keys that several kinds of files have ----------------------------------------------------------------------------

/** A mapping of values without a schema. */
export function customValues(description = 'Custom values that describe the file. They have no effect.') {
  return { schema: mapping, description, default: {} } as const
}

/** A name that is the path of the file if it is not set. */
export function fileName(description: string) {
  return { schema: text, description, otherwise: 'the path of the file' } as const
}

/** A key that is accepted and ignored without a message. */
export function unread(description: string) {
  return { schema: anything, description, unread: true } as const
}
