/**
 * Formats YAML by its tokens. Comments, quotes and line breaks stay. The indentation of blocks and the white space between tokens of a
 * line change.
 */
import { type CST, Parser } from 'yaml'
import { applyEdits } from '../../core/diagnostics/quick-fix.ts'
import { readYaml } from '../../core/source/yaml.ts'
import { type Edit, Edits, editsAt, type Formatting, lineEndIn, unreadableAt } from './edit.ts'
import { sameMeaning } from './same-meaning.ts'

/** A token of the text. */
interface YamlToken {
  readonly type: string
  readonly start: number
  readonly source: string
  /** The new column of a token that begins a line. Null for a token that is not moved separately. */
  readonly column: number | null
  /** For a block scalar: the number of characters that its lines move to the right. */
  readonly moved?: number
}

/** Returns the edits of a text that begins at `base` of its file. */
export function formatYaml(text: string, base: number): Formatting {
  const before = readYaml(text, '', 0)
  for (const problem of before.problems)
    if (problem.kind === 'syntax')
      return unreadableAt(base + problem.span.start, `This is not valid YAML: ${problem.message}.`)
  // The text is ambiguous.
  if (before.problems.some(({ kind }) => kind === 'bare-liquid')) return editsAt(base, [])
  const edits = new YamlLayout(text).edits()
  const after = readYaml(applyEdits(text, edits), '', 0)
  const isSame = after.problems.length === before.problems.length && sameMeaning(before.tree, after.tree)
  return editsAt(base, isSame ? edits : [])
}

class YamlLayout {
  readonly #text: string
  readonly #edits: Edits
  readonly #eol: string
  readonly #signs: YamlToken[] = []
  /** The old and the new columns of the enclosing blocks. */
  readonly #around: { readonly was: number; readonly now: number | null }[] = []

  constructor(text: string) {
    this.#text = text
    this.#edits = new Edits(text)
    this.#eol = lineEndIn(text) ?? '\n'
  }

  edits(): readonly Edit[] {
    for (const token of new Parser().parse(this.#text)) this.#token(token, 0)
    this.#lay()
    return this.#edits.edits
  }

  // ---- signs and their columns --------------------------------------------------------------------------------------

  #sign(token: CST.Token, column: number | null): void {
    if (!('source' in token) || token.type === 'space' || token.type === 'newline' || token.source === '') return
    this.#signs.push({ type: token.type, start: token.offset, source: token.source, column })
  }

  #all(tokens: readonly CST.Token[] | undefined, column: number | null): void {
    for (const each of tokens ?? []) this.#sign(each, column)
  }

  /** Adds a token. @param column column of the blocks that begin here; null inside brackets, which move with their line */
  #token(token: CST.Token | null | undefined, column: number | null): void {
    switch (token?.type) {
      case undefined:
        return
      case 'document':
        this.#all(token.start, column)
        this.#token(token.value, column)
        return this.#all(token.end, column)
      case 'block-map':
      case 'block-seq':
        return this.#block(token, column)
      case 'flow-collection':
        this.#sign(token.start, column)
        for (const { start, key, sep, value } of token.items) {
          this.#all(start, null)
          this.#token(key, null)
          this.#all(sep, null)
          this.#token(value, null)
        }
        return this.#all(token.end, null)
      case 'block-scalar':
        return this.#blockScalar(token, column)
      default:
        if (token !== undefined && token !== null) this.#sign(token, column)
        if (token !== undefined && token !== null && 'end' in token) this.#all(token.end, column)
    }
  }

  #block({ items, offset }: CST.BlockMap | CST.BlockSequence, column: number | null): void {
    const inside = column === null ? null : column + 2
    this.#around.push({ was: this.#columnOf(offset), now: column })
    for (const { start, key, sep, value } of items) {
      this.#all(start, column)
      this.#token(key, column)
      for (const each of sep ?? []) this.#sign(each, value === undefined ? this.#remarkColumn(each, inside) : inside)
      this.#token(value, inside)
    }
    this.#around.pop()
  }

  /** A comment after a key without a value is indented like the next key, unless it is indented deeper. */
  #remarkColumn({ type, offset }: CST.SourceToken, inside: number | null): number | null {
    const own = this.#columnOf(offset)
    const isInside = type !== 'comment' || own > (this.#around.at(-1)?.was ?? 0)
    return isInside ? inside : (this.#around.findLast(({ was }) => was <= own)?.now ?? inside)
  }

  #columnOf(offset: number): number {
    return offset - this.#text.lastIndexOf('\n', offset - 1) - 1
  }

  /** Adds a block scalar. Its indentation is that of its first line, or is given relative to its parent. */
  #blockScalar({ props, source, indent }: CST.BlockScalar, column: number | null): void {
    this.#all(props, column)
    const last = props.at(-1)
    if (last === undefined || !('source' in last)) return
    const head = props.find(({ type }) => type === 'block-scalar-header')
    const isCounted = head !== undefined && 'source' in head && /[1-9]/.test(head.source)
    const first = isCounted ? indent + 2 : (/^ *(?=[^ \r\n])/m.exec(source)?.[0].length ?? 0)
    const moved = column === null || source.trim() === '' ? 0 : column - first
    this.#signs.push({ type: 'block-text', start: last.offset + last.source.length, source, column, moved })
  }

  // ---- white space --------------------------------------------------------------------------------------------------

  #lay(): void {
    let at = 0
    /** The number of columns by which the line has moved. */
    let moved = 0
    let before: YamlToken | null = null
    for (const sign of this.#signs) {
      const { type, start, source } = sign
      if (type === 'block-text') {
        this.#shift(start, source, sign.moved ?? 0, 0)
        before = null
      } else {
        const gap = this.#text.slice(at, start)
        if (before === null || gap.includes('\n')) moved = this.#newLine(at, sign, before !== null, moved)
        else if (gap !== '' && type !== 'comment' && sign.column !== null)
          this.#edits.replace(at, start, type === 'map-value-ind' ? '' : ' ')
        // A multi-line scalar moves with its first line.
        const behind = source.indexOf('\n') + 1
        if (behind > 0) this.#shift(start + behind, source.slice(behind), moved, 1)
        before = sign
      }
      at = start + source.length
    }
    const rest = this.#text.slice(at)
    if (before !== null) this.#edits.replace(at, this.#text.length, rest.includes('\n') ? this.#eol : '')
  }

  /** Formats the white space before a token that begins a line. @returns the number of columns by which it has moved */
  #newLine(from: number, { start, column }: YamlToken, isBehind: boolean, moved: number): number {
    const gap = this.#text.slice(from, start)
    const was = gap.length - gap.lastIndexOf('\n') - 1
    const now = column ?? Math.max(0, was + moved)
    const isBlank = gap.indexOf('\n') < gap.lastIndexOf('\n')
    this.#edits.replace(from, start, `${isBehind ? this.#eol.repeat(isBlank ? 2 : 1) : ''}${' '.repeat(now)}`)
    return now - was
  }

  /** Shifts each non-empty line of a text. */
  #shift(start: number, source: string, moved: number, minIndent: number): void {
    if (moved === 0) return
    let at = start
    for (const line of source.split('\n')) {
      const indent = /^ */.exec(line)?.[0].length ?? 0
      if (line.trimEnd() !== '' || indent > 0)
        this.#edits.replace(at, at + indent, ' '.repeat(Math.max(minIndent, indent + moved)))
      at += line.length + 1
    }
  }
}
