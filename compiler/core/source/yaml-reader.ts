/**
 * Parses a YAML text into a tree, with the grammar of libyaml. Scalars follow YAML 1.1 with the rules of Psych, like settings on the
 * platform.
 */
import type { Span } from './span.ts'
import { WRONG_PLACE, YamlRefusal } from './yaml-cursor.ts'
import { ambiguityOf, numberText, resolveScalar } from './yaml-scalar.ts'
import { type Token, YamlScanner } from './yaml-scanner.ts'
import type { ScalarText } from './yaml-texts.ts'
import type { YamlEntry, YamlNode, YamlProblem, YamlScalar } from './yaml-tree.ts'

const MAX_DEPTH = 200
const TOO_DEEP = `it is nested deeper than ${MAX_DEPTH} levels`
/** The limit for nodes that a reader of the tree visits. Aliases count like the nodes that they repeat. */
const MAX_NODES = 1_000_000
/** The limit for nodes that are repeated by aliases. Without aliases, a translation file may be larger. */
const MAX_REPEATED = 20_000

type TokenKind = Token['kind']
type ScalarToken = ScalarText & { readonly isPlain: boolean }

/** A node and the number of nodes that a reader visits in it. */
interface SizedNode {
  readonly node: YamlNode
  readonly size: number
}

/** The context of a node. A list in a mapping may begin in the column of its key, and keys have more restrictions. */
type Place = 'block' | 'block-value' | 'block-key' | 'flow' | 'flow-key'

const DEFAULT_HANDLES: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
]

/** Parses one text. @throws YamlRefusal if it has a syntax error */
export class YamlReader {
  readonly problems: YamlProblem[] = []
  readonly #tokens: YamlScanner
  readonly #text: string
  readonly #file: string
  readonly #offset: number
  /** The anchored nodes by name; null while the node itself is being parsed. */
  readonly #anchors = new Map<string, SizedNode | null>()
  /** The meanings of tag handles such as `!x!`. */
  #handles = new Map(DEFAULT_HANDLES)
  #repeated = 0
  /** The end of the last token. */
  #end = 0

  constructor(text: string, file: string, offset: number) {
    this.#tokens = new YamlScanner(text)
    this.#text = text
    this.#file = file
    this.#offset = offset
  }

  /** Returns the tree of the only document; null if it is empty. */
  document(): YamlNode | null {
    const first = this.#document(true)
    while (this.#next.kind !== 'end') {
      const at = this.#next
      if (this.#document(false) !== null)
        this.#refuse('a second document begins here, but only one is allowed', { start: at.start, end: at.start + 1 })
    }
    return first
  }

  get #next(): Token {
    return this.#tokens.next
  }

  #take(): Token {
    const token = this.#tokens.take()
    this.#end = token.end
    return token
  }

  #is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#next.kind)
  }

  /** Skips the next token if it has this kind. */
  #skip(kind: TokenKind): boolean {
    if (this.#next.kind !== kind) return false
    this.#take()
    return true
  }

  #refuse(message: string, { start, end }: Pick<Token, 'start' | 'end'> = this.#next): never {
    throw new YamlRefusal(start, end, message)
  }

  /** Throws, because the next token is not allowed here. */
  #refuseNext(): never {
    const { start, kind } = this.#next
    const isFirst = /^[ \t]*$/.test(this.#text.slice(this.#text.lastIndexOf('\n', start - 1) + 1, start))
    this.#refuse(kind === 'end' ? MISSING : isFirst ? WRONG_INDENT : WRONG_PLACE)
  }

  #span(start: number, end: number): Span {
    return { file: this.#file, start: this.#offset + start, end: this.#offset + end }
  }

  #document(isFirst: boolean): YamlNode | null {
    while (!isFirst && this.#is('...')) this.#take()
    if (this.#is('end')) return null
    const hasDirectives = this.#directives()
    const isMarked = this.#skip('---')
    if (!isMarked && (hasDirectives || !isFirst)) this.#refuseNext()
    this.#anchors.clear()
    const isEmpty = isMarked && this.#is('directive', '---', '...', 'end')
    const { node } = isEmpty ? this.#empty() : this.#node('block', 0)
    this.#skip('...')
    return node.kind === 'scalar' && node.value === null && node.text === '' ? null : node
  }

  #directives(): boolean {
    const handles = new Map<string, string>()
    let version = false
    for (;;) {
      const token = this.#next
      if (token.kind !== 'directive') break
      const [first, second] = token.values
      if (token.name === 'YAML') {
        if (version || first !== '1' || !/^[12]$/.test(second)) this.#refuse('this version of YAML is not supported')
        version = true
      } else {
        if (handles.has(first)) this.#refuse(`\`${first}\` is defined twice`)
        handles.set(first, second)
      }
      this.#take()
    }
    this.#handles = new Map([...DEFAULT_HANDLES, ...handles])
    return version || handles.size > 0
  }

  // ---- nodes --------------------------------------------------------------------------------------------------------

  #node(place: Place, depth: number): SizedNode {
    if (depth > MAX_DEPTH) this.#refuse(TOO_DEEP)
    const token = this.#next
    if (token.kind === 'alias') {
      this.#take()
      return this.#alias(token)
    }
    const { anchor, tag } = this.#properties()
    if (anchor !== null) this.#anchors.set(anchor, null)
    const sizedNode = this.#content(place, tag, anchor !== null || tag !== null, depth)
    if (sizedNode.size > MAX_NODES) throw new YamlRefusal(token.start, token.start + 1, 'it contains too many values')
    if (anchor !== null) this.#anchors.set(anchor, sizedNode)
    return sizedNode
  }

  /** Parses the anchor and the tag of a node, in any order; null for missing ones. */
  #properties(): { readonly anchor: string | null; readonly tag: string | null } {
    let anchor: string | null = null
    let tag: string | null = null
    for (;;) {
      const token = this.#next
      if (token.kind === 'anchor' && anchor === null) anchor = token.name
      else if (token.kind === 'tag' && tag === null) {
        const prefix = token.handle === '' ? '' : this.#handles.get(token.handle)
        if (prefix === undefined) this.#refuse(`the tag prefix \`${token.handle}\` is not defined`)
        tag = prefix + token.suffix
        if (UNKNOWN_TYPES.test(tag))
          this.#refuse(`the type \`${this.#text.slice(token.start, token.end)}\` is not supported`)
      } else return { anchor, tag }
      this.#take()
    }
  }

  #content(place: Place, tag: string | null, mayBeEmpty: boolean, depth: number): SizedNode {
    const isInFlow = place === 'flow' || place === 'flow-key'
    const token = this.#next
    switch (token.kind) {
      case 'scalar':
        this.#take()
        return this.#scalar(token, tag, place)
      case '[':
        return this.#flowList(tag, depth)
      case '{':
        return this.#flowMap(depth)
      case 'block-list':
        if (!isInFlow) return this.#blockList(tag, depth)
        break
      case 'block-map':
        if (!isInFlow) return this.#blockMap(depth)
        break
      case '-':
        if (place === 'block-value' || place === 'block-key') return this.#bareList(tag, depth)
    }
    if (!mayBeEmpty) this.#refuseNext()
    if (tag === null) return this.#empty()
    return this.#scalar({ text: '', isPlain: true, start: this.#end, end: this.#end, segments: [] }, tag, place)
  }

  #empty(): SizedNode {
    const span = this.#span(this.#end, this.#end)
    return {
      node: { kind: 'scalar', value: null, float: false, text: '', quoted: false, segments: null, span },
      size: 1,
    }
  }

  #alias(token: { readonly name: string; readonly start: number; readonly end: number }): SizedNode {
    const target = this.#anchors.get(token.name)
    if (target === undefined) this.#refuse(`the anchor \`&${token.name}\` is not defined before this`, token)
    if (target === null) this.#refuse(`\`*${token.name}\` is inside the value that it repeats`, token)
    this.#repeated += target.size
    if (this.#repeated > MAX_REPEATED) this.#refuse('its aliases repeat too many values', token)
    return target
  }

  /** An explicit tag takes precedence over quotes, like in the parser of the platform. */
  #scalar({ text, isPlain, start, end, segments }: ScalarToken, tag: string | null, place: Place): SizedNode {
    const isText = tag === null ? !isPlain : TEXT_TAGS.has(tag)
    let { value, float } = isText ? { value: text, float: false } : resolveScalar(text)
    if (tag !== null && FLOAT_TAGS.has(tag)) {
      if (typeof value !== 'number' && typeof value !== 'bigint')
        this.#refuse(`\`${text}\` is not a number`, { start, end })
      value = Number(value)
      float = true
    }
    const span = this.#span(start, end)
    // `on` is an option of validations and never means a boolean.
    const isOn = text === 'on' && (place === 'block-key' || place === 'flow-key')
    const ambiguity = isText || tag !== null || isOn ? null : ambiguityOf(text, { value, float })
    if (ambiguity !== null) this.problems.push({ kind: 'other-scalar', span, text, ...ambiguity })
    const fileSegments = segments.map(({ textOffset, sourceOffset }) => ({
      textOffset,
      sourceOffset: sourceOffset + this.#offset,
    }))
    return {
      node: { kind: 'scalar', value, float, text, quoted: !isPlain, segments: fileSegments, span },
      size: 1,
    }
  }

  // ---- lists --------------------------------------------------------------------------------------------------------

  #blockList(tag: string | null, depth: number): SizedNode {
    const { start } = this.#take()
    const items: SizedNode[] = []
    while (this.#skip('-')) items.push(this.#is('-', 'block-end') ? this.#empty() : this.#node('block', depth + 1))
    const end = this.#end
    if (!this.#skip('block-end')) this.#refuseNext()
    return this.#list(items, tag, start, end)
  }

  /** Parses a list in the same column as its key. */
  #bareList(tag: string | null, depth: number): SizedNode {
    const { start } = this.#next
    const items: SizedNode[] = []
    while (this.#skip('-'))
      items.push(this.#is('-', '?', ':', 'block-end') ? this.#empty() : this.#node('block', depth + 1))
    return this.#list(items, tag, start, this.#end)
  }

  #flowList(tag: string | null, depth: number): SizedNode {
    const { start } = this.#take()
    const items: SizedNode[] = []
    while (!this.#is(']')) {
      items.push(this.#is('?') ? this.#flowPair(depth + 1) : this.#node('flow', depth + 1))
      if (!this.#skip(',') && !this.#is(']')) this.#refuseNext()
    }
    this.#take()
    return this.#list(items, tag, start, this.#end)
  }

  /** Parses a mapping with a single entry in a list, without braces. */
  #flowPair(depth: number): SizedNode {
    const { start } = this.#take()
    const isEmpty = this.#is(':', ',', ']')
    // libyaml skips the token in the place of the key.
    if (isEmpty) this.#take()
    const key = isEmpty ? this.#empty() : this.#node('flow-key', depth + 1)
    const value = this.#skip(':') && !this.#is(',', ']') ? this.#node('flow', depth + 1) : this.#empty()
    return this.#map([[key, value]], start, this.#end)
  }

  #list(items: readonly SizedNode[], tag: string | null, start: number, end: number): SizedNode {
    const nodes = items.map(({ node }) => node)
    const span = this.#span(start, end)
    const size = items.reduce((sum, item) => sum + item.size, 1)
    // An ordered mapping is written as a list of mappings.
    if (tag !== null && ORDERED_TAGS.has(tag))
      return {
        node: {
          kind: 'map',
          entries: nodes.flatMap((each) => (each.kind === 'map' ? each.entries.slice(0, 1) : [])),
          span,
        },
        size,
      }
    return { node: { kind: 'list', items: nodes, span }, size }
  }

  // ---- mappings -----------------------------------------------------------------------------------------------------

  #blockMap(depth: number): SizedNode {
    const { start } = this.#take()
    const pairs: Pair[] = []
    while (this.#skip('?')) {
      const key = this.#is('?', ':', 'block-end') ? this.#empty() : this.#node('block-key', depth + 1)
      const hasValue = this.#skip(':') && !this.#is('?', ':', 'block-end')
      pairs.push([key, hasValue ? this.#node('block-value', depth + 1) : this.#empty()])
    }
    const end = this.#end
    if (!this.#skip('block-end')) this.#refuseNext()
    return this.#map(pairs, start, end)
  }

  #flowMap(depth: number): SizedNode {
    const { start } = this.#take()
    const pairs: Pair[] = []
    while (!this.#is('}')) {
      const hasQuestionMark = this.#skip('?')
      const key = hasQuestionMark && this.#is(':', ',', '}') ? this.#empty() : this.#node('flow-key', depth + 1)
      const hasValue = hasQuestionMark && this.#skip(':') && !this.#is(',', '}')
      pairs.push([key, hasValue ? this.#node('flow', depth + 1) : this.#empty()])
      if (!this.#skip(',') && !this.#is('}')) this.#refuseNext()
    }
    this.#take()
    const mapping = this.#map(pairs, start, this.#end)
    const source = this.#text.slice(start, this.#end)
    if (!source.startsWith('{{')) return mapping
    const { span } = mapping.node
    this.problems.push({ kind: 'bare-liquid', span, text: source.split('\n', 1)[0] ?? source })
    return { node: textNode(source, span), size: 1 }
  }

  /** Returns the entries in order. Entries from `<<` override earlier ones, and later ones override them. */
  #map(pairs: readonly Pair[], start: number, end: number): SizedNode {
    const entries = new Map<string, YamlEntry>()
    const merged = new Set<string>()
    let size = 1
    for (const [key, value] of pairs) {
      size += value.size
      const mergedFromAlias = key.node.kind === 'scalar' && key.node.value === '<<' ? mergedEntries(value.node) : null
      if (mergedFromAlias !== null) {
        for (const entry of mergedFromAlias) {
          const identity = identities.get(entry) ?? ''
          entries.set(identity, entry)
          merged.add(identity)
        }
        continue
      }
      const { name, identity } = keyOf(key.node)
      const first = merged.delete(identity) ? undefined : entries.get(identity)
      const keySpan = key.node.span
      if (first !== undefined)
        this.problems.push({ kind: 'duplicate-key', span: keySpan, key: name, firstSpan: first.keySpan })
      const entry = { key: name, keySpan, value: value.node }
      identities.set(entry, identity)
      entries.set(identity, entry)
    }
    return { node: { kind: 'map', entries: [...entries.values()], span: this.#span(start, end) }, size }
  }
}

/** The identity of each key, in Ruby notation: `yes` and `true` are the same key; `1` and `"1"` are two keys with one name. */
const identities = new WeakMap<YamlEntry, string>()

/** Returns the name and the identity of a key. A list or mapping is named by its Ruby notation. */
function keyOf(key: YamlNode): { readonly name: string; readonly identity: string } {
  const identity = formatRuby(key)
  if (key.kind !== 'scalar') return { name: identity, identity }
  const { value, text, quoted } = key
  if ((text === 'on' && !quoted) || typeof value === 'string') return { name: text, identity }
  return { name: value === null ? '' : identity, identity }
}

/** Returns a value in Ruby notation: `["a", 1.0]`, `{"a"=>nil}`. */
function formatRuby(node: YamlNode): string {
  switch (node.kind) {
    case 'scalar':
      if (node.value === null) return 'nil'
      if (typeof node.value === 'string') return JSON.stringify(node.value)
      return typeof node.value === 'boolean' ? `${node.value}` : numberText(node.value, node.float)
    case 'list':
      return `[${node.items.map(formatRuby).join(', ')}]`
    case 'map':
      return `{${node.entries.map((entry) => `${identities.get(entry)}=>${formatRuby(entry.value)}`).join(', ')}}`
  }
}

type Pair = readonly [key: SizedNode, value: SizedNode]

/**
 * Returns the entries of `<<`: of a mapping, or of a list of mappings, of which the first takes precedence. Returns null for other
 * values.
 */
function mergedEntries(from: YamlNode): readonly YamlEntry[] | null {
  if (from.kind === 'map') return from.entries
  if (from.kind === 'scalar' || from.items.some(({ kind }) => kind !== 'map')) return null
  return from.items.toReversed().flatMap((item) => mergedEntries(item) ?? [])
}

/** Tags for objects of other programs. */
const UNKNOWN_TYPES = /^!(?:ruby\/|(?:map|seq|str):)/
const TEXT_TAGS: ReadonlySet<string> = new Set(['!str', 'tag:yaml.org,2002:str'])
const FLOAT_TAGS: ReadonlySet<string> = new Set(['!float', 'tag:yaml.org,2002:float'])
const ORDERED_TAGS: ReadonlySet<string> = new Set(['!omap', 'tag:yaml.org,2002:omap'])

const WRONG_INDENT = 'the indentation is wrong, or a bracket is never closed'
const MISSING = 'a quote, a colon or a bracket is missing here'

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
