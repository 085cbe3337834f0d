/** Builds a statement: its parameters and aliases, and the problems and index needs found on the way. */
import { identifier, literal, parameter, sql, type Sql, type SqlStatement } from '../sql/sql.ts'
import { arrayText } from '../sql/quote.ts'
import {
  type Build,
  type BuildOptions,
  type Cast,
  type Catalog,
  type Leaf,
  type IndexNeed,
  type ParameterHost,
  type Problem,
  problemKey,
  QueryError,
  valueError,
  type Source,
} from './model.ts'
import type { RowAccess } from './row-access.ts'

/** PostgreSQL numbers the parameters of a statement with 16 bits. */
const MAX_PARAMETERS = 65_535

const TOO_MANY_PARAMETERS: Problem = {
  code: 'value',
  message: `An operation can compare or write at most ${MAX_PARAMETERS} separate values.`,
  range: null,
  hint: 'Pass them as one list.',
  mistake: { kind: 'limit', name: 'parameters' },
}

type Convert = (value: unknown, host: ParameterHost) => unknown

/** The source of a parameter's value, with the conversion of the value. */
class ParameterSource {
  readonly #source: Source | 'viewer'
  readonly #cast: Cast
  readonly #convert: Convert | null

  constructor(source: Source | 'viewer', cast: Cast, convert: Convert | null) {
    this.#source = source
    this.#cast = cast
    this.#convert = convert
  }

  /** @throws QueryError */
  value(variables: Readonly<Record<string, unknown>>, viewer: string | null, host: ParameterHost): unknown {
    const value = this.#source === 'viewer' ? viewer : sourceValue(this.#source, variables)
    if (this.#convert === null) return parameterText(value, this.#cast, true)
    const converted = this.#convert(value, host)
    return converted instanceof Promise
      ? deferredParameterText(converted, this.#cast)
      : parameterText(converted, this.#cast, false)
  }
}

/**
 * Returns the parameter values of one execution, in the order of the parameters.
 * @throws QueryError for a value that cannot be a parameter
 */
export function boundValues(
  { values }: SqlStatement,
  variables: Readonly<Record<string, unknown>>,
  viewer: string | null,
  host: ParameterHost,
): unknown[] {
  return values.map((value) => (value instanceof ParameterSource ? value.value(variables, viewer, host) : value))
}

/** A `Build` that also collects the problems, index needs and row accesses of the statement. */
export interface CollectingBuild extends Build {
  readonly problems: readonly Problem[]
  readonly needs: readonly IndexNeed[]
  readonly rowAccesses: readonly RowAccess[]
  /** Undeclared properties that a caller of the document can write; null when a caller can write any. */
  readonly undeclaredWrites: readonly string[] | null
  /** Whether a part of the statement or of its result is computed asynchronously. */
  readonly hasDeferred: boolean
  /** Whether the result has parts that other sites answer. */
  readonly hasRemote: boolean
}

/**
 * Creates a build for one statement.
 * @param tolerant whether problems are collected, for the compiler; otherwise the first problem is thrown
 * @param alwaysGivenNames names of variables that have a value in every execution
 */
export function createBuild(
  catalog: Catalog,
  options: BuildOptions,
  tolerant: boolean,
  alwaysGivenNames: ReadonlySet<string> = new Set(),
): CollectingBuild {
  let count = 0
  const sharedParameters = new Map<string, Sql>()
  const problems: Problem[] = []
  const needs: IndexNeed[] = []
  const rowAccesses: RowAccess[] = []
  const aliases = new Map<string, number>()
  let isDeferred = false
  let isRemote = false
  const undeclaredNames = new Set<string>()
  let allowsAnyUndeclared = false

  const bindSource = (source: Source | 'viewer', cast: Cast, convert: Convert | null): Sql => {
    // Only parameters without a conversion are shared, because functions cannot be compared.
    const key = convert === null ? `${cast} ${JSON.stringify(source)}` : null
    const existingParameter = key === null ? undefined : sharedParameters.get(key)
    if (existingParameter !== undefined) return existingParameter
    if (++count > MAX_PARAMETERS) throw new QueryError([TOO_MANY_PARAMETERS])
    const newParameter = parameter(new ParameterSource(source, cast, convert), cast)
    if (key !== null) sharedParameters.set(key, newParameter)
    return newParameter
  }

  const collectProblem = (problem: Problem): void => {
    if (!problems.some((each) => isSameProblem(each, problem))) problems.push(problem)
  }

  return {
    catalog,
    options,
    problems,
    needs,
    rowAccesses,
    get hasDeferred() {
      return isDeferred
    },
    markDeferred() {
      isDeferred = true
    },
    get hasRemote() {
      return isRemote
    },
    markRemote() {
      isRemote = true
    },
    bind: (leaf: Leaf, cast, convert) => bindSource(leaf.source, cast, convert ?? null),
    currentUserId: () => bindSource('viewer', 'bigint', null),
    nameLiteral(name) {
      if (name.includes('\0')) throw new QueryError([invalidNameProblem(name)])
      return sql`${literal(name)}::text`
    },
    newAlias(hint) {
      const base = /^[a-z][a-z_]{0,20}$/.test(hint) ? hint : 't'
      const number = (aliases.get(base) ?? 0) + 1
      aliases.set(base, number)
      return identifier(`${base}${number}`)
    },
    isOptional({ source }) {
      if (source.kind !== 'variable') return false
      const [name, ...inner] = source.path
      return inner.length > 0 || !alwaysGivenNames.has(String(name))
    },
    reportProblem(problem) {
      if (!tolerant) throw new QueryError([problem])
      collectProblem(problem)
    },
    reportToCompiler(problem) {
      if (tolerant) collectProblem(problem)
    },
    allowUndeclaredWrite(property) {
      if (property === undefined) allowsAnyUndeclared = true
      else undeclaredNames.add(property)
    },
    get undeclaredWrites() {
      return allowsAnyUndeclared ? null : [...undeclaredNames]
    },
    addIndexNeed: (need) => void needs.push(need),
    addRowAccess: (access) => void rowAccesses.push(access),
  }
}

function isSameProblem(a: Problem, b: Problem): boolean {
  return problemKey(a) === problemKey(b)
}

function invalidNameProblem(name: string): Problem {
  return {
    code: 'value',
    message: `The name ${JSON.stringify(name)} contains the character NUL, which names cannot contain.`,
    range: null,
    hint: null,
    mistake: { kind: 'refused value', name },
  }
}

/** Returns the value at a source; undefined when the variables do not contain it. Reads own keys only. */
export function sourceValue(source: Source, variables: Readonly<Record<string, unknown>>): unknown {
  switch (source.kind) {
    case 'constant':
      return source.value
    case 'list':
      return source.items.map((item) => sourceValue(item, variables) ?? null)
    case 'object':
      return Object.fromEntries(
        source.fields
          .map(([name, item]) => [name, sourceValue(item, variables)] as const)
          .filter(([, value]) => value !== undefined),
      )
    case 'variable': {
      let value: unknown = variables
      for (const key of source.path) {
        if (!hasOwnKey(value, key)) return undefined
        value = value[key]
      }
      return value
    }
  }
}

/** Returns whether a value is an object or a list with its own value under a key. */
function hasOwnKey(value: unknown, key: string | number): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

/**
 * Converts a value to the text of a parameter.
 * @param sourceValue whether a JSON value has not been converted to text yet
 * @throws QueryError for a value without a text
 */
function parameterText(value: unknown, cast: Cast, sourceValue: boolean): string | null {
  if (value === null || value === undefined) return null
  const text =
    cast === 'jsonb' && sourceValue
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? arrayText(value)
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value)
  // PostgreSQL cannot store NUL in texts or JSON.
  if (text.includes('\0')) throw nulError()
  return cast === 'jsonb' ? replaceLoneSurrogates(text) : text
}

function deferredParameterText(value: Promise<unknown>, cast: Cast): Promise<string | null> {
  const text = value.then((value) => parameterText(value, cast, false))
  // Marks the promise as handled. Otherwise its rejection would be unhandled when another parameter fails first.
  text.catch(() => undefined)
  return text
}

function nulError(): QueryError {
  return valueError('A value contains the character NUL, which cannot be stored or compared.')
}

/** Replaces unpaired surrogates in JSON, which PostgreSQL rejects, by the replacement character. */
function replaceLoneSurrogates(json: string): string {
  if (!json.includes('\\u')) return json
  return json.replace(/\\(?:\\|u[0-9a-f]{4}(?:(?<=\\ud[89ab]..)\\ud[c-f][0-9a-f]{2})?)/gi, (escape) => {
    if (escape.toLowerCase() === '\\u0000') throw nulError()
    return /^\\ud[89a-f]..$/i.test(escape) ? '\\ufffd' : escape
  })
}
