/** Tables on a terminal. */
import picocolors from 'picocolors'

/** Columns side by side below a dim head; numbers and names alike start at the left. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[picocolors.dim(line(head)), ...rows.map(line)].join('\n')}\n`
}

/** Text that others have written must not steer the terminal. */
export function visible(text: string): string {
  return text.replace(
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
