/** The changes of diagnostics as edits of the texts as they are now, and how edits are applied. */
import type { Span } from '../source/span.ts'
import type { Diagnostic, Edit } from './diagnostic.ts'
import type { TextOf } from './line-range.ts'
import { type Place, placeOf } from './edit-places.ts'

/** A place of a file, and the text that comes there. */
export interface PlacedEdit extends Span {
  readonly text: string
}

/** What an editor offers. */
export interface QuickFix {
  /** What it does, as an action: ``Write `upcase` ``. */
  readonly title: string
  readonly edits: readonly PlacedEdit[]
  readonly safe: boolean
}

/** Characters of a new text that a title shows. */
const MOST_SHOWN = 60

/** The change of a diagnostic in the texts as they are now; null where it has none, or what it replaces does not stand there. */
export function quickFixOf({ change, hint }: Diagnostic, textOf: TextOf): QuickFix | null {
  if (change === undefined) return null
  const edits: PlacedEdit[] = []
  for (const edit of change.edits) {
    const written = textOf(edit.span.file)
    const placed = written === undefined ? [] : placedEdits(edit, written)
    if (placed.length === 0) return null
    edits.push(...placed)
  }
  return { title: titleOf(edits, hint), edits, safe: change.safe }
}

/** Empty where what is replaced does not stand there. */
function placedEdits(edit: Edit, written: string): readonly PlacedEdit[] {
  const { file } = edit.span
  const place = placeOf(edit.span, edit.reach, written)
  if (place === null) return []
  const { start, end } = place
  const inside = written.slice(start, end)
  if (edit.match !== undefined) {
    const found = new RegExp(edit.match).exec(inside)
    if (found === null) return []
    const from = start + found.index
    const text = asWritten(filled(edit.text, found), place)
    return [{ file, start: from, end: from + found[0].length, text }]
  }
  if (edit.part === undefined) return [{ file, start, end, text: asWritten(edit.text, place) }]
  const { part, text } = edit
  if (edit.every === true)
    return [...inside.matchAll(/\{%[^]*?%\}|\{\{[^]*?\}\}/g)].flatMap(({ 0: markup, index }) =>
      wordsIn(markup, part).map((at) => placed(file, start + index + at, part, text)),
    )
  const at = inside === part ? 0 : wordsIn(inside, part)[0]
  return at === undefined ? [] : [placed(file, start + at, part, text)]
}

function placed(file: string, start: number, part: string, text: string): PlacedEdit {
  return { file, start, end: start + part.length, text }
}

/** With the groups of what was found. */
function filled(text: string, found: RegExpExecArray): string {
  return text.replace(/\$([1-9$])/g, (_, key: string) => (key === '$' ? '$' : (found[Number(key)] ?? '')))
}

/** A tag in the lines of a `liquid` tag stands there without its delimiters. */
function asWritten(text: string, { lineIndent }: Place): string {
  if (lineIndent === null) return text
  const tag = /^\{%-?\s*([^]*?)\s*-?%\}$/.exec(text)?.[1]
  return tag === undefined ? text : `${lineIndent}${tag}`
}

/** Where a part stands by itself. */
function wordsIn(text: string, part: string): readonly number[] {
  const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_-]/u.test(char)
  const found: number[] = []
  for (let at = text.indexOf(part); at >= 0 && part !== ''; at = text.indexOf(part, at + 1)) {
    const joinsBefore = isWord(part[0]) && isWord(text[at - 1])
    const joinsBehind = isWord(part.at(-1)) && isWord(text[at + part.length])
    if (!joinsBefore && !joinsBehind) found.push(at)
  }
  return found
}

/** A hint that says what to write is the title; one that asks, or explains, is not. */
function titleOf(edits: readonly PlacedEdit[], hint: string | undefined): string {
  if (hint !== undefined && /^(?:Write|Take|Drop|Use|Close|Add|Indent) [^….]*\.$/.test(hint)) return hint.slice(0, -1)
  const text = edits.find((edit) => edit.text.trim() !== '')?.text
  if (text === undefined) return 'Take it away'
  const line = text.trim().replace(/\s+/g, ' ')
  return `Write \`${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line}\``
}

/** The text with the edits in it; edits must not overlap. */
export function withEdits(text: string, edits: readonly PlacedEdit[]): string {
  let result = ''
  let done = 0
  for (const { start, end, text: written } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(done, start) + written
    done = end
  }
  return result + text.slice(done)
}

/** Whether two lists of edits touch the same place. */
export function overlap(some: readonly PlacedEdit[], others: readonly PlacedEdit[]): boolean {
  return some.some((a) => others.some((b) => a.file === b.file && a.start <= b.end && b.start <= a.end))
}
