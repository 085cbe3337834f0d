/** White-space control: removes white space next to tags with dashes. */

/** Returns the text between two tags or outputs, with white space removed next to dashes. */
export function trimBetweenTags(text: string, start: number, end: number): string {
  let result = text.slice(start, end)
  if (text.startsWith('-%}', start - 3) || text.startsWith('-}}', start - 3)) result = trimStart(result)
  if (text.startsWith('{%-', end) || text.startsWith('{{-', end)) result = trimEnd(result)
  return result
}

// Uses Ruby's definition of white space, not Unicode's.
export function trimStart(text: string): string {
  return text.replace(/^[ \t\r\n\f\v\0]+/, '')
}

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n\f\v\0'.includes(text[end - 1] as string)) end--
  return text.slice(0, end)
}
