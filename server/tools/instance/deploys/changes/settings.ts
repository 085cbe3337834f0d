/**
 * Changes settings in front matter and in YAML files. Everything else in the text stays: comments, order, and the spelling of other values. New values are
 * written so that no text can end a value or begin another setting.
 */
import { randomUUID } from 'node:crypto'
import { type Document, isMap, isScalar, type Node, Pair, parseDocument, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { cutFrontMatter } from '../../../../web/site/front-matter.ts'

/** A change of one setting. */
export interface SettingEdit {
  /** The key, or a section and the key in it. */
  readonly keys: readonly [string] | readonly [string, string]
  /** Plain data; null removes the setting. */
  readonly value: unknown
}

/** Thrown for settings that cannot be read or written. The message is a clause about the file. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault'
}

/** All scalars are texts in this schema, so that existing values are written as they were read. */
const READING = { schema: 'failsafe', version: '1.1', uniqueKeys: false } as const

/** A YAML file with one mapping. */
export class SettingsDocument {
  readonly #document: Document
  readonly #map: YAMLMap
  readonly #options: {
    readonly lineWidth: 0
    readonly indentSeq: boolean
    readonly doubleQuotedMinMultiLineLength: number
  }
  /** Marks characters that are written as escapes. No text contains it. */
  readonly #mark = randomUUID()

  /** @throws SettingsFault */
  constructor(text: string) {
    const document: Document = parseDocument(text, READING)
    const [error] = document.errors
    if (error !== undefined) throw new SettingsFault(`has settings that are not YAML (${error.message.split('\n')[0]})`)
    const { contents } = document
    // A file with comments only has an empty text as its value.
    if (contents !== null && !isMap(contents) && !(isScalar(contents) && contents.value === ''))
      throw new SettingsFault('has settings that are not a mapping')
    this.#document = document
    this.#map = isMap(contents) ? contents : new YAMLMap()
    document.contents = this.#map
    // A list may begin in the column of its key.
    const indentSeq = !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n(?:[ \t]*(?:#.*)?\r?\n)*\1- /m.test(text)
    this.#options = { lineWidth: 0, indentSeq, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY }
  }

  /** Returns the mapping, for changes of its parts. */
  get map(): YAMLMap {
    return this.#map
  }

  edit({ keys: [name, inside], value }: SettingEdit): void {
    if (inside === undefined) return this.set(this.#map, name, value)
    const section: unknown = this.#map.get(name)
    if (isMap(section)) {
      this.set(section, inside, value)
      if (section.items.length === 0) this.#map.delete(name)
    } else if (value !== null) this.set(this.#map, name, { [inside]: value })
  }

  /** Sets a key of a mapping to plain data; null removes it. */
  set(map: YAMLMap, name: string, value: unknown): void {
    const pairs = map.items.filter(({ key }) => isScalar(key) && key.value === name)
    // Readers use the last one of equal keys.
    for (const pair of value === null ? pairs : pairs.slice(0, -1)) map.items.splice(map.items.indexOf(pair), 1)
    if (value === null) return
    const node = this.#node(value)
    const before: unknown = pairs.at(-1)?.value
    if (isScalar(before) && isScalar(node) && before.comment) node.comment = before.comment
    map.set(pairs.length === 0 ? this.#textNode(name, false) : name, node)
  }

  /** Converts plain data to a node. */
  #node(value: unknown): Node {
    if (typeof value === 'string') return this.#textNode(value, true)
    if (Array.isArray(value)) {
      const list = new YAMLSeq()
      for (const item of value) list.items.push(this.#node(item))
      list.flow = value.length === 0
      return list
    }
    if (typeof value === 'object' && value !== null) {
      const map = new YAMLMap()
      for (const [name, item] of Object.entries(value))
        map.items.push(new Pair(this.#textNode(name, false), this.#node(item)))
      map.flow = map.items.length === 0
      return map
    }
    // YAML 1.1 needs a point in numbers with an exponent. Texts need quotes, so that this is not one.
    return plainNode(typeof value === 'number' ? String(value).replace(/^(-?\d+)e/, '$1.0e') : String(value ?? null))
  }

  #textNode(text: string, isValue: boolean): Scalar {
    if (SIMPLE.test(text) && !WORDS.test(text)) return plainNode(text)
    const written = text.replace(ESCAPED, (character) => `${this.#mark}${character.charCodeAt(0).toString(16)};`)
    const node = new Scalar(written)
    node.type = isValue && LITERAL.test(text) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE
    return node
  }

  /** Returns the text of the file; empty without settings. */
  text(): string {
    if (this.#map.items.length === 0 && this.#document.commentBefore === null && this.#document.comment === null)
      return ''
    const written = this.#document.toString(this.#options)
    return written.replaceAll(
      new RegExp(`${this.#mark}([\\da-f]+);`, 'g'),
      (_all, code: string) => `\\u${code.padStart(4, '0')}`,
    )
  }
}

/** Characters that some readers of YAML take for the end of a line, or do not take at all. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
/** Texts that need no quotes, and words that would be something else without them. */
const SIMPLE = /^[A-Za-z_/][\w/.-]*$/
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i
/** Texts of several lines that a block shows as they are. */
const LITERAL = /^[\x21-\x7e][\x20-\x7e]*(?:\n(?:[\x20-\x7e]*[\x21-\x7e])?)*\n(?:[\x20-\x7e]*[\x21-\x7e])\n?$/

function plainNode(text: string): Scalar {
  const node = new Scalar(text)
  node.type = Scalar.PLAIN
  return node
}

/** Returns the file of a template with changed settings. @param body the new template; null for the old one @throws SettingsFault */
export function editTemplate(text: string, edits: readonly SettingEdit[], body: string | null): string {
  const { yaml, bodyStart, isUnclosed } = cutFrontMatter(text)
  if (isUnclosed) throw new SettingsFault('has front matter that is not closed')
  const newBody = body ?? text.slice(bodyStart)
  if (yaml === null) return newTemplate(edits, newBody)
  if (edits.length === 0) return `${withLineEnd(text.slice(0, bodyStart))}${newBody}`
  const written = editYaml(text.slice(yaml.start, yaml.end), edits)
  return `${text.slice(0, yaml.start)}${written}${withLineEnd(text.slice(yaml.end, bodyStart))}${newBody}`
}

/** Returns the file of a new template. */
export function newTemplate(edits: readonly SettingEdit[], body: string): string {
  const yaml = editYaml('', edits)
  const { yaml: own, isUnclosed } = cutFrontMatter(body)
  // Front matter protects a body that begins like front matter.
  return yaml === '' && own === null && !isUnclosed ? body : `---\n${yaml}---\n${body}`
}

function editYaml(text: string, edits: readonly SettingEdit[]): string {
  const document = new SettingsDocument(text)
  for (const edit of edits) document.edit(edit)
  const written = document.text()
  if (/^---/m.test(written)) throw new SettingsFault('has settings that cannot be changed: deploy the file')
  return written
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
