/** Formats tables for a terminal. */
import picocolors from 'picocolors'
import { escapeControls } from '../../core/services/log.ts'

/** Left-aligned columns below a dim header. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[picocolors.dim(line(head)), ...rows.map(line)].join('\n')}\n`
}

/** Formats foreign text as one line for a cell. */
export function cell(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' '))
}
