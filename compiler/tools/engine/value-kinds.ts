/** The kinds of values that filters and tags of a host declare, as TypeScript knows them, as the checker does, and how they are made. */
import { BOOLEAN, NIL, NUMBER, SAFE, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { joinAll } from '../../language/types/relate.ts'
import * as runtime from '../../../runtime/index.ts'
import { toNumeral, toNumber } from '../../../runtime/page/values/number.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'

/** Kinds of values by their names, with the types of TypeScript that stand for them. */
interface KindTypes {
  /** Any value as text; nil is the empty text. */
  readonly text: string
  /** A number; a text counts as the number that it begins with, anything else as 0. */
  readonly number: number
  /** Whether the value holds: all but nil and false do. */
  readonly boolean: boolean
  /** The elements of an array or a range; nil has none, and any other value is one. */
  readonly list: readonly unknown[]
  /** A hash; anything else has no keys. */
  readonly hash: Readonly<Record<string, unknown>>
  /** The value as it is; nil is null. */
  readonly value: unknown
}

export type Kind = keyof KindTypes
/** A kind, with a question mark where the value may be left out. */
export type MaybeKind = Kind | `${Kind}?`
/** What a filter gives: a kind, or `html` for text that is not escaped when it is printed. With a question mark it may be nil. */
export type ResultKind = MaybeKind | 'html' | 'html?'

/** The type of what a function is handed for a kind. */
export type Taken<Declared extends MaybeKind> = Declared extends `${infer Base extends Kind}?`
  ? KindTypes[Base] | undefined
  : Declared extends Kind
    ? KindTypes[Declared]
    : never

export type TakenAll<Declared extends readonly MaybeKind[]> = {
  -readonly [At in keyof Declared]: Taken<Declared[At]>
}

export type TakenNamed<Declared extends Readonly<Record<string, MaybeKind>>> = {
  readonly [Name in keyof Declared]: Taken<Declared[Name]>
}

/** The type of what a function has to give for a kind. */
export type Given<Declared extends ResultKind> = Declared extends 'html'
  ? string
  : Declared extends 'html?'
    ? string | null | undefined
    : Declared extends `${infer Base extends Kind}?`
      ? KindTypes[Base] | null | undefined
      : Declared extends Kind
        ? KindTypes[Declared]
        : never

export const KINDS: readonly Kind[] = ['text', 'number', 'boolean', 'list', 'hash', 'value']

export function isOptional(kind: string): boolean {
  return kind.endsWith('?')
}

/** The kind without its question mark. */
export function baseOf<Base extends Kind | 'html'>(kind: Base | `${Base}?`): Base {
  // Only the question mark is removed.
  return kind.replace('?', '') as Base
}

type Convert = (value: unknown) => unknown

const CONVERSIONS: Readonly<Record<Kind, Convert>> = {
  text: runtime.str,
  number: (value) => (typeof value === 'number' ? value : toNumber(toNumeral(value))),
  boolean: runtime.truthy,
  list: (value) =>
    Array.isArray(value) || value === null || value === undefined ? runtime.iterate(value) : listOf(value),
  hash: (value) => {
    const seen = runtime.hosted(value)
    return isHash(seen) ? seen : {}
  },
  value: (value) => runtime.hosted(value) ?? null,
}

function listOf(value: unknown): readonly unknown[] {
  return isHash(value) || typeof value === 'string' ? [value] : runtime.iterate(value)
}

/** What makes a value that a template hands over one of the kind; nil stands for what is left out. */
export function conversion(kind: MaybeKind): Convert {
  const convert = CONVERSIONS[baseOf(kind)]
  return isOptional(kind) ? (value) => (value === undefined || value === null ? undefined : convert(value)) : convert
}

/** What makes a value that a function of the host gives one of the kind, also where TypeScript did not see to it. */
export function resultConversion(kind: ResultKind): Convert {
  const convert: Convert =
    kind === 'html' || kind === 'html?' ? (value) => new runtime.Safe(runtime.str(value)) : CONVERSIONS[baseOf(kind)]
  return isOptional(kind) ? (value) => (value === undefined || value === null ? null : convert(value)) : convert
}

/** The type of a kind, as the checker knows it. */
export function typeOf(kind: ResultKind): Type {
  const type = TYPES[baseOf(kind)]
  return isOptional(kind) ? joinAll([type, NIL]) : type
}

const TYPES: Readonly<Record<Kind | 'html', Type>> = {
  text: STRING,
  html: SAFE,
  number: NUMBER,
  boolean: BOOLEAN,
  list: { kind: 'list', of: UNKNOWN },
  hash: { kind: 'hash', of: UNKNOWN },
  value: UNKNOWN,
}
