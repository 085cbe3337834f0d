/** Converts the changes of diagnostics to edits of the current texts, and applies edits. */
import type { Span } from '../source/span.ts'
import type { Diagnostic, Edit } from './diagnostic.ts'
import type { FileTextLookup } from './line-range.ts'
import { type Place, findEditPlace } from './edit-places.ts'

/** A range of a file, and the text that replaces it. */
export interface PlacedEdit extends Span {
  readonly text: string
}

/** A fix that editors offer. */
export interface QuickFix {
  /** The fix as an action: ``Write `upcase` ``. */
  readonly title: string
  readonly edits: readonly PlacedEdit[]
  readonly safe: boolean
}

/** The most characters of new text in a title. */
const MAX_TITLE_TEXT = 60

/** Returns the change of a diagnostic as edits of the current texts; null if it has no change or the text to replace is not found. */
export function findQuickFix({ change, hint }: Diagnostic, findText: FileTextLookup): QuickFix | null {
  if (change === undefined) return null
  const edits: PlacedEdit[] = []
  for (const edit of change.edits) {
    const written = findText(edit.span.file)
    const placed = written === undefined ? [] : resolveEdit(edit, written)
    if (placed.length === 0) return null
    edits.push(...placed)
  }
  return { title: makeTitle(edits, hint), edits, safe: change.safe }
}

/** Returns the edits with their ranges; an empty list if the text to replace is not found. */
function resolveEdit(edit: Edit, written: string): readonly PlacedEdit[] {
  const { file } = edit.span
  const place = findEditPlace(edit.span, edit.target, written)
  if (place === null) return []
  const { start, end } = place
  const inside = written.slice(start, end)
  if (edit.match !== undefined) {
    const found = new RegExp(edit.match).exec(inside)
    if (found === null) return []
    const from = start + found.index
    const text = adaptToLines(fillGroups(edit.text, found), place)
    return [{ file, start: from, end: from + found[0].length, text }]
  }
  if (edit.part === undefined) return [{ file, start, end, text: adaptToLines(edit.text, place) }]
  const { part, text } = edit
  if (edit.every === true)
    return [...inside.matchAll(/\{%[^]*?%\}|\{\{[^]*?\}\}/g)].flatMap(({ 0: markup, index }) =>
      findWord(markup, part).map((at) => editAt(file, start + index + at, part, text)),
    )
  const at = inside === part ? 0 : findWord(inside, part)[0]
  return at === undefined ? [] : [editAt(file, start + at, part, text)]
}

function editAt(file: string, start: number, part: string, text: string): PlacedEdit {
  return { file, start, end: start + part.length, text }
}

/** Replaces `$1` and so on with the groups of the match. */
function fillGroups(text: string, found: RegExpExecArray): string {
  return text.replace(/\$([1-9$])/g, (_, key: string) => (key === '$' ? '$' : (found[Number(key)] ?? '')))
}

/** Removes the delimiters of a tag that is inserted in the lines of a `liquid` tag. */
function adaptToLines(text: string, { lineIndent }: Place): string {
  if (lineIndent === null) return text
  const tag = /^\{%-?\s*([^]*?)\s*-?%\}$/.exec(text)?.[1]
  return tag === undefined ? text : `${lineIndent}${tag}`
}

/** Returns the offsets at which `part` is a whole word. */
function findWord(text: string, part: string): readonly number[] {
  const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_-]/u.test(char)
  const found: number[] = []
  for (let at = text.indexOf(part); at >= 0 && part !== ''; at = text.indexOf(part, at + 1)) {
    const joinsBefore = isWord(part[0]) && isWord(text[at - 1])
    const joinsAfter = isWord(part.at(-1)) && isWord(text[at + part.length])
    if (!joinsBefore && !joinsAfter) found.push(at)
  }
  return found
}

/** Returns the hint if it is an instruction; otherwise a title made from the first new text. */
function makeTitle(edits: readonly PlacedEdit[], hint: string | undefined): string {
  if (hint !== undefined && /^(?:Write|Remove|Use|Close|Add|Indent) [^….]*\.$/.test(hint)) return hint.slice(0, -1)
  const text = edits.find((edit) => edit.text.trim() !== '')?.text
  if (text === undefined) return 'Remove it'
  const line = text.trim().replace(/\s+/g, ' ')
  return `Write \`${line.length > MAX_TITLE_TEXT ? `${line.slice(0, MAX_TITLE_TEXT)}…` : line}\``
}

/** Applies edits to a text. The edits must not overlap. */
export function applyEdits(text: string, edits: readonly PlacedEdit[]): string {
  let result = ''
  let done = 0
  for (const { start, end, text: written } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(done, start) + written
    done = end
  }
  return result + text.slice(done)
}

/** Returns whether two lists of edits change the same place. */
export function editsOverlap(some: readonly PlacedEdit[], others: readonly PlacedEdit[]): boolean {
  return some.some((a) => others.some((b) => a.file === b.file && a.start <= b.end && b.start <= a.end))
}
