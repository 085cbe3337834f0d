/** `to_csv`: rows as CSV text. */
import { ArgumentFault } from '../../fault.ts'
import { MAX_TEXT, tooLong } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { arrayArgument, getOption } from '../arguments.ts'
import type { Bool, List, NamedArguments, Textual, Value } from '../types.ts'

export const dialect = 'platform'

/**
 * Matches the beginning of a text that a spreadsheet would evaluate: an operator (also full-width), or whitespace that the spreadsheet
 * skips.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * The rows as CSV, with texts quoted and numbers unquoted. Cells that a spreadsheet would evaluate get an
 * apostrophe, unless `sanitize: false`.
 * @throws ArgumentFault when the input is neither an array of arrays nor nil
 */
export function to_csv(
  input: List,
  options: NamedArguments<{
    row_sep?: Textual
    col_sep?: Textual
    quote_char?: Textual
    write_headers?: Bool
    force_quotes?: Bool
    quote_empty?: Bool
    sanitize?: Bool
    [name: string]: Value
  }> = null,
): string {
  const columnSeparator = str(getOption(options, 'col_sep') ?? ',')
  const end = str(getOption(options, 'row_sep') ?? '\n')
  let out = ''
  for (const [index, row] of arrayArgument(input, 'to_csv').entries()) {
    if (!Array.isArray(row)) throw new ArgumentFault('to_csv filter - every row must be an array')
    out += (index > 0 ? end : '') + row.map((cell: unknown) => printCell(cell, options)).join(columnSeparator)
    if (out.length > MAX_TEXT) throw tooLong()
  }
  return out
}

function printCell(cell: unknown, options: unknown): string {
  const quote = str(getOption(options, 'quote_char') ?? '"')
  const text = str(cell)
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text)
  const safe = getOption(options, 'sanitize') !== false && !isNumber && FORMULA.test(text) ? `'${text}` : text
  if (text === '' && !truthy(getOption(options, 'quote_empty') ?? true)) return ''
  if (cell === null || cell === undefined) return truthy(getOption(options, 'force_quotes')) ? quote + quote : ''
  if (isNumber && !truthy(getOption(options, 'force_quotes'))) return text
  return quote === '' ? safe : quote + safe.replaceAll(quote, () => quote + quote) + quote
}
