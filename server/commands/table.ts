/** Formats the tables that commands print. */
import { outputColors } from '../core/services/colors.ts'
import { escapeControls } from '../core/services/log.ts'

/** Formats rows as left-aligned columns below a dim header line. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[outputColors.dim(line(head)), ...rows.map(line)].join('\n')}\n`
}

/** Formats any text as one line without control characters. */
export function formatCell(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' '))
}
