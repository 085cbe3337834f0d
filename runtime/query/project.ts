/** Values in memory as a selection asks for them: rows of the compiled site. */
import { getNamedType, getNullableType, type GraphQLOutputType, isLeafType, isListType } from 'graphql'
import type { Input, ResultType, Selected } from './model.ts'
import { Leaf } from './model.ts'
import { scalarType, wrapped } from './rows/output.ts'

/** Arguments as plain values. */
export function plainArguments(args: Selected['args']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, input]) => input !== undefined)
      .map(([name, input]) => [name, plainInput(input as Input)]),
  )
}

function plainInput(input: Input): unknown {
  if (input === null) return null
  if (input instanceof Leaf) return input.value
  if (Array.isArray(input)) return input.map(plainInput)
  return plainArguments(input as Selected['args'])
}

/** The part of `value` that is selected. Functions are called; keys that are missing are null. */
export async function project(value: unknown, selected: Selected): Promise<unknown> {
  return projectAs(value, getNullableType(selected.type), selected)
}

async function projectAs(value: unknown, type: GraphQLOutputType, selected: Selected): Promise<unknown> {
  const given: unknown = typeof value === 'function' ? await (value as () => unknown)() : await value
  if (given === null || given === undefined) return null
  const inner = getNullableType(type)
  if (isListType(inner)) {
    const items: readonly unknown[] = Array.isArray(given) ? given : [given]
    return Promise.all(items.map((item) => projectAs(item, inner.ofType as GraphQLOutputType, selected)))
  }
  if (isLeafType(inner)) return given
  const row = given as Readonly<Record<string, unknown>>
  const fields: Record<string, unknown> = {}
  for (const each of selected.selection) {
    fields[each.key] =
      each.name === '__typename'
        ? getNamedType(selected.type).name
        : await project(Object.hasOwn(row, each.name) ? row[each.name] : null, each)
  }
  return fields
}

/** The type of what a selection of values in memory gives. */
export function projectedType(selected: Selected): ResultType {
  const named = getNamedType(selected.type)
  if (isLeafType(named)) return scalarType(selected.type)
  const fields = new Map(selected.selection.map((each) => [each.key, projectedType(each)]))
  const object: ResultType = { kind: 'object', fields, at: selected.at, table: null }
  return wrapped(selected.type, object)
}
