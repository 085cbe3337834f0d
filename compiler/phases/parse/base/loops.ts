/** Parses the markups of `for` and `tablerow`. */
import type { NamedArgument } from '../../../core/tree/ast.ts'
import type { LoopMarkup } from '../../../language/tags/for.ts'
import { laxArguments, uniqueByName, strictArguments } from './arguments.ts'
import type { Expressions } from './expressions.ts'
import { matchGroups, pattern, type TextSlice } from './text-slices.ts'
import { Refusal, MESSAGES, formatMessage } from './reference-messages.ts'
import type { StrictReader } from './strict-reader.ts'

const FOR = pattern('^([\\w-]+)\\s+in\\s+((?:FRAGMENT)+)\\s*(reversed)?')
const TABLEROW = pattern('(\\w+)\\s+in\\s+((?:FRAGMENT)+)')

const FOR_ATTRIBUTES = ['limit', 'offset']
const TABLEROW_ATTRIBUTES = ['cols', 'limit', 'offset', 'range']

export function laxFor(markup: TextSlice, expressions: Expressions): LoopMarkup {
  const [, variable, list, reversed] = matchGroups(markup, FOR) ?? []
  if (variable === undefined || list === undefined) throw new Refusal(MESSAGES.for)
  return {
    variable: expressions.nameOf(variable),
    list: expressions.value(list),
    reversed: reversed !== undefined,
    arguments: selectByName(laxArguments(markup, expressions), FOR_ATTRIBUTES),
  }
}

export function laxTablerow(markup: TextSlice, expressions: Expressions): LoopMarkup {
  const [, variable, list] = matchGroups(markup, TABLEROW) ?? []
  if (variable === undefined || list === undefined) throw new Refusal(MESSAGES.tablerow)
  return {
    variable: expressions.nameOf(variable),
    list: expressions.value(list),
    reversed: false,
    arguments: selectByName(laxArguments(markup, expressions), TABLEROW_ATTRIBUTES),
  }
}

export function strictFor(reader: StrictReader, expressions: Expressions): LoopMarkup {
  const head = strictHead(reader, expressions)
  const reversed = reader.consumeWord('reversed')
  const list: NamedArgument[] = []
  while (reader.nextIs('comma') || reader.nextIs('id')) {
    reader.consumeIf('comma')
    // Any token other than an attribute name gets the same message, as does the end of the markup.
    const name = reader.nextIs('id') ? reader.consume('id') : null
    if (name === null || !FOR_ATTRIBUTES.includes(name.text)) throw new Refusal(MESSAGES.forAttribute)
    reader.consume('colon')
    list.push({ name: expressions.nameOf(name), value: reader.parseValue(), ignoredFilters: null })
  }
  reader.expectEnd()
  return { ...head, reversed, arguments: uniqueByName(list) }
}

export function strictTablerow(reader: StrictReader, expressions: Expressions): LoopMarkup {
  const head = strictHead(reader, expressions)
  const list = strictArguments(reader, expressions, (name) => {
    if (!TABLEROW_ATTRIBUTES.includes(name)) throw new Refusal(formatMessage.tablerowAttribute(name))
  })
  return { ...head, reversed: false, arguments: list }
}

function strictHead(reader: StrictReader, expressions: Expressions): Pick<LoopMarkup, 'variable' | 'list'> {
  const variable = expressions.nameOf(reader.consume('id'))
  if (!reader.consumeWord('in')) throw new Refusal(MESSAGES.in)
  return { variable, list: reader.parseValue() }
}

function selectByName(list: readonly NamedArgument[], names: readonly string[]): NamedArgument[] {
  return list.filter(({ name }) => names.includes(name.name))
}
