/**
 * YAML as sites are written for it: the `yaml` package reads the structure, the scalars follow YAML 1.1 as the platform's
 * own reader does. Every node knows its place in the file.
 */
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, parseAllDocuments, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Span } from './span.ts'
import { foldedText, type JoinedText, joinQuoted, quotedSegments, type SourceSegment } from './yaml-quotes.ts'
import { type AmbiguousScalar, ambiguityOf, resolveScalar, type ScalarValue } from './yaml-scalar.ts'

export type YamlNode = YamlScalar | YamlList | YamlMap

export interface YamlScalar {
  readonly kind: 'scalar'
  readonly value: ScalarValue
  /** The number was written as a float, also when its value is integral. */
  readonly float: boolean
  /** The text as written, without quotes and indentation: `yes` for true. */
  readonly text: string
  readonly quoted: boolean
  /** Where it stands in the file, but for escapes and folded white space; null where that is not known. */
  readonly segments: readonly SourceSegment[] | null
  readonly span: Span
}

export interface YamlList {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly span: Span
}

export interface YamlMap {
  readonly kind: 'map'
  /** Of a repeated key only the last entry, at the place of the first. */
  readonly entries: readonly YamlEntry[]
  readonly span: Span
}

export interface YamlEntry {
  readonly key: string
  readonly keySpan: Span
  readonly value: YamlNode
}

export type YamlProblem =
  /** `expected`: what is missing, where that is one thing. */
  | { readonly kind: 'syntax'; readonly span: Span; readonly message: string; readonly expected: string | null }
  /** A plain scalar that YAML 1.2 reads as something else. */
  | ({ readonly kind: 'other-scalar'; readonly span: Span; readonly text: string } & AmbiguousScalar)
  | DuplicateKey
  /** `key: {{ x }}` without quotes, which is a mapping inside a mapping. */
  | { readonly kind: 'bare-liquid'; readonly span: Span; readonly text: string }

export interface DuplicateKey {
  readonly kind: 'duplicate-key'
  readonly span: Span
  readonly key: string
  readonly first: Span
}

export interface Yaml {
  /** Null for an empty text and for one that cannot be read. */
  readonly tree: YamlNode | null
  readonly problems: readonly YamlProblem[]
}

/** More open brackets at once than any file needs; the package compiles a pattern as long as they are deep. */
const MOST_BRACKETS = 1000
const MOST_DEPTH = 200
const TOO_DEEP = `it is nested deeper than ${MOST_DEPTH} levels`
/** What a reader of the tree walks through at most, with every alias counted as what it stands for. */
const MOST_NODES = 1_000_000
/** Aliases may repeat that many nodes; a file of translations may be larger than that without them. */
const MOST_REPEATED = 20_000

/**
 * Reads a YAML text that stands at `offset` of `file`. A leading `---` and a trailing one are accepted; a text with a syntax
 * error has no tree and one problem. Never throws.
 */
export function readYaml(text: string, file: string, offset: number): Yaml {
  const deep = deepBracket(text)
  if (deep >= 0) return broken(file, offset + deep, offset + deep + 1, TOO_DEEP)
  let documents: ReturnType<typeof parseAllDocuments>
  let joined: JoinedText
  try {
    joined = joinQuoted(text)
    documents = parseAllDocuments(joined.text, {
      version: '1.1',
      schema: 'failsafe',
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return broken(file, offset, offset + 1, TOO_DEEP)
  }
  if (!Array.isArray(documents)) return { tree: null, problems: [] }
  const [document, ...others] = documents
  if (document === undefined) return { tree: null, problems: [] }
  const error = document.errors[0]
  if (error !== undefined) {
    const start = Math.min(error.pos[0], Math.max(text.trimEnd().length - 1, 0))
    const line = lineAround(text, start)
    const liquid = BARE_LIQUID.exec(line.text)
    if (liquid !== null) {
      const from = offset + line.start + liquid[0].length - 2
      const span = { file, start: from, end: offset + line.start + line.text.trimEnd().length }
      return {
        tree: null,
        problems: [{ kind: 'bare-liquid', span, text: line.text.slice(from - offset - line.start).trim() }],
      }
    }
    return broken(
      file,
      offset + start,
      offset + Math.max(Math.min(error.pos[1], line.start + line.text.length), start + 1),
      inWords(error.code, error.message),
      /^Implicit map keys need to be followed/.test(error.message) ? "':'" : null,
    )
  }
  const tagged = document.warnings.find((warning) => /^!(?!!)./.test(text.slice(...warning.pos)))
  if (tagged !== undefined) {
    const [start, end] = tagged.pos
    return broken(file, offset + start, offset + end, `the type \`${text.slice(start, end)}\` cannot be used`)
  }
  const second = others.find((other) => other.errors.length > 0 || !isEmpty(other.contents))
  if (second !== undefined) {
    const start = offset + (second.contents?.range?.[0] ?? 0)
    return broken(file, start, start + 1, 'a second document begins here, and one is expected')
  }
  const content = document.contents as ParsedNode | null
  if (content === null || isEmpty(content)) return { tree: null, problems: [] }
  const reader: YamlReader = {
    text,
    file,
    offset,
    joined: joined.joinedAt,
    anchors: new Map(),
    problems: [],
    repeated: 0,
  }
  try {
    return { tree: node(content, reader, 0).node, problems: reader.problems }
  } catch (problem) {
    if (!(problem instanceof YamlRefusal)) throw problem
    return broken(file, problem.span.start, problem.span.end, problem.message)
  }
}

/** The plain value of a tree: maps without a prototype, integers beyond 2^53 as bigint, floats as numbers. */
export function toValue(tree: YamlNode | null): unknown {
  if (tree === null) return null
  switch (tree.kind) {
    case 'scalar':
      return tree.value
    case 'list':
      return tree.items.map(toValue)
    case 'map': {
      const map: Record<string, unknown> = Object.create(null)
      for (const entry of tree.entries) map[entry.key] = toValue(entry.value)
      return map
    }
  }
}

/** The entry of a map by its key, or undefined. */
export function entryOf(tree: YamlNode | null | undefined, key: string): YamlEntry | undefined {
  return tree?.kind === 'map' ? tree.entries.find((entry) => entry.key === key) : undefined
}

/** Liquid as an unquoted value: a mapping to YAML, and mostly one that cannot be read. */
const BARE_LIQUID = /^[^'"#]*(?::|^\s*-)\s+\{[{%]/

function lineAround(text: string, at: number): { readonly start: number; readonly text: string } {
  const start = text.lastIndexOf('\n', Math.max(at - 1, 0)) + 1
  const end = text.indexOf('\n', start)
  return { start, text: text.slice(start, end < 0 ? text.length : end) }
}

interface YamlReader {
  readonly text: string
  readonly file: string
  readonly offset: number
  /** Quoted texts whose lines were joined for the parser: where each begins in `text`, and behind it. */
  readonly joined: ReadonlyMap<number, number>
  /** Anchored nodes by name; null while the node itself is being read. */
  readonly anchors: Map<string, SizedNode | null>
  readonly problems: YamlProblem[]
  repeated: number
}

/** A node and how many nodes a reader of it meets. */
interface SizedNode {
  readonly node: YamlNode
  readonly size: number
}

/** Leaves the walk from any depth; `readYaml` turns it into a problem. */
class YamlRefusal extends Error {
  readonly span: Span
  constructor(span: Span, message: string) {
    super(message)
    this.span = span
  }
}

function node(from: ParsedNode, reader: YamlReader, depth: number): SizedNode {
  if (depth > MOST_DEPTH) throw new YamlRefusal(spanOf(from, reader), TOO_DEEP)
  if (isAlias(from)) return alias(from.source, spanOf(from, reader), reader)
  const anchor = from.anchor
  if (anchor !== undefined) reader.anchors.set(anchor, null)
  const read = isMap(from)
    ? map(from, reader, depth)
    : isSeq(from)
      ? list(from, reader, depth)
      : { node: scalar(from, reader), size: 1 }
  if (read.size > MOST_NODES) throw new YamlRefusal(read.node.span, 'it holds too many values')
  if (anchor !== undefined) reader.anchors.set(anchor, read)
  return read
}

function alias(name: string, at: Span, reader: YamlReader): SizedNode {
  const target = reader.anchors.get(name)
  if (target === undefined) throw new YamlRefusal(at, `nothing is named \`&${name}\` before this`)
  if (target === null) throw new YamlRefusal(at, `\`*${name}\` stands inside of what it repeats`)
  reader.repeated += target.size
  if (reader.repeated > MOST_REPEATED) throw new YamlRefusal(at, 'its aliases repeat too many values')
  return target
}

function list(from: YAMLSeq, reader: YamlReader, depth: number): SizedNode {
  let size = 1
  const items = from.items.map((item) => {
    const read = node(item as ParsedNode, reader, depth + 1)
    size += read.size
    return read.node
  })
  return { node: { kind: 'list', items, span: spanOf(from as ParsedNode, reader) }, size }
}

function map(from: YAMLMap, reader: YamlReader, depth: number): SizedNode {
  const entries = new Map<string, YamlEntry>()
  const merged: YamlEntry[] = []
  let size = 1
  for (const pair of from.items) {
    const key = pair.key as ParsedNode
    const { name, identity } = keyOf(key, reader)
    const keySpan = spanOf(key, reader)
    const read =
      pair.value === null || pair.value === undefined
        ? { node: emptyNode(keySpan.end, reader), size: 1 }
        : node(pair.value as ParsedNode, reader, depth + 1)
    size += read.size
    if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
      merged.push(...mergedEntries(read.node))
      continue
    }
    const first = entries.get(identity)
    if (first !== undefined)
      reader.problems.push({ kind: 'duplicate-key', span: keySpan, key: name, first: first.keySpan })
    entries.set(identity, { key: name, keySpan, value: read.node })
  }
  const named = new Set([...entries.values()].map(({ key }) => key))
  for (const entry of merged)
    if (!named.has(entry.key)) {
      named.add(entry.key)
      entries.set(`<< ${entry.key}`, entry)
    }
  const span = spanOf(from as ParsedNode, reader)
  const written = reader.text.slice(span.start - reader.offset, span.end - reader.offset)
  if (from.flow && written.startsWith('{{')) {
    const line = written.split('\n', 1)[0] ?? written
    reader.problems.push({ kind: 'bare-liquid', span, text: line })
    return { node: textNode(written, span), size: 1 }
  }
  return { node: { kind: 'map', entries: [...entries.values()], span }, size }
}

/** The entries that `<<` brings in: of a map, or of the maps of a list, the first of which wins. */
function mergedEntries(from: YamlNode): readonly YamlEntry[] {
  if (from.kind === 'map') return from.entries
  return from.kind === 'list' ? from.items.flatMap(mergedEntries) : []
}

/** What a key is called, and what it is: `yes` and `true` are one key, `1` and `"1"` are two of one name. */
function keyOf(key: ParsedNode, reader: YamlReader): { readonly name: string; readonly identity: string } {
  if (isScalar(key)) {
    // An option of validations has the name `on`, and nobody means a boolean by it.
    if (key.type === 'PLAIN' && key.value === 'on') return { name: 'on', identity: 'boolean true' }
    const { value, text, float } = scalar(key as ParsedNode, reader)
    const name = typeof value === 'boolean' || (typeof value === 'number' && !float) ? String(value) : text
    return { name, identity: `${typeof value} ${value === null ? '' : float ? String(value) : name}` }
  }
  const span = spanOf(key, reader)
  const written = reader.text.slice(span.start - reader.offset, span.end - reader.offset)
  // `{{ x }}` is a map whose only key is a map; the outer one reports it.
  if (isMap(key) && key.flow) return { name: written, identity: written }
  throw new YamlRefusal(span, 'a key is a text, not a list or a mapping')
}

function scalar(from: ParsedNode, reader: YamlReader): YamlScalar {
  if (!isScalar(from)) throw new YamlRefusal(spanOf(from, reader), 'a value was expected')
  const span = spanOf(from, reader)
  const end = reader.joined.get(span.start - reader.offset)
  const raw =
    end === undefined ? String(from.value ?? '') : foldedText(reader.text.slice(span.start - reader.offset, end))
  const written = reader.text.slice(span.start - reader.offset, span.end - reader.offset)
  const style = from.type
  const quoted = style !== 'PLAIN'
  const tag = from.tag ?? ''
  if (tag !== '' && !PLAIN_TAGS.has(tag)) throw new YamlRefusal(span, `the type \`${tag}\` cannot be used`)
  const asText = quoted || tag === '!' || tag === TEXT_TAG
  const { value, float } = asText ? { value: raw, float: false } : resolveScalar(raw)
  const other = asText || tag !== '' ? null : ambiguityOf(raw, value)
  if (other !== null) reader.problems.push({ kind: 'other-scalar', span, text: raw, ...other })
  return {
    kind: 'scalar',
    value,
    float,
    text: raw,
    quoted,
    segments: segmentsOf(style, raw, written, span.start),
    span,
  }
}

const TEXT_TAG = 'tag:yaml.org,2002:str'
const PLAIN_TAGS: ReadonlySet<string> = new Set([
  '!',
  TEXT_TAG,
  ...['int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`),
])

function textNode(text: string, span: Span): YamlScalar {
  return {
    kind: 'scalar',
    value: text,
    float: false,
    text,
    quoted: false,
    segments: [{ textOffset: 0, sourceOffset: span.start }],
    span,
  }
}

function emptyNode(at: number, reader: YamlReader): YamlScalar {
  return {
    kind: 'scalar',
    value: null,
    float: false,
    text: '',
    quoted: false,
    segments: null,
    span: { file: reader.file, start: at, end: at },
  }
}

function segmentsOf(
  style: string | undefined | null,
  text: string,
  written: string,
  start: number,
): readonly SourceSegment[] | null {
  if (style === 'PLAIN') return written === text ? [{ textOffset: 0, sourceOffset: start }] : null
  if (style === 'QUOTE_SINGLE' || style === 'QUOTE_DOUBLE') return quotedSegments(text, written, start)
  if (style === 'BLOCK_LITERAL') return literalSegments(text, written, start)
  return style === 'BLOCK_FOLDED' ? foldedSegments(text, written, start) : null
}

/** Below `>` the words of each line stand as they are; only what is between two lines is another white space. */
function foldedSegments(text: string, written: string, start: number): readonly SourceSegment[] | null {
  const segments: SourceSegment[] = []
  let source = written.indexOf('\n') + 1
  if (source === 0) return null
  let at = 0
  for (const line of written.slice(source).split('\n')) {
    const words = line.trim()
    if (words !== '') {
      while (isSpace(text.charCodeAt(at))) at++
      if (!text.startsWith(words, at)) return null
      segments.push({ textOffset: at, sourceOffset: start + source + line.indexOf(words) })
      at += words.length
    }
    source += line.length + 1
  }
  return segments.length === 0 ? null : segments
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}

/** The lines below `|` stand in the file as they are, behind their indentation. */
function literalSegments(text: string, written: string, start: number): readonly SourceSegment[] | null {
  const segments: SourceSegment[] = []
  let source = written.indexOf('\n') + 1
  if (source === 0) return null
  let at = 0
  for (const line of text.split('\n')) {
    const end = written.indexOf('\n', source)
    const full = written.slice(source, end < 0 ? written.length : end).replace(/\r$/, '')
    if (!full.endsWith(line)) return null
    const from = start + source + full.length - line.length
    const before = segments.at(-1)
    if (before === undefined || from - at !== before.sourceOffset - before.textOffset)
      segments.push({ textOffset: at, sourceOffset: from })
    at += line.length + 1
    if (end < 0) break
    source = end + 1
  }
  return segments
}

function spanOf(from: ParsedNode, reader: YamlReader): Span {
  const [start, end] = from.range ?? [0, 0]
  return { file: reader.file, start: reader.offset + start, end: reader.offset + end }
}

function isEmpty(content: unknown): boolean {
  return (
    content === null ||
    content === undefined ||
    (isScalar(content) && content.type === 'PLAIN' && (content.value === '' || content.value === null))
  )
}

/** The offset of a bracket inside too many; -1 without one. */
function deepBracket(text: string): number {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 91 || code === 123) {
      if (++open > MOST_BRACKETS) return at
    } else if (code === 93 || code === 125) open = Math.max(open - 1, 0)
  }
  return -1
}

function broken(file: string, start: number, end: number, message: string, expected: string | null = null): Yaml {
  return { tree: null, problems: [{ kind: 'syntax', span: { file, start, end }, message, expected }] }
}

/** The package's sentence, or ours where it speaks in its own words. */
function inWords(code: string, message: string): string {
  const ours = PROBLEM_WORDS[code]
  if (ours !== undefined) return ours
  // The package takes the end of the stack for a mistake of the text.
  if (/call stack/i.test(message)) return TOO_DEEP
  const plain = message.replace(/\.$/, '')
  return plain.slice(0, 1).toLowerCase() + plain.slice(1)
}

const PROBLEM_WORDS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab cannot indent a line; use spaces',
  BAD_INDENT: 'the indentation does not fit, or a bracket is never closed',
  BLOCK_AS_IMPLICIT_KEY: 'a key is expected here; a text that holds `: ` stands in quotes',
  MULTILINE_IMPLICIT_KEY: 'a key is expected on one line, with a colon behind it',
  MISSING_CHAR: 'a quote, a colon or a bracket is missing here',
  UNEXPECTED_TOKEN: 'this does not belong here; check the indentation and the quotes',
  BAD_SCALAR_START: 'a text that begins with this character stands in quotes',
}
