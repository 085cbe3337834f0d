/** Parses a value with its filters, for outputs, `echo` and `assign`. */
import type { Expression, FilterCall, Filtered, NamedArgument } from '../../../core/model/ast.ts'
import type { Syntax } from '../../../core/model/dialect.ts'
import type { Expressions } from './expressions.ts'
import { groupsOf, pattern, type Piece, scan } from './pieces.ts'
import { contextOf, Refusal, within, WORDS } from './refusal.ts'
import { StrictReader } from './strict-reader.ts'

/** Maximum number of filters on one value. The emitted code nests as deep. */
const MOST_FILTERS = 500

const HEAD = pattern('(FRAGMENT)([^]*)')
const BEHIND_PIPE = pattern('\\|\\s*([^]*)')
const FILTER = pattern('(?:\\s+|FRAGMENT|,)+', 'g')
const FILTER_NAME = pattern('\\w+')
const ARGUMENT = pattern('(?::|,)\\s*((?:\\w+\\s*:\\s*)?FRAGMENT)', 'g')
const NAMED = pattern('^(\\w[\\w-]*)\\s*:\\s*(FRAGMENT)$')

/** Parses a value with filters. Returns null for markup without a value. @throws Refusal */
export function readFiltered(markup: Piece, expressions: Expressions, syntax: Syntax): Filtered | null {
  const read = (): Filtered | null => strictly(markup, expressions, syntax)
  if (syntax !== 'lax') return within(`{{${markup.text}}}`, read)
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return laxly(markup, expressions)
  }
}

function filteredOf(
  markup: Piece,
  input: Expression,
  filters: readonly FilterCall[],
  expressions: Expressions,
): Filtered {
  if (filters.length > MOST_FILTERS) throw new Refusal(WORDS.nesting)
  return { kind: 'filtered', input, filters, span: expressions.spanOf({ ...markup, text: contextOf(markup) }) }
}

// ---- strict -----------------------------------------------------------------------------------------------------------

function strictly(markup: Piece, expressions: Expressions, syntax: Syntax): Filtered | null {
  const reader = new StrictReader(markup, expressions, syntax !== 'strict2')
  if (reader.look('end_of_string')) return null
  const input = reader.value()
  const filters: FilterCall[] = []
  for (let pipe = reader.take('pipe'); pipe !== null; pipe = reader.take('pipe'))
    filters.push(strictFilter(pipe, reader, expressions, syntax))
  reader.end()
  return filteredOf(markup, input, filters, expressions)
}

function strictFilter(pipe: Piece, reader: StrictReader, expressions: Expressions, syntax: Syntax): FilterCall {
  const name = reader.consume('id')
  const positional: Expression[] = []
  const named: NamedArgument[] = []
  if (reader.take('colon') !== null) {
    const tolerant = syntax === 'strict2'
    const ends = () => tolerant && (reader.look('pipe') || reader.look('end_of_string'))
    if (!ends()) strictArgument(reader, expressions, positional, named)
    while (reader.take('comma') !== null && !ends()) strictArgument(reader, expressions, positional, named)
  }
  return { name: expressions.nameOf(name), positional, named, span: expressions.between(pipe.at, reader.lastEnd) }
}

function strictArgument(
  reader: StrictReader,
  expressions: Expressions,
  positional: Expression[],
  named: NamedArgument[],
): void {
  if (reader.look('id') && reader.look('colon', 1)) {
    const name = expressions.nameOf(reader.consume('id'))
    reader.consume('colon')
    named.push({ name, value: reader.value(), ignoredFilters: null })
  } else positional.push(reader.value())
}

// ---- lax --------------------------------------------------------------------------------------------------------------

function laxly(markup: Piece, expressions: Expressions): Filtered | null {
  const head = groupsOf(markup, HEAD)
  if (head === null) return null
  const input = expressions.value(head[1] as Piece)
  const behind = groupsOf(head[2] as Piece, BEHIND_PIPE)?.[1]
  const filters =
    behind === undefined
      ? []
      : scan(behind, FILTER).flatMap(([whole]) => laxFilter(whole as Piece, markup, expressions))
  return filteredOf(markup, input, filters, expressions)
}

/** Returns an empty list for text between two pipes that has no word. */
function laxFilter(whole: Piece, markup: Piece, expressions: Expressions): readonly FilterCall[] {
  const name = groupsOf(whole, FILTER_NAME)?.[0]
  if (name === undefined) return []
  const positional: Expression[] = []
  const named: NamedArgument[] = []
  for (const [, argument] of scan(whole, ARGUMENT)) {
    const pair = groupsOf(argument as Piece, NAMED)
    if (pair === null) positional.push(expressions.value(argument as Piece))
    else
      named.push({
        name: expressions.nameOf(pair[1] as Piece),
        value: expressions.value(pair[2] as Piece),
        ignoredFilters: null,
      })
  }
  const pipe = markup.at + markup.text.lastIndexOf('|', whole.at - markup.at)
  const span = expressions.between(pipe, whole.at + whole.text.trimEnd().length)
  return [{ name: expressions.nameOf(name), positional, named, span }]
}
