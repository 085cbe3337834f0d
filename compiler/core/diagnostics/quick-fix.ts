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

/** Maximum number of characters of new text in a title. */
const MAX_TITLE_TEXT = 60

/** Returns the change of a diagnostic as edits of the current texts; null if it has no change or the text to replace is not found. */
export function findQuickFix({ change, hint }: Diagnostic, findText: FileTextLookup): QuickFix | null {
  if (change === undefined) return null
  const edits: PlacedEdit[] = []
  for (const edit of change.edits) {
    const currentText = findText(edit.span.file)
    const placedEdits = currentText === undefined ? [] : resolveEdit(edit, currentText)
    if (placedEdits.length === 0) return null
    edits.push(...placedEdits)
  }
  return { title: makeTitle(edits, hint), edits, safe: change.safe }
}

/** Returns the edits with their ranges; an empty list if the text to replace is not found. */
function resolveEdit(edit: Edit, currentText: string): readonly PlacedEdit[] {
  const { file } = edit.span
  const place = findEditPlace(edit.span, edit.target, currentText)
  if (place === null) return []
  const { start, end } = place
  const targetText = currentText.slice(start, end)
  if (edit.match !== undefined) {
    const match = new RegExp(edit.match).exec(targetText)
    if (match === null) return []
    const from = start + match.index
    const text = adaptToLines(fillGroups(edit.text, match), place)
    return [{ file, start: from, end: from + match[0].length, text }]
  }
  if (edit.part === undefined) return [{ file, start, end, text: adaptToLines(edit.text, place) }]
  const { part, text } = edit
  if (edit.every === true)
    return [...targetText.matchAll(/\{%[^]*?%\}|\{\{[^]*?\}\}/g)].flatMap(({ 0: markup, index }) =>
      findWord(markup, part).map((at) => editAt(file, start + index + at, part, text)),
    )
  const at = targetText === part ? 0 : findWord(targetText, part)[0]
  return at === undefined ? [] : [editAt(file, start + at, part, text)]
}

function editAt(file: string, start: number, part: string, text: string): PlacedEdit {
  return { file, start, end: start + part.length, text }
}

/** Replaces `$1` and so on with the groups of the match. */
function fillGroups(text: string, match: RegExpExecArray): string {
  return text.replace(/\$([1-9$])/g, (_, key: string) => (key === '$' ? '$' : (match[Number(key)] ?? '')))
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
  const offsets: number[] = []
  for (let at = text.indexOf(part); at >= 0 && part !== ''; at = text.indexOf(part, at + 1)) {
    const joinsBefore = isWord(part[0]) && isWord(text[at - 1])
    const joinsAfter = isWord(part.at(-1)) && isWord(text[at + part.length])
    if (!joinsBefore && !joinsAfter) offsets.push(at)
  }
  return offsets
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
export function applyEdits(text: string, edits: readonly Omit<PlacedEdit, 'file'>[]): string {
  let result = ''
  let copiedTo = 0
  for (const { start, end, text: writtenText } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(copiedTo, start) + writtenText
    copiedTo = end
  }
  return result + text.slice(copiedTo)
}

/** Returns whether two lists of edits change the same place. */
export function editsOverlap(first: readonly PlacedEdit[], second: readonly PlacedEdit[]): boolean {
  return first.some((a) => second.some((b) => a.file === b.file && a.start <= b.end && b.start <= a.end))
}
