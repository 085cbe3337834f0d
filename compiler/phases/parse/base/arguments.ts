/** `name: value` of loops and of calls. */
import type { NamedArgument } from '../../../core/model/ast.ts'
import type { Expressions } from './expressions.ts'
import { pattern, type Piece, scan } from './pieces.ts'
import type { StrictReader } from './strict-reader.ts'

const ATTRIBUTE = pattern('(\\w[\\w-]*)\\s*:\\s*(FRAGMENT)', 'g')

/** Wherever `name: value` stands in the markup. */
export function laxArguments(markup: Piece, expressions: Expressions): NamedArgument[] {
  return lastOfEach(
    scan(markup, ATTRIBUTE).flatMap(([, name, value]) =>
      name === undefined || value === undefined
        ? []
        : [{ name: expressions.nameOf(name), value: expressions.value(value), ignoredFilters: null }],
    ),
  )
}

/** `name: value` up to the end, commas between them or not. @throws Refusal */
export function strictArguments(
  reader: StrictReader,
  expressions: Expressions,
  allow: (name: string) => void,
): NamedArgument[] {
  const list: NamedArgument[] = []
  reader.take('comma')
  while (reader.look('id')) {
    const name = reader.consume('id')
    allow(name.text)
    reader.consume('colon')
    list.push({ name: expressions.nameOf(name), value: reader.value(), ignoredFilters: null })
    reader.take('comma')
  }
  reader.end()
  return lastOfEach(list)
}

/** One of each name, in the order in which the names come first; the last value counts. */
export function lastOfEach(list: readonly NamedArgument[]): NamedArgument[] {
  return [...new Map(list.map((each) => [each.name.name, each])).values()]
}
