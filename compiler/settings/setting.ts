/**
 * The contract of a kind of settings: its keys, each with a zod schema, and the record that they become. Zod's issues are
 * reported at the YAML that caused them; a key with an issue counts as absent.
 */
import { z } from 'zod'
import { deprecatedSetting } from '../diagnostics/codes/deprecated-setting.ts'
import { ignoredSetting } from '../diagnostics/codes/ignored-setting.ts'
import { missingSetting } from '../diagnostics/codes/missing-setting.ts'
import { settingRefused } from '../diagnostics/codes/setting-refused.ts'
import { settingValue } from '../diagnostics/codes/setting-value.ts'
import { unknownSetting } from '../diagnostics/codes/unknown-setting.ts'
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts'
import { didYouMean } from '../diagnostics/suggest.ts'
import { a, choice, quoted, upper } from '../diagnostics/words.ts'
import type { LiquidText, NamedReference, SettingTree } from '../model/settings.ts'
import type { SourceFile } from '../source/file.ts'
import { type Span, span } from '../source/span.ts'
import { entryOf, toValue, type YamlEntry, type YamlNode } from '../source/yaml.ts'
import { liquidText, NO_TREE, settingTree } from './liquid-text.ts'

/** Where diagnostics go. */
export type Reporter = Pick<Report, 'add'>

export interface Key<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** What to write instead; null when there is nothing. Absent: the key is current. */
  readonly deprecated?: string | null
  /** Accepted, and said to have no effect. */
  readonly ignored?: boolean
  /** The platform refuses a wrong value, so it is an error. */
  readonly refused?: boolean
}

export type Keys = Readonly<Record<string, Key>>

export interface Kind<K extends Keys, Settings> {
  /** The word for such a file: `page`. */
  readonly noun: string
  readonly keys: K
  /** The platform refuses unknown keys, so they are errors. */
  readonly strict?: boolean
  /** Reads what the entries say. Called with no entries for a file without settings. */
  read(from: Entries<K>, file: SourceFile): Settings
}

/** Reads the settings of a file. `tree` is null where there are none, or where the YAML could not be read. */
export type ReadSettings<Settings> = (file: SourceFile, tree: YamlNode | null, report: Reporter) => Settings

/** Declares a kind of settings and gives its reader. */
export function settings<K extends Keys, Settings>(kind: Kind<K, Settings>): ReadSettings<Settings> {
  return (file, tree, report) => kind.read(new Entries(kind, file, tree, report), file)
}

/** The entries of one file's settings by their keys, checked. Null values count as absent. */
export class Entries<K extends Keys> {
  readonly report: Reporter
  readonly file: SourceFile
  readonly #entries = new Map<string, { readonly entry: YamlEntry; readonly value: unknown }>()
  readonly #noun: string

  constructor(
    kind: Pick<Kind<K, unknown>, 'noun' | 'keys' | 'strict'>,
    file: SourceFile,
    tree: YamlNode | null,
    report: Reporter,
  ) {
    this.report = report
    this.file = file
    this.#noun = kind.noun
    if (tree === null) return
    if (tree.kind !== 'map') {
      report.add(settingRefused(tree.span, 'Settings are written as `name: value`, one on each line', ''))
      return
    }
    const current = Object.keys(kind.keys).filter((name) => kind.keys[name]?.deprecated === undefined)
    for (const entry of tree.entries) {
      const key = Object.hasOwn(kind.keys, entry.key) ? kind.keys[entry.key] : undefined
      if (key === undefined) {
        if (kind.strict === true) report.add(refusedKey(entry, kind.noun, current))
        else report.add(unknownSetting(entry.keySpan, entry.key, kind.noun, current))
        continue
      }
      if (key.deprecated !== undefined) report.add(deprecatedSetting(entry.keySpan, entry.key, key.deprecated))
      if (key.ignored === true) report.add(ignoredSetting(entry.keySpan, entry.key))
      if (isNull(entry.value)) continue
      const checked = key.schema.safeParse(toValue(entry.value))
      if (checked.success) this.#entries.set(entry.key, { entry, value: checked.data })
      else
        for (const issue of checked.error.issues)
          reportIssue(issue, entry, file, report, kind.noun, key.refused === true)
    }
  }

  has(name: keyof K & string): boolean {
    return this.#entries.has(name)
  }

  /** The value that the key's schema made, or undefined. */
  value<N extends keyof K & string>(name: N): z.output<K[N]['schema']> | undefined {
    return this.#entries.get(name)?.value as z.output<K[N]['schema']> | undefined
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

  /** The text of the first of the keys that is given. */
  liquid(...names: (keyof K & string)[]): LiquidText | null {
    for (const name of names) {
      const node = this.node(name)
      if (node?.kind === 'scalar') return liquidText(node)
    }
    return null
  }

  /** The first of the keys that is given, whatever its shape. */
  tree(...names: (keyof K & string)[]): SettingTree | null {
    for (const name of names) {
      const node = this.node(name)
      if (node !== null) return settingTree(node)
    }
    return null
  }

  /** A map below the key; an empty one without it. */
  map(name: keyof K & string): SettingTree {
    return this.tree(name) ?? NO_TREE
  }

  /** The names below the key: of a list, or the one that stands there itself. Empty texts name nothing. */
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
      const found = this.names(name)[0]
      if (found !== undefined) return found
    }
    return null
  }

  /** Says that a key is missing, at the file's beginning. */
  missing(name: keyof K & string): void {
    this.report.add(missingSetting(top(this.file), name, this.#noun))
  }
}

/** The place of what a file does not say. */
export function top(file: SourceFile): Span {
  return span(file.path, 0, 0)
}

/** A name as others call it: with the prefix of the file's module. */
export function logicalName(name: string, file: SourceFile): string {
  return file.module === null || name.startsWith('modules/') ? name : `modules/${file.module}/${name}`
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

function refusedKey(entry: YamlEntry, noun: string, known: readonly string[]): Diagnostic {
  const hint =
    didYouMean(entry.key, known) ?? `Its settings are ${choice(known, 20).replace(/ or (?=[^ ]+$)/, ' and ')}.`
  return settingRefused(entry.keySpan, `${upper(a(noun))} has no setting ${quoted(entry.key)}`, hint)
}

/** Zod's issue at the YAML that caused it. Each schema's own error text says what it takes: `a whole number`. */
function reportIssue(
  issue: z.core.$ZodIssue,
  entry: YamlEntry,
  file: SourceFile,
  report: Reporter,
  noun: string,
  refused: boolean,
): void {
  const found = locate(entry, issue.path)
  const path = [entry.key, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const inner = entryOf(found.node, key)
      report.add(unknownSetting(inner?.keySpan ?? found.span, `${path}.${key}`, noun, []))
    }
    return
  }
  if (found.node === null) {
    report.add(missingSetting(found.span, path, noun))
    return
  }
  const written = file.text.slice(found.span.start, found.span.end)
  if (refused)
    report.add(
      settingRefused(
        found.span,
        `The setting ${quoted(path)} takes ${issue.message}, and this is ${quoted(written)}`,
        '',
      ),
    )
  else report.add(settingValue(found.span, path, issue.message, written))
}

/** The node below `entry` that a path of zod leads to; where it leads to nothing, the key of the last one that exists. */
function locate(
  entry: YamlEntry,
  path: readonly PropertyKey[],
): { readonly node: YamlNode | null; readonly span: Span } {
  let node: YamlNode = entry.value
  let last = entry.keySpan
  for (const step of path) {
    if (node.kind === 'list' && typeof step === 'number') {
      const item: YamlNode | undefined = node.items[step]
      if (item === undefined) return { node: null, span: last }
      last = item.span
      node = item
      continue
    }
    const inner = entryOf(node, String(step))
    if (inner === undefined) return { node: null, span: node.kind === 'map' ? firstKey(node) : last }
    last = inner.keySpan
    node = inner.value
  }
  return { node, span: node.kind === 'scalar' ? node.span : last }
}

function firstKey(node: YamlNode): Span {
  return node.kind === 'map' ? (node.entries[0]?.keySpan ?? node.span) : node.span
}

// ---- what keys take ---------------------------------------------------------------------------------------------------

/** A text; a number is one too. */
export const text = z.union([z.string(), z.number(), z.bigint()], { error: 'a text' }).transform(String)

/** A text that may hold Liquid; `true` and `false` are texts of it. */
export const liquid = z.union([z.string(), z.number(), z.bigint(), z.boolean()], { error: 'a text' })

export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: '`true` or `false`' })
  .transform((value) => value === true || value === 'true')

export const wholeNumber = z
  .union([z.int(), z.string().regex(/^\d+$/, { error: 'a whole number' })], { error: 'a whole number' })
  .transform(Number)

export const anything = z.unknown()

/** A mapping of any keys. */
export const mapping = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'a mapping of names to values' },
)

export const names = z.union([text, z.array(text)], { error: 'a list of names' })

/** A text that may hold Liquid, or a mapping. */
export const textOrMapping = z.union([liquid, mapping], { error: 'a text or a mapping' })

/** One of some words, in any case. Gives the word as it stands in the list. */
export function word<const Words extends readonly string[]>(...words: Words): z.ZodType<Words[number]> {
  const error = `one of ${choice(words, 20)}`
  return z.union([z.string(), z.number()], { error }).transform((value, context): Words[number] => {
    const written = String(value).trim().toLowerCase()
    const found = words.find((each) => each.toLowerCase() === written)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
}
