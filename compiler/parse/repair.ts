/** Words that teach: where markup cannot be read, the change that makes it readable is tried, and told when it does. */
import { unclosedDelimiter } from '../diagnostics/codes/syntax/unclosed-delimiter.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { BRANCHES, TAGS_BY_NAME } from '../language.ts'
import { filterTable } from '../types/filters.ts'
import { rewrites } from './habits.ts'
import { gathered, type LanguageMode, noted } from './notes.ts'
import { type Item, readTemplate } from './parser.ts'

/** Codes of markup that cannot be read as it was meant. */
const UNREAD: ReadonlySet<string> = new Set(
  [
    'assign-syntax condition-syntax crowded-operator empty-filter filter-in-condition filter-name-syntax',
    'incomplete-comparison invalid-name json-literal-quote-style loop-range output-in-literal',
    'parentheses-in-condition several-assign-values several-values stray-markup symbol-operator syntax-error tag-markup',
    'trailing-comma unclosed-string unknown-operator unknown-tag',
  ].flatMap((line) => line.split(' ')),
)

/** Codes whose own hint says the change already, where there is one message. */
const CLEAR: ReadonlySet<string> = new Set(['output-in-literal', 'unclosed-string', 'trailing-comma'])

/** Markups of a text that are looked at: a text with more slips is no template. */
const MOST = 40
/** Characters of a markup, and of all that are looked at, beyond which nobody slipped. */
const LONGEST = 800
const LONGEST_IN_ALL = 6_000

/** Codes of what is misplaced because a tag before it could not be read. */
const MISPLACED: ReadonlySet<string> = new Set(['stray-branch', 'mismatched-end', 'unclosed-tag'])
const SWALLOWS: ReadonlySet<string> = new Set(['foreign-markup', 'unclosed-delimiter', 'not-in-lines'])

/** What to say of a text instead of `said`; and the text as it was probably meant, as long as it is, to be read again. */
export interface Repair {
  readonly said: readonly Diagnostic[]
  readonly text: string
}

/** Finds the first slip that can be mended in its place, and says of all the others what would mend them. */
export function teach(
  text: string,
  items: readonly Item[],
  said: readonly Diagnostic[],
  { base, interpolation }: { readonly base: number; readonly interpolation: boolean },
  mode: LanguageMode,
): Repair {
  const instead = new Map<Diagnostic, Diagnostic | null>()
  let left = LONGEST_IN_ALL
  for (const slip of slipsOf(items, text, base, said)) {
    const before = text.slice(slip.start, slip.end)
    left -= before.length
    const after = left < 0 ? null : repaired(slip, text, interpolation, mode)
    if (after !== null) {
      const diagnostic = told(slip, before, after, base)
      // All that follows is read again.
      if (after.length === before.length && slip.open !== '' && after.slice(0, 2) !== before.slice(0, 2)) {
        return { said: [diagnostic], text: replaced(text, slip.start, after) }
      }
      for (const each of slip.said) instead.set(each, null)
      instead.set(slip.said[0] ?? diagnostic, diagnostic)
      continue
    }
    const missing = unclosed(slip, text, base)
    if (missing === null) continue
    if (missing.text !== text) return { said: [missing.diagnostic], text: missing.text }
    for (const each of slip.said) instead.set(each, null)
    instead.set(slip.said[0] ?? missing.diagnostic, missing.diagnostic)
  }
  const opened = firstOf(said, (each) => each.code === 'foreign-markup')
  // A tag in foreign delimiters opens nothing, and what belongs to it stands alone.
  const alone = said.some(({ code, span }) => MISPLACED.has(code) && span.start > opened)
  const after = said.flatMap((each): readonly Diagnostic[] => {
    if (instead.has(each)) return [instead.get(each) ?? []].flat()
    return [
      alone && each.span.start === opened && each.code === 'foreign-markup' ? { ...each, severity: 'error' } : each,
    ]
  })
  const swallowed = firstOf(after, ({ code, severity }) => severity === 'error' && SWALLOWS.has(code))
  return { said: after.filter(({ code, span }) => !MISPLACED.has(code) || span.start < swallowed), text }
}

function firstOf(all: readonly Diagnostic[], matches: (each: Diagnostic) => boolean): number {
  return Math.min(...all.filter(matches).map(({ span }) => span.start))
}

/** A markup with what was said of it. Places are those of the text. */
interface BrokenMarkup {
  readonly start: number
  readonly end: number
  /** Opening delimiter, empty in the lines of a `liquid` tag. */
  readonly open: string
  readonly said: readonly Diagnostic[]
}

/** The markups in which something could not be read. */
function slipsOf(
  items: readonly Item[],
  text: string,
  base: number,
  said: readonly Diagnostic[],
): readonly BrokenMarkup[] {
  const starts = items.map((item) => ('start' in item ? item.start : item.span.start - base))
  const found = new Map<number, Diagnostic[]>()
  for (const each of said) {
    if (!UNREAD.has(each.code)) continue
    const index = lastBelow(starts, each.span.start - base)
    const item = items[index]
    if (item === undefined || item.kind === 'text' || item.kind === 'raw' || item.kind === 'comment') continue
    const all = found.get(index)
    if (all === undefined) found.set(index, [each])
    else all.push(each)
  }
  return [...found].slice(0, MOST).map(([index, all]) => {
    const start = starts[index] ?? 0
    const open = /^\{[{%]-?/.exec(text.slice(start, start + 3))?.[0] ?? ''
    const until = starts[index + 1] ?? text.length
    return { start, end: start + endOf(text.slice(start, until), open), open, said: all }
  })
}

/** Where the markup ends that a piece of a template begins with. */
function endOf(piece: string, open: string): number {
  if (open === '') return piece.replace(/\s*-?%\}[^]*$|\s+$/, '').length
  const close = piece.lastIndexOf(open.startsWith('{{') ? '}}' : '%}')
  return close < 0 ? piece.trimEnd().length : close + 2
}

function lastBelow(starts: readonly number[], place: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The text of a markup that can be read and was probably meant; null when none is found. */
function repaired(slip: BrokenMarkup, text: string, interpolation: boolean, mode: LanguageMode): string | null {
  const markup = text.slice(slip.start, slip.end)
  if (markup.length > LONGEST || mode.dialect !== 'platform') return null
  const { open } = slip
  const output = open.startsWith('{{')
  const close = open === '' ? '' : (/-?[%}]\}$/.exec(markup)?.[0] ?? (output ? '}}' : '%}'))
  const inner = markup.slice(open.length, markup.length - (markup.endsWith(close) ? close.length : 0)).trim()
  const filters = new Set(filterTable(mode.dialect).keys())
  const tags = new Set([...TAGS_BY_NAME.keys(), ...BRANCHES.keys()])
  for (const { as, text: candidate } of rewrites({ output, inner, filters, tags })) {
    if (as === 'whole' ? open === '' : candidate === inner && as === (output ? 'output' : 'tag')) continue
    const whole = as === 'whole' ? candidate : as === 'output' ? `{{ ${candidate} }}` : `{% ${candidate} %}`
    if (!reads(whole, interpolation, mode)) continue
    if (as === 'whole') return candidate
    if (open === '') return as === 'output' ? `echo ${candidate}` : candidate
    if (as === (output ? 'output' : 'tag')) {
      const gap = /^\s*/.exec(markup.slice(open.length))?.[0] ?? ' '
      return `${open}${gap === '' ? ' ' : gap}${candidate} ${close}`
    }
    return as === 'output' ? `{{ ${candidate} }}` : `{% ${candidate} %}`
  }
  return null
}

/** Whether the grammar has nothing to say about a text. */
function reads(text: string, interpolation: boolean, mode: LanguageMode): boolean {
  const read = readAgain(text, interpolation, mode)
  if (read === null) return false
  const { items, errors, notes } = read
  const source = (start: number, end: number) => text.slice(start, end)
  return (
    errors.length === 0 &&
    items.every(
      (item) =>
        (item.kind === 'output' && item.value !== null && item.leftover === null) ||
        ((item.kind === 'open' || item.kind === 'branch' || item.kind === 'end') && item.leftover === null) ||
        item.kind === 'comment',
    ) &&
    gathered(notes, source).every((note) => noted(note, null, mode, source) === null)
  )
}

/** Null for what nests so deep that the stack does not suffice: no author meant that. */
function readAgain(text: string, interpolation: boolean, mode: LanguageMode): ReturnType<typeof readTemplate> | null {
  try {
    return readTemplate(text, { file: '', base: 0, interpolation, ...mode })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** What was said of a slip, in one message that says the change. */
function told({ said, start, end }: BrokenMarkup, before: string, after: string, base: number): Diagnostic {
  const first = said.find((each) => each.severity === 'error') ?? said[0]
  if (first === undefined) throw new Error('a slip is made of messages')
  if (said.length === 1 && CLEAR.has(first.code)) return first
  const anew = { file: first.span.file, start: base + start, end: base + end }
  return { ...first, hint: `Write \`${shown(before, after)}\`.`, anew }
}

/** Characters of a markup that is shown whole. */
const SHOWN = 96
/** Characters that are shown around a change. */
const AROUND = 24

function shown(before: string, after: string): string {
  const line = after.replace(/\s+/g, ' ')
  if (line.length <= SHOWN) return line
  const old = before.replace(/\s+/g, ' ')
  let start = 0
  while (start < line.length && line[start] === old[start]) start++
  let tail = 0
  while (tail < line.length - start && tail < old.length - start && line.at(-1 - tail) === old.at(-1 - tail)) tail++
  const from = line.lastIndexOf(' ', Math.max(0, start - AROUND)) + 1
  const to = line.indexOf(' ', line.length - tail + AROUND)
  return `${from === 0 ? '' : '…'}${line.slice(from, to < 0 ? line.length : to)}${to < 0 ? '' : '…'}`
}

/** A delimiter that is missing: what to say of it, and the text, as long as it was, in which it stands. */
interface MissingDelimiter {
  readonly text: string
  readonly at: number
  readonly diagnostic: Diagnostic
}

/** The slip as a tag or output that is never closed: another one begins inside it. */
function unclosed(slip: BrokenMarkup, text: string, base: number): MissingDelimiter | null {
  if (slip.open === '') return null
  const inner = openerInside(text, slip.start + slip.open.length, slip.end)
  if (inner < 0) return null
  const close = slip.open.startsWith('{{') ? '}}' : '%}'
  const piece = text.slice(slip.start, inner)
  const file = slip.said[0]?.span.file ?? ''
  // Half of the delimiter, or that of the other kind, stands where it should.
  const half = /[%}]\}|[%}](?=[\s<]|$)/.exec(piece.slice(slip.open.length))
  const from = half === null ? -1 : slip.start + slip.open.length + half.index
  const span = { file, start: base + slip.start, end: base + slip.start + slip.open.length }
  if (half === null || from < 0) {
    const line = /\n/.exec(piece)
    return {
      text,
      at: inner,
      diagnostic: unclosedDelimiter(
        { ...span, end: base + slip.start + (line?.index ?? piece.length) },
        slip.open.slice(0, 2),
      ),
    }
  }
  const written = half[0]
  const diagnostic = unclosedDelimiter({ ...span, end: base + from + written.length }, slip.open.slice(0, 2), written)
  if (written.length === 2) return { text: replaced(text, from, close), at: from, diagnostic }
  // The delimiter takes the place of a white space beside its half, so that every place stays what it is.
  if (/\s/.test(text[from + 1] ?? '')) return { text: replaced(text, from, close), at: from, diagnostic }
  if (/\s/.test(text[from - 1] ?? '')) return { text: replaced(text, from - 1, close), at: from, diagnostic }
  return { text, at: inner, diagnostic }
}

function replaced(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + by.length)
}

/** Offset of the next `{{` or `{%` that stands in no text; -1 without one. */
function openerInside(text: string, from: number, to: number): number {
  for (let at = from; at < to - 1; at++) {
    const char = text[at]
    if (char === '{' && (text[at + 1] === '{' || text[at + 1] === '%')) return at
    if (char !== '"' && char !== "'") continue
    const end = text.indexOf(char, at + 1)
    if (end < 0 || end >= to) continue
    const inside = text.slice(at + 1, end)
    if (
      inside.includes('\n') ||
      count(inside, '{{') !== count(inside, '}}') ||
      count(inside, '{%') !== count(inside, '%}')
    )
      continue
    at = end
  }
  return -1
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
