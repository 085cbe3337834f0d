/** From what is known of a value to its type in emitted TypeScript. */
import type { LiteralValue } from '../../core/model/ast.ts'
import { type Code, type TypeCode, typeList, typeNamed, typeUnion } from '../../core/model/code.ts'
import type { SchemaResultObject, SchemaResultType } from '../../core/model/operation.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import type { Type } from '../../core/model/type.ts'
import {
  BOOLEAN_VALUE,
  COUNT_VALUE,
  FIELDS_VALUE,
  withoutNil,
  INTEGER_VALUE,
  isNumberValue,
  isScalarValue,
  joinValues,
  LIST_VALUE,
  NIL_VALUE,
  NUMBER_VALUE,
  optional,
  PLAIN_VALUE,
  TEXT_VALUE,
  UNKNOWN_VALUE,
  type ValueType,
} from '../../core/model/value-type.ts'
import { members } from '../../language/types/relate.ts'

/** Characters that some format of a page escapes. */
const MARKUP = /["'&<>]/

/** What TypeScript knows of the code's value: it is a literal, or what makes it says so. */
export function valueOf(code: Code): ValueType {
  if (code.type !== undefined) return code.type
  switch (code.kind) {
    case 'null':
    case 'undefined':
      return NIL_VALUE
    case 'boolean':
    case 'not':
      return BOOLEAN_VALUE
    case 'number':
      if (typeof code.value === 'bigint') return INTEGER_VALUE
      return Number.isInteger(code.value) ? COUNT_VALUE : NUMBER_VALUE
    case 'string':
      return textValue(code.value)
    case 'template':
      return TEXT_VALUE
    case 'list':
      return LIST_VALUE
    case 'object':
      return FIELDS_VALUE
    default:
      return UNKNOWN_VALUE
  }
}

/** The type of a text that is known. */
function textValue(text: string): ValueType {
  return MARKUP.test(text) ? TEXT_VALUE : PLAIN_VALUE
}

/** What TypeScript knows of a value that a template has as a literal. */
export function literalValue(literal: LiteralValue): ValueType {
  switch (literal.type) {
    case 'nil':
      return NIL_VALUE
    case 'blank':
    case 'empty':
      return PLAIN_VALUE
    case 'boolean':
      return BOOLEAN_VALUE
    case 'string':
      return textValue(literal.value)
    case 'integer':
      return typeof literal.value === 'bigint' ? INTEGER_VALUE : COUNT_VALUE
    case 'float':
      return Number.isInteger(literal.value) ? UNKNOWN_VALUE : NUMBER_VALUE
  }
}

/** Whether the code's value is surely a text, a number or a boolean. */
export function isScalar(code: Code): boolean {
  return isScalarValue(valueOf(code))
}

type Declared = Pick<FilterSignature, 'result' | 'encoded'>

const RESULTS = new WeakMap<Declared, ValueType>()

/** What a filter gives, as its declaration in TypeScript says it. */
export function resultValue(signature: Declared): ValueType {
  let known = RESULTS.get(signature)
  if (known === undefined) RESULTS.set(signature, (known = declaredResult(signature)))
  return known
}

function declaredResult({ result, encoded }: Declared): ValueType {
  if (encoded === true) return UNKNOWN_VALUE
  const all = members(result)
  const kept = all.filter(({ kind }) => kind !== 'nil')
  const [first, ...others] = kept
  if (first === undefined) return NIL_VALUE
  const value = others.reduce((joined, each) => joinValues(joined, memberValue(each)), memberValue(first))
  return kept.length < all.length ? optional(value) : value
}

function memberValue(type: Type): ValueType {
  switch (type.kind) {
    case 'boolean':
      return BOOLEAN_VALUE
    case 'integer':
      return INTEGER_VALUE
    case 'float':
    case 'number':
      return NUMBER_VALUE
    case 'string':
      // What is marked as safe is an object.
      return type.safe === undefined ? TEXT_VALUE : UNKNOWN_VALUE
    case 'list':
      return LIST_VALUE
    case 'hash':
      return FIELDS_VALUE
    default:
      return UNKNOWN_VALUE
  }
}

/** What a stored operation gives, as its generated type says it: any root field may be missing. */
export function answerValue({ fields }: SchemaResultObject): ValueType {
  return { kind: 'record', fields: new Map(fields.map(({ key, type }) => [key, optional(answerPart(type))])) }
}

function answerPart(type: SchemaResultType): ValueType {
  switch (type.kind) {
    case 'scalar':
      return SCALARS[type.name]
    case 'enum':
      return UNKNOWN_VALUE
    case 'list':
      return { kind: 'list', of: answerPart(type.of) }
    case 'nullable':
      return optional(answerPart(type.of))
    case 'object': {
      const parts = type.fields.map(({ key, type: part, isOptional }): [string, ValueType] => {
        const value = answerPart(part)
        return [key, isOptional ? optional(value) : value]
      })
      return { kind: 'record', fields: new Map(parts) }
    }
  }
}

/** Scalars of the schema. An `Int` that a property keeps need not be whole. */
const SCALARS: Readonly<Record<Extract<SchemaResultType, { kind: 'scalar' }>['name'], ValueType>> = {
  ID: TEXT_VALUE,
  String: TEXT_VALUE,
  Date: TEXT_VALUE,
  Markup: UNKNOWN_VALUE,
  Int: NUMBER_VALUE,
  Float: NUMBER_VALUE,
  Boolean: BOOLEAN_VALUE,
  JSON: UNKNOWN_VALUE,
}

/** What TypeScript takes a part of a value for; undefined where it knows of no such part. */
export function partOf(type: ValueType, key: string): ValueType | undefined {
  return type.kind === 'record' ? (type.fields.get(key) ?? (type.open ? UNKNOWN_VALUE : undefined)) : undefined
}

/** What remains sure of a part that may have been changed: `known` is what holds wherever it is read. */
export function surePart(type: ValueType, known: Type | undefined): ValueType {
  const value = withoutNil(type)
  if (value.kind === 'record') return type
  const kinds = known === undefined ? [] : members(known)
  const holds = kinds.length > 0 && kinds.every((each) => each.kind === 'nil' || isKept(value, each))
  return holds && (type.kind === 'optional' || kinds.every(({ kind }) => kind !== 'nil')) ? type : UNKNOWN_VALUE
}

/** Whether `surePart` looks at what is known of a part. */
export function isDecidedByFacts(type: ValueType): boolean {
  const { kind } = withoutNil(type)
  return kind !== 'record' && kind !== 'unknown'
}

/** Whether values of the type are kept as the value's are. */
function isKept(value: ValueType, type: Type): boolean {
  switch (type.kind) {
    case 'string':
      return value.kind === 'text' && type.safe === undefined
    case 'integer':
    case 'float':
    case 'number':
      return isNumberValue(value)
    case 'boolean':
    case 'list':
      return value.kind === type.kind
    default:
      return false
  }
}

/** The type in TypeScript. `runtime` makes a type of the runtime available. */
export function typeCodeOf(type: ValueType, runtime: (name: string) => TypeCode): TypeCode {
  switch (type.kind) {
    case 'unknown':
    case 'variable':
      return typeNamed('unknown')
    case 'nil':
      return typeUnion(typeNamed('null'), typeNamed('undefined'))
    case 'boolean':
      return typeNamed('boolean')
    case 'count':
      return typeNamed('number')
    case 'integer':
      return typeUnion(typeNamed('number'), typeNamed('bigint'))
    case 'number':
      return runtime('Numeral')
    case 'text':
      return typeNamed('string')
    case 'list':
      return typeList(typeNamed('unknown'))
    case 'fields':
    case 'record':
      return runtime('Fields')
    case 'optional':
      return typeUnion(typeCodeOf(type.of, runtime), typeNamed('null'), typeNamed('undefined'))
  }
}
