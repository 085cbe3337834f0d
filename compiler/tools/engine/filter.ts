/** Filters of a host: a typed function, whose declaration the checker knows. */
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import { EngineOptionError } from './option-error.ts'
import {
  baseOf,
  conversion,
  type Given,
  isOptional,
  type MaybeKind,
  type ResultKind,
  resultConversion,
  type Taken,
  type TakenAll,
  type TakenNamed,
  typeOf,
} from './value-kinds.ts'
import { isRecord } from '../../core/source/records.ts'

type NamedKinds = Readonly<Record<string, `${MaybeKind}`>>

export interface FilterDeclaration<
  Input extends MaybeKind,
  Params extends readonly MaybeKind[],
  Named extends NamedKinds | undefined,
  Result extends ResultKind,
  Suspends extends boolean,
> {
  /** As templates write it. */
  readonly name: string
  /** What stands before the bar; `value` where it is not said. */
  readonly input?: Input
  /** What stands behind the colon, in order. */
  readonly params?: Params
  /** Arguments with names (`size: 3`): the function gets them as one object behind all others. */
  readonly named?: Named
  /** What the function gives; `value` where it is not said. */
  readonly result?: Result
  /** The function gives a promise: templates that use it can only be rendered asynchronously. */
  readonly suspends?: Suspends
}

/** What the function of a declaration looks like. */
export type FilterFunction<
  Input extends MaybeKind,
  Params extends readonly MaybeKind[],
  Named extends NamedKinds | undefined,
  Result extends ResultKind,
  Suspends extends boolean,
> = (
  input: Taken<Input>,
  ...args: Named extends NamedKinds ? [...TakenAll<Params>, TakenNamed<Named>] : TakenAll<Params>
) => Suspends extends true ? Promise<Given<Result>> | Given<Result> : Given<Result>

type Call = (...args: readonly unknown[]) => unknown

/** A filter of a host, made by `filter`. */
export class HostFilter {
  /** As templates write it. */
  readonly name: string
  readonly signature: FilterSignature
  /** What emitted code calls. */
  readonly call: Call

  constructor(name: string, signature: FilterSignature, call: Call) {
    this.name = name
    this.signature = signature
    this.call = call
  }
}

/**
 * A filter of one's own. TypeScript infers what the function is handed from the declaration, and the checker tells wrong arguments in
 * templates with their places, as it does for the filters of the language.
 * @throws EngineOptionError for a name that no template can write
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
    named: named === undefined ? null : namedOf(named),
    result: typeOf(result),
    needsRender: false,
    suspends,
    fallible: true,
    deprecated: null,
    summary: '',
  }
  const take = kinds.map(conversion)
  const group = named === undefined ? [] : [namedConversion(named)]
  // The conversions give `run` the types that its declaration promises.
  return new HostFilter(name, signature, called(run as Call, [...take, ...group], resultConversion(result), suspends))
}

function parameterOf(kind: MaybeKind, at: number): FilterParameter {
  return { name: at === 0 ? 'input' : `argument ${at}`, kind: baseOf(kind), optional: at > 0 && isOptional(kind) }
}

function namedOf(named: NamedKinds): NonNullable<FilterSignature['named']> {
  const kinds = Object.values(named)
  return { names: Object.keys(named), open: false, required: kinds.some((kind) => !isOptional(kind)) }
}

/** Makes the object of named arguments: each of its kind. */
function namedConversion(named: NamedKinds): (value: unknown) => unknown {
  const conversions = Object.entries(named).map(([name, kind]) => [name, conversion(kind)] as const)
  return (value) => {
    const given = isRecord(value) ? value : {}
    return Object.fromEntries(
      conversions.map(([name, convert]) => [name, convert(Object.hasOwn(given, name) ? given[name] : undefined)]),
    )
  }
}

type Convert = (value: unknown) => unknown

/** The function with its arguments and its result converted. Those of few arguments are written out, since they are called in loops. */
function called(run: Call, take: readonly Convert[], give: Convert, suspends: boolean): Call {
  if (suspends) return async (...args) => give(await run(...take.map((convert, at) => convert(args[at]))))
  const [first = give, second = give, third = give] = take
  switch (take.length) {
    case 1:
      return (a) => give(run(first(a)))
    case 2:
      return (a, b) => give(run(first(a), second(b)))
    case 3:
      return (a, b, c) => give(run(first(a), second(b), third(c)))
    default:
      return (...args) => give(run(...take.map((convert, at) => convert(args[at]))))
  }
}
