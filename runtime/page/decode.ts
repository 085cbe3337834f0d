/**
 * Decoders that check whether values from outside have a type. Accepted values are returned unchanged, without copying. Emitted code
 * combines decoders, and TypeScript infers the type from the parts.
 */
import { isHash } from './values/hash.ts'
import { isNumber, type Numeral } from './values/number.ts'
import { Safe } from './values/safe.ts'

export interface Decoder<Type> {
  /** The kinds of values that are always accepted. Most values need no other check. */
  readonly kinds: number
  /** Checks whether a value, including all its parts, has the type. */
  readonly accepts: (value: unknown) => value is Type
  /** Describes where and why a value is not accepted: `results[3].id is a number, not a text`. */
  readonly explainMismatch: (value: unknown, path: string) => string
}

type Decoders = Readonly<Record<string, Decoder<unknown>>>

/** The type of an object with decoders for its keys. */
type Decoded<Parts extends Decoders> = {
  readonly [Key in keyof Parts]: Parts[Key] extends Decoder<infer Type> ? Type : never
}

// Kinds of values

const NULL = 1
const TEXT = 2
const NUMBER = 4
const BOOLEAN = 8
const OTHER = 16

function kindBit(value: unknown): number {
  if (typeof value === 'string') return TEXT
  if (value === null) return NULL
  if (typeof value === 'number') return NUMBER
  return typeof value === 'boolean' ? BOOLEAN : OTHER
}

// Scalars

export const text = plain('a text', TEXT, (value): value is string => typeof value === 'string')
export const number = plain('a number', NUMBER, (value): value is number => typeof value === 'number')
export const numeral = plain('a number', NUMBER, (value): value is Numeral => isNumber(value))
export const flag = plain('a boolean', BOOLEAN, (value): value is boolean => typeof value === 'boolean')
export const anything = plain('a value', NULL | TEXT | NUMBER | BOOLEAN | OTHER, (_value): _value is unknown => true)

/** Text that templates print unescaped. */
export const markup = plain(
  'a text',
  TEXT,
  (value): value is string | Safe => typeof value === 'string' || value instanceof Safe,
)

/** Returns a decoder that accepts one of these texts. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Decoder<Word> {
  const accepted: ReadonlySet<unknown> = new Set(words)
  return plain(words.join(' or '), 0, (value): value is Word => accepted.has(value))
}

function plain<Type>(expected: string, kinds: number, accepts: Decoder<Type>['accepts']): Decoder<Type> {
  return { kinds, accepts, explainMismatch: (value, path) => `${path} is ${describeKind(value)}, not ${expected}` }
}

/** Describes the kind of a value for error messages. Texts are not shown, because they may be secret. */
function describeKind(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return 'a text'
  if (value instanceof Safe) return 'markup'
  if (Array.isArray(value)) return 'a list'
  if (isNumber(value)) return 'a number'
  return typeof value === 'boolean' ? 'a boolean' : 'an object'
}

// Lists and objects

export function nullable<Type>({ kinds, accepts, explainMismatch }: Decoder<Type>): Decoder<Type | null> {
  return {
    kinds: kinds | NULL,
    accepts: (value): value is Type | null => value === null || accepts(value),
    explainMismatch,
  }
}

export function listOf<Type>({ accepts, explainMismatch }: Decoder<Type>): Decoder<readonly Type[]> {
  return {
    kinds: 0,
    accepts: (value): value is readonly Type[] => Array.isArray(value) && value.every(accepts),
    explainMismatch(value, path) {
      if (!Array.isArray(value)) return `${path} is ${describeKind(value)}, not a list`
      const at = value.findIndex((item) => !accepts(item))
      return explainMismatch(value[at], `${path}[${at}]`)
    },
  }
}

/**
 * Returns a decoder for an object with these keys, and possibly others.
 * @param optional keys that may be missing
 */
export function record<Parts extends Decoders, Optional extends Decoders = Record<never, never>>(
  parts: Parts,
  optional?: Optional,
): Decoder<Decoded<Parts> & Partial<Decoded<Optional>>> {
  const required = Object.entries(parts)
  const others = Object.entries(optional ?? {})
  return {
    kinds: 0,
    accepts(value): value is Decoded<Parts> & Partial<Decoded<Optional>> {
      if (!isHash(value)) return false
      let matched = 0
      // Results have their keys in the order of the document, so most keys are checked without a look-up.
      for (const key in value) {
        const expectedPair = required[matched]
        if (expectedPair === undefined || key !== expectedPair[0]) break
        if (!fits(value[key], expectedPair[1])) return false
        matched++
      }
      for (let expectedPair = required[matched]; expectedPair !== undefined; expectedPair = required[++matched])
        if (!fits(value[expectedPair[0]], expectedPair[1])) return false
      // Reads own keys only, so that a missing key is not found on the prototype.
      for (const [key, { accepts }] of others) if (Object.hasOwn(value, key) && !accepts(value[key])) return false
      return true
    },
    explainMismatch(value, path) {
      if (!isHash(value)) return `${path === '' ? 'the result' : path} is ${describeKind(value)}, not an object`
      const present = [...required, ...others.filter(([key]) => Object.hasOwn(value, key))]
      const wrongPair = present.find(([key, { accepts }]) => !accepts(value[key]))
      if (wrongPair === undefined) return `${path} is valid`
      const [key, { explainMismatch }] = wrongPair
      return explainMismatch(value[key], path === '' ? key : `${path}.${key}`)
    },
  }
}

function fits(value: unknown, { kinds, accepts }: Decoder<unknown>): boolean {
  return (kindBit(value) & kinds) !== 0 || accepts(value)
}

// Results of operations

/** An error of an operation. */
interface AnswerError {
  readonly message: string
  readonly locations?: unknown
  readonly path?: unknown
  readonly extensions?: unknown
}

/** The result of an operation for a template: failed root fields are null or missing, and `errors` says why. */
export type Answer<Result> = {
  readonly [Key in keyof Result | 'errors']?:
    | (Key extends keyof Result ? Result[Key] : never)
    | (Key extends 'errors' ? readonly AnswerError[] : never)
    | null
}

const ERRORS = listOf(record({ message: text }, { locations: anything, path: anything, extensions: anything }))

/** Returns the decoder for the result of an operation, from the decoders of its root fields. */
export function answer<Roots extends Decoders>(roots: Roots): Decoder<Answer<Decoded<Roots>>> {
  const { errors: own, ...others } = roots
  const errors = own === undefined ? ERRORS : either(ERRORS, own)
  const parts = Object.entries({ ...others, errors }).map(([key, decoder]) => [key, nullable(decoder)] as const)
  const { kinds, accepts, explainMismatch } = record({}, Object.fromEntries(parts))
  return { kinds, accepts: (value): value is Answer<Decoded<Roots>> => accepts(value), explainMismatch }
}

function either<One, Other>(one: Decoder<One>, other: Decoder<Other>): Decoder<One | Other> {
  return {
    kinds: one.kinds | other.kinds,
    accepts: (value): value is One | Other => one.accepts(value) || other.accepts(value),
    explainMismatch: other.explainMismatch,
  }
}
