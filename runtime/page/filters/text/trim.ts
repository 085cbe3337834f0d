/** Trims whitespace as the reference does: only the six ASCII characters and NUL. */

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0
}

/** Returns the text without whitespace at its start. */
export function trimStart(text: string): string {
  let start = 0
  while (start < text.length && isSpace(text.charCodeAt(start))) start++
  return start === 0 ? text : text.slice(start)
}

/** Returns the text without whitespace at both ends. */
export function trimBoth(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** Returns the text without whitespace at its end. */
export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return end === text.length ? text : text.slice(0, end)
}
