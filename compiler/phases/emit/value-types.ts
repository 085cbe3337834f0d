/** Maps the known types of values to their types in emitted TypeScript. */
import type { LiteralValue } from '../../core/tree/ast.ts'
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
import { derived } from '../../core/model/derived.ts'

/** Matches the characters that at least one page format escapes. */
const MARKUP = /["'&<>]/

/** Returns the static type of the value of the code, from its kind or its recorded type. */
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
      return literalList(code.items)
    case 'object':
      return FIELDS_VALUE
    default:
      return UNKNOWN_VALUE
  }
}

/** Returns the type of a new list. Its elements have a type if they are scalar values of the same type. */
function literalList(items: readonly Code[]): ValueType {
  const [first = UNKNOWN_VALUE, ...rest] = items.map(valueOf)
  const element = rest.reduce(joinValues, first)
  return isScalarValue(element) ? { kind: 'list', element } : LIST_VALUE
}

/** Returns the type of a known text. */
function textValue(text: string): ValueType {
  return MARKUP.test(text) ? TEXT_VALUE : PLAIN_VALUE
}

/** Returns the static type of a literal in a template. */
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

/** Returns whether the value of the code is definitely a text, a number or a boolean. */
export function isScalar(code: Code): boolean {
  return isScalarValue(valueOf(code))
}

type ResultDeclaration = Pick<FilterSignature, 'result' | 'encoded'>

/** Returns the result type of a filter from its TypeScript declaration. */
export const resultValue = derived(({ result, encoded }: ResultDeclaration): ValueType => {
  if (encoded === true) return UNKNOWN_VALUE
  const types = members(result)
  const nonNil = types.filter(({ kind }) => kind !== 'nil')
  const [first, ...otherTypes] = nonNil
  if (first === undefined) return NIL_VALUE
  const value = otherTypes.reduce((joined, each) => joinValues(joined, memberValue(each)), memberValue(first))
  return nonNil.length < types.length ? optional(value) : value
})

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
      // A text that is marked as safe is an object.
      return type.safe === undefined ? TEXT_VALUE : UNKNOWN_VALUE
    case 'list':
      return LIST_VALUE
    case 'hash':
      return FIELDS_VALUE
    default:
      return UNKNOWN_VALUE
  }
}

/** Returns the result type of a stored operation from its generated type. Any root field may be missing. */
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
      return { kind: 'list', element: answerPart(type.inner) }
    case 'nullable':
      return optional(answerPart(type.inner))
    case 'object': {
      const parts = type.fields.map(({ key, type: part, isOptional }): [string, ValueType] => {
        const value = answerPart(part)
        return [key, isOptional ? optional(value) : value]
      })
      return { kind: 'record', fields: new Map(parts) }
    }
  }
}

/** The types of scalars in the schema. An `Int` that a property stores need not be an integer. */
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

/** Returns the static type of a part of a value; undefined if the part is not known. */
export function partOf(type: ValueType, key: string): ValueType | undefined {
  return type.kind === 'record' ? (type.fields.get(key) ?? (type.open ? UNKNOWN_VALUE : undefined)) : undefined
}

/** Returns the definite type of a part that may have been changed. `known`: its type wherever it is read. */
export function definitePart(type: ValueType, knownType: Type | undefined): ValueType {
  const isCertain = withoutNil(type).kind === 'record' || (knownType !== undefined && isDefinitely(type, knownType))
  return isCertain ? type : UNKNOWN_VALUE
}

/** Returns whether `definitePart` uses the known type of a part. */
export function isDecidedByFacts(type: ValueType): boolean {
  const { kind } = withoutNil(type)
  return kind !== 'record' && kind !== 'unknown'
}

/** Returns whether all values of the type have the JavaScript representation of the static type. */
function hasSameRepresentation(value: ValueType, type: Type): boolean {
  switch (type.kind) {
    case 'string':
      return value.kind === 'text' && type.safe === undefined
    case 'integer':
    case 'float':
    case 'number':
      return isNumberValue(value)
    case 'boolean':
      return value.kind === 'boolean'
    case 'list':
      return value.kind === 'list' && (value.element === undefined || isDefinitely(value.element, type.element))
    default:
      return false
  }
}

/** Returns whether all values of a known type have the JavaScript representation of the static type. */
function isDefinitely(value: ValueType, type: Type): boolean {
  // The fields of a record are checked where they are read.
  if (withoutNil(value).kind === 'record') return true
  const kinds = members(type)
  return (
    kinds.length > 0 &&
    kinds.every((each) =>
      each.kind === 'nil' ? value.kind === 'optional' : hasSameRepresentation(withoutNil(value), each),
    )
  )
}

/** Returns the type in TypeScript. `runtime`: imports a type of the runtime. */
export function typeCodeOf(type: ValueType, runtime: (name: string) => TypeCode): TypeCode {
  switch (type.kind) {
    case 'unknown':
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
      return typeUnion(typeCodeOf(type.inner, runtime), typeNamed('null'), typeNamed('undefined'))
  }
}
