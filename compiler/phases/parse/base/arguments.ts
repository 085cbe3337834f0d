/** Parses the `name: value` arguments of loops and calls. */
import type { NamedArgument } from '../../../core/tree/ast.ts'
import type { Expressions } from './expressions.ts'
import { pattern, type TextSlice, matchAllGroups } from './text-slices.ts'
import type { StrictReader } from './strict-reader.ts'

const ATTRIBUTE = pattern('(\\w[\\w-]*)\\s*:\\s*(FRAGMENT)', 'g')

/** Returns every `name: value` found anywhere in the markup. Other text is ignored. */
export function laxArguments(markup: TextSlice, expressions: Expressions): NamedArgument[] {
  return uniqueByName(
    matchAllGroups(markup, ATTRIBUTE).flatMap(([, name, value]) =>
      name === undefined || value === undefined
        ? []
        : [{ name: expressions.nameOf(name), value: expressions.value(value), ignoredFilters: null }],
    ),
  )
}

/** Parses `name: value` arguments up to the end of the markup. Commas between them are optional. @throws Refusal */
export function strictArguments(
  reader: StrictReader,
  expressions: Expressions,
  allow: (name: string) => void,
): NamedArgument[] {
  const list: NamedArgument[] = []
  reader.consumeIf('comma')
  while (reader.nextIs('id')) {
    const name = reader.consume('id')
    allow(name.text)
    reader.consume('colon')
    list.push({ name: expressions.nameOf(name), value: reader.parseValue(), ignoredFilters: null })
    reader.consumeIf('comma')
  }
  reader.expectEnd()
  return uniqueByName(list)
}

/** Removes duplicate names. Names keep the order of their first occurrence; the last value wins. */
export function uniqueByName(list: readonly NamedArgument[]): NamedArgument[] {
  return [...new Map(list.map((each) => [each.name.name, each])).values()]
}
