/** Finds the place of an edit in a text: the markup around a span, an argument, a YAML entry or the rest of a line. */
import type { Span } from '../source/span.ts'
import type { EditTarget } from './diagnostic.ts'

export interface Place {
  readonly start: number
  readonly end: number
  /** The text to insert before a new line in a `liquid` tag; null elsewhere. */
  readonly lineIndent: string | null
}

/** Returns the place of an edit; null if the span is outside of the text or the target is not found. */
export function findEditPlace(span: Span, target: EditTarget | undefined, text: string): Place | null {
  const { start, end } = span
  if (end > text.length) return null
  switch (target) {
    case undefined:
      return { start, end, lineIndent: null }
    case 'file':
      return { start: 0, end: text.length, lineIndent: null }
    case 'rest of line':
      return { start, end: lineEnd(text, start), lineIndent: null }
    case 'entry':
      return entryAt(text, start)
    case 'argument':
      return argumentAt(text, start, end)
    case 'markup':
      return markupAround(text, start, end)
    case 'quoted markup':
      return quotedMarkup(text, start, end)
    case 'before markup':
    case 'after markup': {
      const markup = markupAround(text, start, end)
      if (markup === null) return null
      const at = target === 'before markup' ? markup.start : markup.end
      const indent = markup.lineIndent
      return { start: at, end: at, lineIndent: indent === null ? null : target === 'after markup' ? `\n${indent}` : '' }
    }
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  const line = end < 0 ? text.length : end
  return text[line - 1] === '\r' && line > at ? line - 1 : line
}

/** Returns the tag or output that contains a place; in a `liquid` tag, the line. */
function markupAround(text: string, start: number, end: number): Place | null {
  const isOpener = /^\{[{%]/.test(text.slice(start, start + 2))
  const markupStart = isOpener ? start : Math.max(text.lastIndexOf('{%', start), text.lastIndexOf('{{', start))
  if (markupStart < 0) return null
  const close = text.startsWith('{%', markupStart) ? '%}' : '}}'
  const closeOffset = text.indexOf(close, isOpener ? markupStart + 2 : Math.max(end - 2, markupStart + 2))
  if (closeOffset < 0) return null
  const markupEnd = closeOffset + close.length
  if (!/^\{%-?\s*liquid\b/.test(text.slice(markupStart, markupStart + 40)) || start <= markupStart + 2)
    return { start: markupStart, end: markupEnd, lineIndent: null }
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1) + 1, markupStart)
  const line = text.slice(lineStart, Math.min(lineEnd(text, start), closeOffset))
  const statement = line.replace(/^\{%-?\s*liquid\s+/, '')
  const first = lineStart + line.length - statement.trimStart().length
  return {
    start: first,
    end: first + statement.trim().replace(/\s*-$/, '').length,
    lineIndent: text.slice(lineStart, first).replace(/\S/g, ' '),
  }
}

function quotedMarkup(text: string, start: number, end: number): Place | null {
  const markup = markupAround(text, start, end)
  const quote = markup === null ? '' : (text[markup.start - 1] ?? '')
  if (markup === null || !/^["'`]$/.test(quote) || text[markup.end] !== quote) return null
  return { ...markup, start: markup.start - 1, end: markup.end + 1 }
}

const OPENERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Returns the place of a named argument of a tag, with the comma before it: `, name: value`. */
function argumentAt(text: string, start: number, end: number): Place | null {
  const name = /^(["']?)[\w-]+\1\s*[:=]\s*/.exec(text.slice(start, end + 200))
  if (name === null) return null
  let at = start + name[0].length
  const closers: string[] = []
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (closers.length === 0 && (/[,|\n]/.test(char) || /^\s*-?[%}]\}/.test(text.slice(at, at + 40)))) break
    if (char === '"' || char === "'") {
      const close = text.indexOf(char, at + 1)
      if (close < 0) return null
      at = close
    } else if (OPENERS[char] !== undefined) closers.push(OPENERS[char])
    else if (char === closers.at(-1)) closers.pop()
  }
  const separator = /,?\s*$/.exec(text.slice(0, start))?.[0] ?? ''
  const trimmedEnd = text.slice(0, at).trimEnd().length
  // For the first argument, the comma after it is removed instead.
  if (!separator.startsWith(',') && text[at] === ',') {
    const comma = /^,\s*/.exec(text.slice(at))?.[0].length ?? 0
    return { start, end: at + comma, lineIndent: null }
  }
  return { start: start - (separator.startsWith(',') ? separator.length : 0), end: trimmedEnd, lineIndent: null }
}

/** Returns whole lines: the line of a key or item, and the lines below it with a deeper indent. */
function entryAt(text: string, at: number): Place | null {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const indent = /^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0
  // A key that is not the first text in its line is part of another entry.
  if (text.slice(start, at).replace(/^[ \t]*(?:- +)?(?:@param\b.*)?["']?/, '') !== '') return null
  let end = text.indexOf('\n', at) + 1 || text.length
  while (end < text.length) {
    const next = /^([ \t]*)(\S)/.exec(text.slice(end))
    if (next === null || (next[1]?.length ?? 0) <= indent) break
    end = text.indexOf('\n', end) + 1 || text.length
  }
  return { start, end, lineIndent: null }
}
