/** Custom filters: typed functions with declarations for the checker. */
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import { EngineOptionError } from './option-error.ts'
import {
  baseOf,
  type Convert,
  conversion,
  type ResultOf,
  isOptional,
  type MaybeKind,
  type ResultKind,
  resultConversion,
  type ParameterOf,
  type ParametersOf,
  namedConversion,
  type NamedKinds,
  type NamedParametersOf,
  typeOf,
} from './value-kinds.ts'

export interface FilterDeclaration<
  Input extends MaybeKind,
  Params extends readonly MaybeKind[],
  Named extends NamedKinds | undefined,
  Result extends ResultKind,
  Suspends extends boolean,
> {
  /** The name in templates. */
  readonly name: string
  /** The kind of the filtered value; `value` by default. */
  readonly input?: Input
  /** The kinds of the positional arguments. */
  readonly params?: Params
  /** Named arguments (`size: 3`). The function receives them as one object, after all others. */
  readonly named?: Named
  /** The kind of the result; `value` by default. */
  readonly result?: Result
  /** The function returns a promise. Templates that use the filter can only be rendered asynchronously. */
  readonly suspends?: Suspends
}

/** The type of a declaration's function. */
export type FilterFunction<
  Input extends MaybeKind,
  Params extends readonly MaybeKind[],
  Named extends NamedKinds | undefined,
  Result extends ResultKind,
  Suspends extends boolean,
> = (
  input: ParameterOf<Input>,
  ...args: Named extends NamedKinds ? [...ParametersOf<Params>, NamedParametersOf<Named>] : ParametersOf<Params>
) => Suspends extends true ? Promise<ResultOf<Result>> | ResultOf<Result> : ResultOf<Result>

type Call = (...args: readonly unknown[]) => unknown

/** A custom filter, created by `filter`. */
export class HostFilter {
  /** The name in templates. */
  readonly name: string
  readonly signature: FilterSignature
  /** The function that emitted code calls. */
  readonly call: Call

  constructor(name: string, signature: FilterSignature, call: Call) {
    this.name = name
    this.signature = signature
    this.call = call
  }
}

/**
 * Declares a custom filter. TypeScript infers the function's parameters from the declaration, and the checker reports wrong arguments in
 * templates, as for built-in filters.
 * @throws EngineOptionError for a name that templates cannot use
 */
export function filter<
  const Input extends MaybeKind = 'value',
  const Params extends readonly MaybeKind[] = [],
  const Named extends NamedKinds | undefined = undefined,
  const Result extends ResultKind = 'value',
  const Suspends extends boolean = false,
>(
  declaration: FilterDeclaration<Input, Params, Named, Result, Suspends>,
  run: FilterFunction<Input, Params, Named, Result, Suspends>,
): HostFilter {
  const { name, input = 'value', params = [], named, result = 'value', suspends = false } = declaration
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new EngineOptionError(`\`${name}\` cannot be the name of a filter`)
  const kinds: readonly MaybeKind[] = [input, ...params]
  const signature: FilterSignature = {
    name: `own ${name}`,
    registry: name,
    exportName: `filter_${name}`,
    module: '',
    own: true,
    aliasOf: null,
    dialect: 'both',
    parameters: kinds.map(parameterOf),
    rest: null,
    named: named === undefined ? null : namedParameters(named),
    result: typeOf(result),
    needsRender: false,
    suspends,
    fallible: true,
    deprecated: null,
  }
  const convertArguments = kinds.map(conversion)
  const namedConversions = named === undefined ? [] : [namedConversion(named)]
  // The conversions give `run` the types that its declaration promises.
  return new HostFilter(
    name,
    signature,
    withConversions(run as Call, [...convertArguments, ...namedConversions], resultConversion(result), suspends),
  )
}

function parameterOf(kind: MaybeKind, at: number): FilterParameter {
  return { name: at === 0 ? 'input' : `argument ${at}`, kind: baseOf(kind), optional: at > 0 && isOptional(kind) }
}

function namedParameters(named: NamedKinds): NonNullable<FilterSignature['named']> {
  const kinds = Object.values(named)
  return { names: Object.keys(named), open: false, required: kinds.some((kind) => !isOptional(kind)) }
}

/** Returns the function with conversions of its arguments and result. Small arities are unrolled, because filters are called in loops. */
function withConversions(
  run: Call,
  convertArguments: readonly Convert[],
  convertResult: Convert,
  suspends: boolean,
): Call {
  if (suspends)
    return async (...args) => convertResult(await run(...convertArguments.map((convert, at) => convert(args[at]))))
  const [first = convertResult, second = convertResult, third = convertResult] = convertArguments
  switch (convertArguments.length) {
    case 1:
      return (a) => convertResult(run(first(a)))
    case 2:
      return (a, b) => convertResult(run(first(a), second(b)))
    case 3:
      return (a, b, c) => convertResult(run(first(a), second(b), third(c)))
    default:
      return (...args) => convertResult(run(...convertArguments.map((convert, at) => convert(args[at]))))
  }
}
