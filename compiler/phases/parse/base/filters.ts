/** Parses a value with its filters, for outputs, `echo` and `assign`. */
import type { Expression, FilterCall, Filtered, NamedArgument } from '../../../core/tree/ast.ts'
import type { Syntax } from '../../../core/model/dialect.ts'
import type { Expressions } from './expressions.ts'
import { matchGroups, pattern, type TextSlice, matchAllGroups } from './text-slices.ts'
import { contextOf, Refusal, withContext, MESSAGES } from './reference-messages.ts'
import { StrictReader } from './strict-reader.ts'

/** Maximum number of filters on one value. The emitted code has one nesting level per filter. */
const MAX_FILTERS = 500

const HEAD = pattern('(FRAGMENT)([^]*)')
const AFTER_PIPE = pattern('\\|\\s*([^]*)')
const FILTER = pattern('(?:\\s+|FRAGMENT|,)+', 'g')
const FILTER_NAME = pattern('\\w+')
const ARGUMENT = pattern('(?::|,)\\s*((?:\\w+\\s*:\\s*)?FRAGMENT)', 'g')
const NAMED = pattern('^(\\w[\\w-]*)\\s*:\\s*(FRAGMENT)$')

/** Parses a value with filters. Returns null for markup without a value. @throws Refusal */
export function parseFiltered(markup: TextSlice, expressions: Expressions, syntax: Syntax): Filtered | null {
  const parse = (): Filtered | null => parseStrict(markup, expressions, syntax)
  if (syntax !== 'lax') return withContext(`{{${markup.text}}}`, parse)
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return parseLax(markup, expressions)
  }
}

function makeFiltered(
  markup: TextSlice,
  input: Expression,
  filters: readonly FilterCall[],
  expressions: Expressions,
): Filtered {
  if (filters.length > MAX_FILTERS) throw new Refusal(MESSAGES.nesting)
  return { kind: 'filtered', input, filters, span: expressions.spanOf({ ...markup, text: contextOf(markup) }) }
}

// ---- strict -----------------------------------------------------------------------------------------------------------

function parseStrict(markup: TextSlice, expressions: Expressions, syntax: Syntax): Filtered | null {
  const reader = new StrictReader(markup, expressions, syntax !== 'strict2')
  if (reader.nextIs('end_of_string')) return null
  const input = reader.parseValue()
  const filters: FilterCall[] = []
  for (let pipe = reader.consumeIf('pipe'); pipe !== null; pipe = reader.consumeIf('pipe'))
    filters.push(strictFilter(pipe, reader, expressions, syntax))
  reader.expectEnd()
  return makeFiltered(markup, input, filters, expressions)
}

function strictFilter(pipe: TextSlice, reader: StrictReader, expressions: Expressions, syntax: Syntax): FilterCall {
  const name = reader.consume('id')
  const positional: Expression[] = []
  const named: NamedArgument[] = []
  if (reader.consumeIf('colon') !== null) {
    const acceptsTrailing = syntax === 'strict2'
    const ends = () => acceptsTrailing && (reader.nextIs('pipe') || reader.nextIs('end_of_string'))
    if (!ends()) strictArgument(reader, expressions, positional, named)
    while (reader.consumeIf('comma') !== null && !ends()) strictArgument(reader, expressions, positional, named)
  }
  return { name: expressions.nameOf(name), positional, named, span: expressions.spanBetween(pipe.at, reader.lastEnd) }
}

function strictArgument(
  reader: StrictReader,
  expressions: Expressions,
  positional: Expression[],
  named: NamedArgument[],
): void {
  if (reader.nextIs('id') && reader.nextIs('colon', 1)) {
    const name = expressions.nameOf(reader.consume('id'))
    reader.consume('colon')
    named.push({ name, value: reader.parseValue(), ignoredFilters: null })
  } else positional.push(reader.parseValue())
}

// ---- lax --------------------------------------------------------------------------------------------------------------

function parseLax(markup: TextSlice, expressions: Expressions): Filtered | null {
  const [, head, rest] = matchGroups(markup, HEAD) ?? []
  if (head === undefined || rest === undefined) return null
  const input = expressions.value(head)
  const afterPipe = matchGroups(rest, AFTER_PIPE)?.[1]
  const filters =
    afterPipe === undefined
      ? []
      : matchAllGroups(afterPipe, FILTER).flatMap(([wholeSlice]) =>
          wholeSlice === undefined ? [] : laxFilter(wholeSlice, markup, expressions),
        )
  return makeFiltered(markup, input, filters, expressions)
}

/** Returns an empty list for text between two pipes that has no word. */
function laxFilter(wholeSlice: TextSlice, markup: TextSlice, expressions: Expressions): readonly FilterCall[] {
  const name = matchGroups(wholeSlice, FILTER_NAME)?.[0]
  if (name === undefined) return []
  const positional: Expression[] = []
  const named: NamedArgument[] = []
  for (const [, argument] of matchAllGroups(wholeSlice, ARGUMENT)) {
    if (argument === undefined) continue
    const [, key, value] = matchGroups(argument, NAMED) ?? []
    if (key === undefined || value === undefined) positional.push(expressions.value(argument))
    else named.push({ name: expressions.nameOf(key), value: expressions.value(value), ignoredFilters: null })
  }
  const pipe = markup.at + markup.text.lastIndexOf('|', wholeSlice.at - markup.at)
  const span = expressions.spanBetween(pipe, wholeSlice.at + wholeSlice.text.trimEnd().length)
  return [{ name: expressions.nameOf(name), positional, named, span }]
}
