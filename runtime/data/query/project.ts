/** Projects values in memory, such as rows of the compiled site, to a selection. */
import { getNamedType, type GraphQLOutputType, isLeafType, isListType, isNonNullType } from 'graphql'
import { sourceValue } from './build.ts'
import type { Input, SourceRange, ResultType, Selected } from './model.ts'
import { isInputList, Leaf } from './model.ts'
import { scalarResultType, wrapType } from './result-type.ts'
import { isObject } from '../values/json-data.ts'

type Variables = Readonly<Record<string, unknown>>
export type Path = readonly (string | number)[]

/** Returns the arguments of a field as plain values, with the variables of the execution. */
export function plainArguments(args: Selected['args'], variables: Variables): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, input]) =>
      input === undefined ? [] : [[name, plainInput(input, variables)]],
    ),
  )
}

function plainInput(input: Input, variables: Variables): unknown {
  if (input === null) return null
  if (input instanceof Leaf) return sourceValue(input.source, variables) ?? null
  if (isInputList(input)) return input.map((item) => plainInput(item, variables))
  return plainArguments(input, variables)
}

/** Thrown when a value of a non-null type is missing. The nearest nullable parent then becomes null. */
export class MissingValueError extends Error {
  readonly path: Path
  readonly range: SourceRange

  constructor(selected: Selected, path: Path) {
    super(`The field \`${selected.name}\` is never null, but has no value.`)
    this.path = path
    this.range = selected.range
  }
}

interface Projection {
  /** Called with each missing value of a non-null type. */
  readonly reportMissing: (fault: MissingValueError) => void
  /** Returns the value of a field of an object. */
  readonly read: (object: Readonly<Record<string, unknown>>, field: Selected) => unknown
}

/**
 * Returns the selected part of `value`. Functions are called, and missing keys become null.
 * @param reportMissing called with each missing value of a non-null type
 * @param path the place of the value in the result
 * @throws MissingValueError when the value itself is missing
 */
export function project(
  value: unknown,
  selected: Selected,
  reportMissing: Projection['reportMissing'],
  read: Projection['read'] = readOwn,
  path: Path = [selected.responseKey],
): Promise<unknown> {
  return completeNullable(value, selected.type, selected, path, { reportMissing, read })
}

/** Returns the value under the name of a field. Reads own keys only. */
function readOwn(object: Readonly<Record<string, unknown>>, { name }: Selected): unknown {
  return Object.hasOwn(object, name) ? object[name] : null
}

async function completeNullable(
  value: unknown,
  type: GraphQLOutputType,
  selected: Selected,
  path: Path,
  projection: Projection,
): Promise<unknown> {
  if (isNonNullType(type)) {
    const completed = await completeValue(value, type.ofType, selected, path, projection)
    if (completed === null) throw new MissingValueError(selected, path)
    return completed
  }
  try {
    return await completeValue(value, type, selected, path, projection)
  } catch (error) {
    if (!(error instanceof MissingValueError)) throw error
    projection.reportMissing(error)
    return null
  }
}

async function completeValue(
  value: unknown,
  type: GraphQLOutputType,
  selected: Selected,
  path: Path,
  projection: Projection,
): Promise<unknown> {
  const resolvedValue: unknown = typeof value === 'function' ? await value() : await value
  if (resolvedValue === null || resolvedValue === undefined) return null
  if (isListType(type)) {
    const items: readonly unknown[] = Array.isArray(resolvedValue) ? resolvedValue : [resolvedValue]
    const completed: unknown[] = []
    // Completes one item after another. In parallel, a page of thousands of items would open thousands of files at once.
    for (const [at, item] of items.entries())
      completed.push(await completeNullable(item, type.ofType, selected, [...path, at], projection))
    return completed
  }
  if (isLeafType(type)) return type.name === 'ID' ? String(resolvedValue) : resolvedValue
  const row = isObject(resolvedValue) ? resolvedValue : {}
  const fields: Record<string, unknown> = Object.create(null)
  for (const each of selected.selection) {
    const part = each.name === '__typename' ? getNamedType(selected.type).name : projection.read(row, each)
    fields[each.responseKey] = await completeNullable(part, each.type, each, [...path, each.responseKey], projection)
  }
  return fields
}

/** Returns the type of a projected value, for templates. */
export function selectionResultType(selected: Selected): ResultType {
  const namedType = getNamedType(selected.type)
  if (isLeafType(namedType)) return scalarResultType(selected.type)
  const fields = new Map(selected.selection.map((each) => [each.responseKey, selectionResultType(each)]))
  const object: ResultType = { kind: 'object', fields, range: selected.range, table: null }
  return wrapType(selected.type, object)
}
