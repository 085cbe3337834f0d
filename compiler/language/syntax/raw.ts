/** Finds where a tag ends whose body is not parsed: `raw`, `comment`, `doc`. */

export interface RawExtent {
  /** Offset of the body, behind the opening tag. */
  readonly bodyStart: number
  readonly bodyEnd: number
  /** Offset behind the end tag. */
  readonly end: number
}

/** How the body of a raw tag is searched for its end. */
export type RawBody = 'verbatim' | 'nesting'

/**
 * `open` is the offset of `{%`. Null when the tag is never closed.
 * `verbatim` (raw, doc) stops at the first end tag; `nesting` (comment) counts tags of its own name, steps over `raw`, and
 * lets an unclosed `{%` or `{{` swallow what follows, as the reference does.
 */
export function rawExtent(text: string, open: number, name: string, body: RawBody): RawExtent | null {
  const bodyStart = text.indexOf('%}', open) + 2
  if (bodyStart < 2) return null
  if (body === 'verbatim') {
    // Words behind the name are passed over, as in any end tag.
    const end = new RegExp(`\\{%-?\\s*end${name}(?!\\w)(?:(?!\\{%)[^])*?%\\}`, 'g')
    end.lastIndex = bodyStart
    const found = end.exec(text)
    return found === null ? null : { bodyStart, bodyEnd: found.index, end: end.lastIndex }
  }
  const found = nestingExtent(text, bodyStart, name)
  return typeof found === 'string' ? null : found
}

/** The name of the tag that is never closed where `name` is opened and has no end: itself, or a `raw` inside of a comment. */
export function unclosedIn(text: string, open: number, name: string): string {
  const found = name === 'comment' ? nestingExtent(text, text.indexOf('%}', open) + 2, name) : name
  return typeof found === 'string' ? found : name
}

/** The extent of a comment, or the name of what is never closed. */
function nestingExtent(text: string, bodyStart: number, name: string): RawExtent | string {
  let depth = 1
  let at = bodyStart
  // Looked for again only behind the last one: each search may go through the whole text.
  let output = text.indexOf('{{', at)
  for (;;) {
    const tag = text.indexOf('{%', at)
    if (output >= 0 && output < at) output = text.indexOf('{{', at)
    if (output >= 0 && (tag < 0 || output < tag)) {
      const after = endOfOutput(text, output)
      if (after < 0) return name
      at = after
      continue
    }
    if (tag < 0) return name
    const close = text.indexOf('%}', tag)
    if (close < 0) return name
    const word = /^\{%-?\s*(\w+)/.exec(text.slice(tag, close))?.[1]
    at = close + 2
    if (word === 'raw') {
      const inner = rawExtent(text, tag, 'raw', 'verbatim')
      if (inner === null) return 'raw'
      at = inner.end
    } else if (word === name) depth++
    else if (word === `end${name}` && --depth === 0) return { bodyStart, bodyEnd: tag, end: at }
  }
}

/** The reference reads an output up to its first closing brace, and lets a `{%` in it run to `%}`. */
function endOfOutput(text: string, open: number): number {
  for (let at = open + 2; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 125) return text.charCodeAt(at + 1) === 125 ? at + 2 : at + 1
    if (code === 123 && text.charCodeAt(at + 1) === 37) {
      const close = text.indexOf('%}', at)
      return close < 0 ? -1 : close + 2
    }
  }
  return -1
}

/** The same for a block in the lines of a `liquid` tag: it ends at a line that holds its end word. */
export function rawLinesExtent(text: string, wordEnd: number, limit: number, name: string): RawExtent | null {
  const bodyStart = lineEnd(text, wordEnd, limit)
  let depth = 1
  for (let at = bodyStart; at < limit; ) {
    const end = lineEnd(text, at, limit)
    const word = /^\s*(\w+)/.exec(text.slice(at, end))?.[1]
    if (word === name) depth++
    if (word === `end${name}` && --depth === 0)
      return { bodyStart, bodyEnd: at, end: at + text.slice(at, end).indexOf(word) + word.length }
    at = end
  }
  return null
}

function lineEnd(text: string, from: number, limit: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 || found >= limit ? limit : found + 1
}
