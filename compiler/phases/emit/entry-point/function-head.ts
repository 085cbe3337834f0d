/**
 * Emits the head of a function: its parameters and their types. A function that may return one of its parameters unchanged is generic, so
 * that its result has the type of what the caller passes.
 */
import { type FunctionStatement, parameter, type TypeCode, typeNamed, typeUnion } from '../../../core/model/code.ts'
import type { ValueType } from '../../../core/model/value-type.ts'
import { typeCodeOf } from '../value-types.ts'
import { type EntryPointInput, isCalledByHost } from './input.ts'
import type { ResultType } from './result-type.ts'
import type { ParameterUse } from './variables.ts'

/** The names of type parameters. A function has at most `MAX_PARAMETERS`. */
const TYPE_NAMES = ['T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'S']

type FunctionHead = Pick<FunctionStatement, 'typeParameters' | 'parameters' | 'result'>

/**
 * Returns the parameters and the result of a function.
 * @param uses the separate parameters; null if callers pass one object of variables
 * @param usesSink whether the function writes bytes to a sink
 */
export function functionHead(
  input: EntryPointInput,
  uses: readonly ParameterUse[] | null,
  result: ResultType,
  usesSink: boolean,
): FunctionHead {
  const { entryPoint, effects, imports } = input
  const ifUnused = isCalledByHost(input) ? 'nothing' : 'underscore'
  const resultType = entryPoint === 'value' ? resultCode(input, result) : typeNamed('string')
  const own = (uses ?? []).map(({ js, type }) => {
    const name = TYPE_NAMES[result.returned.indexOf(js)]
    const code = typeOf(input, type)
    return { js, type: name === undefined ? code : typeNamed(name), bound: type.kind === 'unknown' ? null : code, name }
  })
  return {
    typeParameters: own.flatMap(({ name, bound }) => (name === undefined ? [] : [{ name, bound }])),
    parameters: [
      parameter('r', imports.type('Render'), ifUnused),
      ...(uses === null
        ? [parameter(entryPoint === 'shared' ? 'frame' : 'scope', imports.type('Scope'), ifUnused)]
        : []),
      ...own.map(({ js, type }) => parameter(js, type, ifUnused)),
      ...(usesSink ? [parameter('sink', typeNamed('Uint8Array')), parameter('written', typeNamed('number'))] : []),
    ],
    result: usesSink ? typeNamed('number') : effects.suspends ? typeNamed('Promise', resultType) : resultType,
  }
}

/** Returns the type of a result in TypeScript. */
export function resultCode(input: EntryPointInput, { type, returned }: ResultType): TypeCode {
  return typeUnion(typeOf(input, type), ...returned.map((_, at) => typeNamed(TYPE_NAMES[at] ?? '')))
}

function typeOf({ imports }: EntryPointInput, type: ValueType): TypeCode {
  return typeCodeOf(type, (name) => imports.type(name))
}
