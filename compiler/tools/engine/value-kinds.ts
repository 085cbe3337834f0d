/** Kinds of values in declarations of custom filters and tags: their TypeScript types, their checker types, and their conversions. */
import { BOOLEAN, NIL, NUMBER, SAFE, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { joinAll } from '../../language/types/relate.ts'
import * as runtime from '../../../runtime/index.ts'
import { toNumeral, toNumber } from '../../../runtime/page/values/number.ts'
import { isRecord } from '../../core/source/records.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'

/** Kinds by name, with their TypeScript types. */
interface KindTypes {
  /** Any value as text; nil is the empty text. */
  readonly text: string
  /** A number. A text becomes its leading number, any other value 0. */
  readonly number: number
  /** The truth of a value: everything except nil and false is true. */
  readonly boolean: boolean
  /** The elements of an array or a range. Nil becomes an empty list, any other value a list with one element. */
  readonly list: readonly unknown[]
  /** A hash. Any other value has no keys. */
  readonly hash: Readonly<Record<string, unknown>>
  /** The unconverted value; nil is null. */
  readonly value: unknown
}

export type Kind = keyof KindTypes
/** A kind, with a question mark if the value is optional. */
export type MaybeKind = Kind | `${Kind}?`
/** The kinds of named arguments. */
export type NamedKinds = Readonly<Record<string, MaybeKind>>
/** The kind of a filter's result, or `html` for text that is printed without escaping. A question mark allows nil. */
export type ResultKind = MaybeKind | 'html' | 'html?'

/** The type of a function's parameter of this kind. */
export type ParameterOf<Declared extends MaybeKind> = Declared extends `${infer Base extends Kind}?`
  ? KindTypes[Base] | undefined
  : Declared extends Kind
    ? KindTypes[Declared]
    : never

export type ParametersOf<Declared extends readonly MaybeKind[]> = {
  -readonly [At in keyof Declared]: ParameterOf<Declared[At]>
}

export type NamedParametersOf<Declared extends NamedKinds> = {
  readonly [Name in keyof Declared]: ParameterOf<Declared[Name]>
}

/** The type of a function's result of this kind. */
export type ResultOf<Declared extends ResultKind> = Declared extends 'html'
  ? string
  : Declared extends 'html?'
    ? string | null | undefined
    : Declared extends `${infer Base extends Kind}?`
      ? KindTypes[Base] | null | undefined
      : Declared extends Kind
        ? KindTypes[Declared]
        : never

export function isOptional(kind: string): boolean {
  return kind.endsWith('?')
}

/** Returns the kind without its question mark. */
export function baseOf<Base extends Kind | 'html'>(kind: Base | `${Base}?`): Base {
  // The cast is safe: without its question mark, a kind is a base kind.
  return kind.replace('?', '') as Base
}

export type Convert = (value: unknown) => unknown

const CONVERSIONS: Readonly<Record<Kind, Convert>> = {
  text: runtime.str,
  number: (value) => (typeof value === 'number' ? value : toNumber(toNumeral(value))),
  boolean: runtime.truthy,
  list: (value) =>
    Array.isArray(value) || value === null || value === undefined ? runtime.iterate(value) : listOf(value),
  hash: (value) => {
    const hosted = runtime.hosted(value)
    return isHash(hosted) ? hosted : {}
  },
  value: (value) => runtime.hosted(value) ?? null,
}

function listOf(value: unknown): readonly unknown[] {
  return isHash(value) || typeof value === 'string' ? [value] : runtime.iterate(value)
}

/** Returns a function that converts a template value to the kind. A missing value is passed as nil. */
export function conversion(kind: MaybeKind): Convert {
  const convert = CONVERSIONS[baseOf(kind)]
  return isOptional(kind) ? (value) => (value === undefined || value === null ? undefined : convert(value)) : convert
}

/** Returns a function that converts an object of named arguments to their kinds. */
export function namedConversion(named: NamedKinds): (value: unknown) => Readonly<Record<string, unknown>> {
  const conversions = Object.entries(named).map(([name, kind]) => [name, conversion(kind)] as const)
  return (value) => {
    const givenValues = isRecord(value) ? value : {}
    return Object.fromEntries(
      conversions.map(([name, convert]) => [
        name,
        convert(Object.hasOwn(givenValues, name) ? givenValues[name] : undefined),
      ]),
    )
  }
}

/** Returns a function that converts a result to the kind. Host code may be plain JavaScript, so its results are not type-checked. */
export function resultConversion(kind: ResultKind): Convert {
  const convert: Convert =
    kind === 'html' || kind === 'html?' ? (value) => new runtime.Safe(runtime.str(value)) : CONVERSIONS[baseOf(kind)]
  return isOptional(kind) ? (value) => (value === undefined || value === null ? null : convert(value)) : convert
}

/** Returns the checker's type of a kind. */
export function typeOf(kind: ResultKind): Type {
  const type = TYPES[baseOf(kind)]
  return isOptional(kind) ? joinAll([type, NIL]) : type
}

const TYPES: Readonly<Record<Kind | 'html', Type>> = {
  text: STRING,
  html: SAFE,
  number: NUMBER,
  boolean: BOOLEAN,
  list: { kind: 'list', element: UNKNOWN },
  hash: { kind: 'hash', element: UNKNOWN },
  value: UNKNOWN,
}
