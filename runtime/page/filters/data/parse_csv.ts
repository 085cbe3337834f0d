/** `parse_csv`: the rows of a CSV text. */
import { ArgumentFault } from '../../fault.ts'
import { makeHash } from '../../values/access.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { chargeText } from '../../values/meter.ts'
import { getOption } from '../arguments.ts'
import type { Bool, NamedArguments, Textual } from '../types.ts'

export const aliases = ['parse_csv_rc'] as const
export const dialect = 'platform'

/**
 * The rows as arrays of texts, or with `convert_to_hash` as hashes whose keys are the first row. An empty cell is nil.
 * @throws ArgumentFault for malformed CSV
 */
export function parse_csv(
  input: Textual,
  options: NamedArguments<{ convert_to_hash?: Bool }> = null,
): readonly unknown[] {
  const text = str(input)
  chargeText(4 * text.length)
  const rows = parseRows(text)
  if (!truthy(getOption(options, 'convert_to_hash'))) return rows
  const [names = [], ...rest] = rows
  return rest.map((row) => makeHash(names.map((name, index): [string, unknown] => [str(name), row[index] ?? null])))
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

function parseRows(text: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  CELL.lastIndex = 0
  for (let at = 0; at < text.length || row.length > 0; ) {
    CELL.lastIndex = at
    const cellMatch = CELL.exec(text)
    if (cellMatch === null) throw new ArgumentFault(`parse_csv filter - malformed CSV in line ${rows.length + 1}`)
    const quoted = cellMatch[1]
    row.push(quoted === undefined ? cellMatch[2] || null : quoted.replaceAll('""', '"'))
    at = CELL.lastIndex
    if (cellMatch[3] === ',') continue
    // An empty line becomes an empty row.
    rows.push(row.length === 1 && row[0] === null && quoted === undefined ? [] : row)
    row = []
  }
  return rows
}
