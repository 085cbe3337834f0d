/** Prints results as a table: the first column left, numbers right. */
import { appendFileSync } from 'node:fs'

/** The file to which tables are also written, one line of JSON each. Undefined unless the variable is set. */
const KEPT = process.env['INGOT_FIGURES']

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (KEPT !== undefined) appendFileSync(KEPT, `${JSON.stringify({ columnTitles: head, rows })}\n`)
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')
  console.log(line(head))
  console.log(widths.map((width) => '-'.repeat(width)).join('  '))
  for (const row of rows) console.log(line(row))
}
