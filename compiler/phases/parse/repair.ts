/** Repairs markup that cannot be parsed. It tries probable rewrites, and the first that parses becomes the hint of the diagnostic. */
import { unclosedDelimiter } from '../../core/diagnostics/codes/syntax/unclosed-delimiter.ts'
import type { Diagnostic, Edit } from '../../core/diagnostics/diagnostic.ts'
import { LANGUAGE } from '../../language/language.ts'
import { rewrites } from './rewrites.ts'
import { mergeNotes, type LanguageMode, noteDiagnostic } from './notes.ts'
import type { Item } from './item.ts'
import { parseItems } from './parser.ts'
import { addTo } from '../../core/source/maps.ts'
import { lastIndexUpTo } from '../../core/source/file.ts'

/** Codes of diagnostics about markup that cannot be parsed as intended. */
const UNREADABLE: ReadonlySet<string> = new Set(
  [
    'assign-syntax broken-interpolation condition-syntax crowded-operator empty-filter filter-in-condition filter-name-syntax',
    'incomplete-comparison invalid-name json-literal-quote-style loop-range output-in-literal',
    'parentheses-in-condition several-assign-values several-values stray-markup symbol-operator syntax-error tag-markup',
    'trailing-comma unclosed-string unknown-operator unknown-tag',
  ].flatMap((line) => line.split(' ')),
)

/** Codes whose hint already describes the change, unless the markup has other diagnostics. */
const HINTED: ReadonlySet<string> = new Set(['output-in-literal', 'unclosed-string', 'trailing-comma'])

/** Maximum number of broken markups per text. A text with more is not a template. */
const MAX_MARKUPS = 40
/** Maximum characters of one markup, and of all markups together, for which repairs are tried. */
const MAX_LENGTH = 800
const MAX_TOTAL_LENGTH = 6_000

/** Codes of tags that are misplaced because an earlier tag could not be parsed. */
const MISPLACED: ReadonlySet<string> = new Set(['stray-branch', 'mismatched-end', 'unclosed-tag'])
const SWALLOWING: ReadonlySet<string> = new Set(['foreign-markup', 'unclosed-delimiter', 'not-in-lines'])

/** The diagnostics with hints, and the text as probably intended. That text has the same length, so that it can be parsed again. */
interface Repair {
  readonly diagnostics: readonly Diagnostic[]
  readonly text: string
}

/** Repairs the first markup whose length stays the same, and adds a hint for every other markup that can be repaired. */
export function repairMarkup(
  text: string,
  items: readonly Item[],
  diagnostics: readonly Diagnostic[],
  { base, interpolation }: { readonly base: number; readonly interpolation: boolean },
  mode: LanguageMode,
): Repair {
  const replacements = new Map<Diagnostic, Diagnostic | null>()
  let budget = MAX_TOTAL_LENGTH
  for (const markup of findBrokenMarkups(items, text, base, diagnostics)) {
    const textBefore = text.slice(markup.start, markup.end)
    budget -= textBefore.length
    const textAfter = budget < 0 ? null : findReadableRewrite(markup, text, interpolation, mode)
    if (textAfter !== null) {
      const diagnostic = withRewrite(
        markup,
        textBefore,
        textAfter,
        base,
        editsOfOtherTags(markup, textBefore, textAfter, text, items, base),
      )
      // The text is parsed again, together with everything after this markup.
      if (
        textAfter.length === textBefore.length &&
        markup.open !== '' &&
        textAfter.slice(0, 2) !== textBefore.slice(0, 2)
      ) {
        return { diagnostics: [diagnostic], text: withReplacement(text, markup.start, textAfter) }
      }
      for (const diagnostic of markup.diagnostics) replacements.set(diagnostic, null)
      replacements.set(markup.diagnostics[0] ?? diagnostic, diagnostic)
      continue
    }
    const missing = missingDelimiter(markup, text, base)
    if (missing === null) continue
    if (missing.text !== text) return { diagnostics: [missing.diagnostic], text: missing.text }
    for (const diagnostic of markup.diagnostics) replacements.set(diagnostic, null)
    replacements.set(markup.diagnostics[0] ?? missing.diagnostic, missing.diagnostic)
  }
  const opened = firstOffset(diagnostics, (each) => each.code === 'foreign-markup')
  // A tag in foreign delimiters opens no block, so its branches and its end tag are reported as misplaced.
  const isDetached = diagnostics.some(
    ({ code, span }) => MISPLACED.has(code) && (span.start > opened || code === 'unclosed-tag'),
  )
  const after = diagnostics.flatMap((each): readonly Diagnostic[] => {
    if (replacements.has(each)) return [replacements.get(each) ?? []].flat()
    return [
      isDetached && each.span.start === opened && each.code === 'foreign-markup'
        ? { ...each, severity: 'error' }
        : each,
    ]
  })
  const swallowed = firstOffset(after, ({ code, severity }) => severity === 'error' && SWALLOWING.has(code))
  return {
    diagnostics: after.filter(
      ({ code, span }) =>
        !MISPLACED.has(code) ||
        (code === 'unclosed-tag' ? swallowed === Number.POSITIVE_INFINITY : span.start < swallowed),
    ),
    text,
  }
}

function firstOffset(diagnostics: readonly Diagnostic[], matches: (diagnostic: Diagnostic) => boolean): number {
  return Math.min(...diagnostics.filter(matches).map(({ span }) => span.start))
}

/** A markup with its diagnostics. Offsets are those of the text. */
interface BrokenMarkup {
  readonly start: number
  readonly end: number
  /** The opening delimiter; empty for a line of a `liquid` tag. */
  readonly open: string
  /** Whether an end tag with the name of this tag follows. */
  readonly isClosed: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** Returns the markups that could not be parsed. */
function findBrokenMarkups(
  items: readonly Item[],
  text: string,
  base: number,
  diagnostics: readonly Diagnostic[],
): readonly BrokenMarkup[] {
  const starts = items.map((item) => item.start)
  const byItem = new Map<number, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    if (!UNREADABLE.has(diagnostic.code)) continue
    const index = lastIndexUpTo(starts, diagnostic.span.start - base)
    const item = items[index]
    if (item === undefined || item.kind === 'text' || item.kind === 'raw' || item.kind === 'comment') continue
    addTo(byItem, index, diagnostic)
  }
  return [...byItem].slice(0, MAX_MARKUPS).map(([index, diagnostics]) => {
    const start = starts[index] ?? 0
    const open = /^\{[{%]-?/.exec(text.slice(start, start + 3))?.[0] ?? ''
    const until = starts[index + 1] ?? text.length
    const end = start + endOf(text.slice(start, until), open)
    return { start, end, open, isClosed: isClosed(items, index), diagnostics }
  })
}

function isClosed(items: readonly Item[], index: number): boolean {
  const name = nameOf(items[index])
  const nextWithName = items.slice(index + 1).find((item) => nameOf(item).replace(/^end/, '') === name)
  return nextWithName?.kind === 'end'
}

function nameOf(item: Item | undefined): string {
  return (item !== undefined && 'writtenName' in item ? item.writtenName?.name : null) ?? ''
}

/** Returns the end offset of the markup at the start of a text. */
function endOf(text: string, open: string): number {
  if (open === '') return text.replace(/\s*-?%\}[^]*$|\s+$/, '').length
  const close = text.lastIndexOf(open.startsWith('{{') ? '}}' : '%}')
  return close < 0 ? text.trimEnd().length : close + 2
}

/** Returns the first probable rewrite that parses; null if there is none. */
function findReadableRewrite(
  broken: BrokenMarkup,
  text: string,
  interpolation: boolean,
  mode: LanguageMode,
): string | null {
  const markup = text.slice(broken.start, broken.end)
  if (markup.length > MAX_LENGTH || mode.dialect !== 'platform') return null
  const { open } = broken
  const output = open.startsWith('{{')
  const close = open === '' ? '' : (/-?[%}]\}$/.exec(markup)?.[0] ?? (output ? '}}' : '%}'))
  const inner = markup.slice(open.length, markup.length - (markup.endsWith(close) ? close.length : 0)).trim()
  const language = mode.language ?? LANGUAGE
  const filters = new Set(language.filters(mode.dialect).keys())
  const tags = new Set([...language.tagsByName.keys(), ...language.branches.keys()])
  for (const { as, text: candidate } of rewrites({ output, inner, isClosed: broken.isClosed, filters, tags })) {
    if (as === 'whole' ? open === '' : candidate === inner && as === (output ? 'output' : 'tag')) continue
    const whole = as === 'whole' ? candidate : as === 'output' ? `{{ ${candidate} }}` : `{% ${candidate} %}`
    if (!isReadable(whole, interpolation, mode)) continue
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

/** Returns true if a text parses without errors, notes and leftovers. */
function isReadable(text: string, interpolation: boolean, mode: LanguageMode): boolean {
  const parsed = tryParse(text, interpolation, mode)
  if (parsed === null) return false
  const { items, errors, notes } = parsed
  const source = (start: number, end: number) => text.slice(start, end)
  return (
    errors.length === 0 &&
    items.every(
      (item) =>
        (item.kind === 'output' && item.value !== null && item.leftoverSpan === null) ||
        ((item.kind === 'open' || item.kind === 'branch' || item.kind === 'end') && item.leftoverSpan === null) ||
        item.kind === 'comment',
    ) &&
    mergeNotes(notes, source).every((note) => noteDiagnostic(note, null, mode, source) === null)
  )
}

/** Returns null for a rewrite that is nested too deep for the stack. */
function tryParse(text: string, interpolation: boolean, mode: LanguageMode): ReturnType<typeof parseItems> | null {
  try {
    return parseItems(text, { file: '', base: 0, interpolation, ...mode })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Returns the first diagnostic of a markup, with the rewrite as its hint. */
function withRewrite(
  { diagnostics, start, end }: BrokenMarkup,
  textBefore: string,
  textAfter: string,
  base: number,
  others: readonly Edit[],
): Diagnostic {
  const firstDiagnostic = diagnostics.find((each) => each.severity === 'error') ?? diagnostics[0]
  if (firstDiagnostic === undefined) throw new Error('a broken markup has at least one diagnostic')
  if (diagnostics.length === 1 && HINTED.has(firstDiagnostic.code)) return firstDiagnostic
  const repairedSpan = { file: firstDiagnostic.span.file, start: base + start, end: base + end }
  const text = excerpt(textBefore, textAfter)
  return {
    ...firstDiagnostic,
    ...(firstDiagnostic.code === 'stray-markup' && lacksQuotes(textBefore, textAfter)
      ? { severity: 'error' as const }
      : {}),
    hint: `Write \`${text}\`.`,
    change: {
      edits: [{ span: repairedSpan, text: textAfter }, ...others],
      // A change of markup that was accepted is safe only if it removes nothing but surplus commas, because that keeps its meaning.
      safe: firstDiagnostic.severity === 'error' || withoutCommas(textBefore) === withoutCommas(textAfter),
    },
    rewritten: { span: repairedSpan, text },
  }
}

function withoutCommas(text: string): string {
  return text.replace(/[,\s]/g, '')
}

/** Returns true if a path without quotes is the name of a partial or query. Without quotes it is an undefined variable. */
function lacksQuotes(textBefore: string, textAfter: string): boolean {
  const name =
    /\b(?:render|include|include_form|(?:function|graphql|background)\s+\w+\s*=)\s*([a-z_]\w*\/[\w/-]+|[a-z_]\w*(?=['"]))/.exec(
      textBefore,
    )?.[1]
  return name !== undefined && new RegExp(`["']${name}["']`).test(textAfter)
}

/** Block tags that a rewrite can rename. */
const RENAMED_BLOCKS: ReadonlySet<string> = new Set(['if', 'unless', 'foreach', 'switch'])

/**
 * Returns edits for the other tags of a rewritten block. An `if` that becomes `unless` ends with `endunless`, and a value of a `switch`
 * becomes a `when`.
 */
function editsOfOtherTags(
  { start, diagnostics }: BrokenMarkup,
  textBefore: string,
  textAfter: string,
  text: string,
  items: readonly Item[],
  base: number,
): readonly Edit[] {
  const [oldText = '', anew = ''] = [textBefore, textAfter].map((each) => /^(?:\{%-?\s*)?([a-z_]+)\b/.exec(each)?.[1])
  if (textAfter.indexOf('{%', 1) > 0) return []
  if (!RENAMED_BLOCKS.has(oldText) || anew === '' || oldText === anew) return []
  const edits: Edit[] = []
  let depth = 0
  for (const item of items) {
    if (item.start < start || item.kind === 'text') continue
    const [tag = '', end, name = ''] = /^(?:\{%-?\s*)?(end)?(\w+)/.exec(text.slice(item.start, item.start + 40)) ?? []
    const at = base + item.start + tag.length
    const renameTo = (word: string): Edit => ({
      span: { file: diagnostics[0]?.span.file ?? '', start: at - name.length, end: at },
      text: word,
    })
    if (name === oldText) {
      depth += end === undefined ? 1 : -1
      if (depth === 0) return [...edits, renameTo(anew)]
    } else if (oldText === 'switch' && name === 'case' && depth === 1) {
      if (end === undefined) edits.push(renameTo('when'))
      else edits.pop()
    }
  }
  return []
}

/** Maximum length of a markup that a hint shows completely. */
const MAX_EXCERPT = 96
/** Number of characters to show on each side of a change in a longer markup. */
const CONTEXT_LENGTH = 24

function excerpt(textBefore: string, textAfter: string): string {
  const line = textAfter.replace(/\s+/g, ' ')
  if (line.length <= MAX_EXCERPT) return line
  const original = textBefore.replace(/\s+/g, ' ')
  let start = 0
  while (start < line.length && line[start] === original[start]) start++
  let sharedEnd = 0
  while (
    sharedEnd < line.length - start &&
    sharedEnd < original.length - start &&
    line.at(-1 - sharedEnd) === original.at(-1 - sharedEnd)
  )
    sharedEnd++
  const from = line.lastIndexOf(' ', Math.max(0, start - CONTEXT_LENGTH)) + 1
  const to = line.indexOf(' ', line.length - sharedEnd + CONTEXT_LENGTH)
  return `${from === 0 ? '' : '…'}${line.slice(from, to < 0 ? line.length : to)}${to < 0 ? '' : '…'}`
}

/** A missing delimiter: its diagnostic, and the text with the delimiter inserted without a change of its length. */
interface MissingDelimiter {
  readonly text: string
  readonly at: number
  readonly diagnostic: Diagnostic
}

/** Reports a tag or output that is never closed because another one begins inside it. */
function missingDelimiter(markup: BrokenMarkup, text: string, base: number): MissingDelimiter | null {
  if (markup.open === '') return null
  const inner = openerInside(text, markup.start + markup.open.length, markup.end)
  if (inner < 0) return null
  const close = markup.open.startsWith('{{') ? '}}' : '%}'
  const opened = text.slice(markup.start, inner)
  const file = markup.diagnostics[0]?.span.file ?? ''
  // The place of the delimiter contains half of the delimiter, or a delimiter of the other kind.
  const inside = opened.slice(markup.open.length)
  // If no brace or bracket was opened before, a brace can only be part of a delimiter.
  const halfDelimiter = (/[{[]/.test(inside) ? /[%}]\}|[%}](?=[\s<]|$)/ : /[%}]\}|\}|%(?=[\s<]|$)/).exec(inside)
  const from = halfDelimiter === null ? -1 : markup.start + markup.open.length + halfDelimiter.index
  const span = { file, start: base + markup.start, end: base + markup.start + markup.open.length }
  if (halfDelimiter === null || from < 0) {
    const line = /\n/.exec(opened)
    return {
      text,
      at: inner,
      diagnostic: unclosedDelimiter(
        { ...span, end: base + markup.start + (line?.index ?? opened.length) },
        markup.open.slice(0, 2),
      ),
    }
  }
  const writtenText = halfDelimiter[0]
  const diagnostic = unclosedDelimiter(
    { ...span, end: base + from + writtenText.length },
    markup.open.slice(0, 2),
    writtenText,
  )
  if (writtenText.length === 2) return { text: withReplacement(text, from, close), at: from, diagnostic }
  // The delimiter replaces a space next to its half delimiter, so that all offsets stay valid.
  if (/\s/.test(text[from + 1] ?? '')) return { text: withReplacement(text, from, close), at: from, diagnostic }
  if (/\s/.test(text[from - 1] ?? '')) return { text: withReplacement(text, from - 1, close), at: from, diagnostic }
  return { text, at: inner, diagnostic }
}

function withReplacement(text: string, at: number, replacement: string): string {
  return text.slice(0, at) + replacement + text.slice(at + replacement.length)
}

/** Returns the offset of the next `{{` or `{%` outside of quoted texts, or -1. */
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
