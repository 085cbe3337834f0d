/** Finds the end of a tag whose body is not parsed: `raw`, `comment`, `doc`. */

export interface RawExtent {
  /** The offset of the body, after the opening tag. */
  readonly bodyStart: number
  readonly bodyEnd: number
  /** The offset after the end tag. */
  readonly end: number
}

/** How the end of a raw body is searched. */
export type RawBody = 'verbatim' | 'nesting'

/**
 * Finds the extent of a raw tag. `openOffset` is the offset of `{%`. Returns null if the tag is never closed. `verbatim` (`raw`, `doc`)
 * stops
 * at the first end tag. `nesting` (`comment`) counts nested tags with the same name, skips `raw`, and lets an unclosed `{%` or `{{`
 * include the following text, like the reference implementation.
 */
export function rawExtent(text: string, openOffset: number, name: string, body: RawBody): RawExtent | null {
  const bodyStart = text.indexOf('%}', openOffset) + 2
  if (bodyStart < 2) return null
  if (body === 'verbatim') {
    // Words after the name are ignored, like in any end tag.
    const end = new RegExp(`\\{%-?\\s*end${name}(?!\\w)(?:(?!\\{%)[^])*?%\\}`, 'g')
    end.lastIndex = bodyStart
    const endMatch = end.exec(text)
    return endMatch === null ? null : { bodyStart, bodyEnd: endMatch.index, end: end.lastIndex }
  }
  const found = nestingExtent(text, bodyStart, name)
  return typeof found === 'string' ? null : found
}

/** Returns the name of the unclosed tag: `name` itself, or a `raw` inside a comment. */
export function unclosedIn(text: string, openOffset: number, name: string): string {
  const extentOrTag = name === 'comment' ? nestingExtent(text, text.indexOf('%}', openOffset) + 2, name) : name
  return typeof extentOrTag === 'string' ? extentOrTag : name
}

/** Returns the extent of a comment, or the name of the tag that is never closed. */
function nestingExtent(text: string, bodyStart: number, name: string): RawExtent | string {
  let depth = 1
  let at = bodyStart
  // The search continues after the last result, because each search may scan the whole text.
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

/** Returns the end of an output: its first closing brace. A `{%` in it extends to `%}`, like in the reference implementation. */
function endOfOutput(text: string, openOffset: number): number {
  for (let at = openOffset + 2; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 125) return text.charCodeAt(at + 1) === 125 ? at + 2 : at + 1
    if (code === 123 && text.charCodeAt(at + 1) === 37) {
      const close = text.indexOf('%}', at)
      return close < 0 ? -1 : close + 2
    }
  }
  return -1
}

/** Like `rawExtent`, for a block in the lines of a `liquid` tag. It ends at a line with its end word. */
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
  const lineFeed = text.indexOf('\n', from)
  return lineFeed < 0 || lineFeed >= limit ? limit : lineFeed + 1
}
