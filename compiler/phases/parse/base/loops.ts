/** Parses the markups of `for` and `tablerow`. */
import type { NamedArgument } from '../../../core/model/ast.ts'
import type { LoopMarkup } from '../../../language/tags/for.ts'
import { laxArguments, lastOfEach, strictArguments } from './arguments.ts'
import type { Expressions } from './expressions.ts'
import { groupsOf, pattern, type Piece } from './pieces.ts'
import { Refusal, WORDS, words } from './refusal.ts'
import type { StrictReader } from './strict-reader.ts'

const FOR = pattern('^([\\w-]+)\\s+in\\s+((?:FRAGMENT)+)\\s*(reversed)?')
const TABLEROW = pattern('(\\w+)\\s+in\\s+((?:FRAGMENT)+)')

const FOR_ATTRIBUTES = ['limit', 'offset']
const TABLEROW_ATTRIBUTES = ['cols', 'limit', 'offset', 'range']

export function laxFor(markup: Piece, expressions: Expressions): LoopMarkup {
  const [, variable, list, reversed] = groupsOf(markup, FOR) ?? []
  if (variable === undefined || list === undefined) throw new Refusal(WORDS.for)
  return {
    variable: expressions.nameOf(variable),
    list: expressions.value(list),
    reversed: reversed !== undefined,
    arguments: known(laxArguments(markup, expressions), FOR_ATTRIBUTES),
  }
}

export function laxTablerow(markup: Piece, expressions: Expressions): LoopMarkup {
  const [, variable, list] = groupsOf(markup, TABLEROW) ?? []
  if (variable === undefined || list === undefined) throw new Refusal(WORDS.tablerow)
  return {
    variable: expressions.nameOf(variable),
    list: expressions.value(list),
    reversed: false,
    arguments: known(laxArguments(markup, expressions), TABLEROW_ATTRIBUTES),
  }
}

export function strictFor(reader: StrictReader, expressions: Expressions): LoopMarkup {
  const head = strictHead(reader, expressions)
  const reversed = reader.word('reversed')
  const list: NamedArgument[] = []
  while (reader.look('comma') || reader.look('id')) {
    reader.take('comma')
    // Any other token gets the same message, even at the end of the markup.
    const name = reader.look('id') ? reader.consume('id') : null
    if (name === null || !FOR_ATTRIBUTES.includes(name.text)) throw new Refusal(WORDS.forAttribute)
    reader.consume('colon')
    list.push({ name: expressions.nameOf(name), value: reader.value(), ignoredFilters: null })
  }
  reader.end()
  return { ...head, reversed, arguments: lastOfEach(list) }
}

export function strictTablerow(reader: StrictReader, expressions: Expressions): LoopMarkup {
  const head = strictHead(reader, expressions)
  const list = strictArguments(reader, expressions, (name) => {
    if (!TABLEROW_ATTRIBUTES.includes(name)) throw new Refusal(words.tablerowAttribute(name))
  })
  return { ...head, reversed: false, arguments: list }
}

function strictHead(reader: StrictReader, expressions: Expressions): Pick<LoopMarkup, 'variable' | 'list'> {
  const variable = expressions.nameOf(reader.consume('id'))
  if (!reader.word('in')) throw new Refusal(WORDS.in)
  return { variable, list: reader.value() }
}

function known(list: readonly NamedArgument[], names: readonly string[]): NamedArgument[] {
  return list.filter(({ name }) => names.includes(name.name))
}
