/** Trims whitespace as the reference does: the six ASCII characters and NUL only. */

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0
}

/** The text without white space at its start. */
export function trimStart(text: string): string {
  let start = 0
  while (start < text.length && isSpace(text.charCodeAt(start))) start++
  return start === 0 ? text : text.slice(start)
}

/** The text without white space at both ends. */
export function trimBoth(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** The text without white space at its end. */
export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}
