/** Emits values that the host provides by name: `context` of a request, and `form` where a form configuration is rendered. */
import { type Code, ident, list, member, object, property, string, typed } from '../../core/model/code.ts'
import { byKind, type LinkedGroup, type LinkedNested } from '../../core/model/form.ts'
import type { Site } from '../../core/model/site.ts'
import type { Unit } from '../../core/model/unit.ts'
import { CONTEXT_PARTS, type PartKind, type PartKinds } from '../../language/types/context.ts'
import {
  BOOLEAN_VALUE,
  HASH_VALUE,
  NUMBER_VALUE,
  optional,
  TEXT_VALUE,
  UNKNOWN_VALUE,
  type ValueType,
} from '../../core/model/value-type.ts'

/** Returns whether `context` is the request object of a server. In a library, the caller provides it. */
function hasRequest({ dialect, openEntries, takesHosted }: Site): boolean {
  return dialect === 'platform' && !openEntries && !takesHosted
}

const SIMPLE_VALUES: Readonly<Record<Exclude<PartKind, PartKinds>, ValueType>> = {
  hash: HASH_VALUE,
  text: TEXT_VALUE,
  number: NUMBER_VALUE,
  flag: BOOLEAN_VALUE,
}

/**
 * Returns the code of `context`, with the types of its fields if a server provides it.
 * @param byParts only its fields are read, by name, so that the server need not create a hash of all of them
 */
export function requestCode(site: Site, byParts: boolean): Code {
  if (!hasRequest(site)) return member(RENDER, 'whole')
  return typed(member(RENDER, byParts ? 'request' : 'wholeRequest'), REQUEST_VALUE)
}

const RENDER = ident('r')
const REQUEST_VALUE: ValueType = { ...recordOf(CONTEXT_PARTS), isNeverReplaced: true }

function recordOf(parts: PartKinds): Extract<ValueType, { kind: 'record' }> {
  return record(
    Object.entries(parts).map(([name, kind]) => [
      name,
      typeof kind === 'string' ? SIMPLE_VALUES[kind] : recordOf(kind),
    ]),
  )
}

/** Returns a record type whose fields may all be missing. */
function record(parts: Iterable<readonly [string, ValueType]>): Extract<ValueType, { kind: 'record' }> {
  return { kind: 'record', fields: new Map([...parts].map(([name, type]) => [name, optional(type)])) }
}

// ---- forms ------------------------------------------------------------------------------------------------------------

/** The `form` object of a configuration: its type, and the names of its fields, with which the runtime recognizes it. */
export interface FormValue {
  readonly type: ValueType
  readonly names: Code
}

/** Returns null for a file that is not a form, and for a form without a known resource. */
export function formValueOf(site: Site, { file }: Unit): FormValue | null {
  const form = hasRequest(site) ? site.formSchemas.get(file.path) : undefined
  if (form === undefined) return null
  const parts = [...valueParts(form.fields), ['fields', groupRecord(form.fields)] as const]
  parts.push(['metadata', UNKNOWN_VALUE])
  for (const name of ['id', 'name', 'action', 'resource', 'resource_owner']) parts.push([name, TEXT_VALUE])
  for (const name of ['errors', 'system_fields', 'changes']) parts.push([name, HASH_VALUE])
  return { type: { ...record(parts), isNeverReplaced: true }, names: namesCode(form.fields) }
}

const FIELD_VALUE: ValueType = record([
  ['name', TEXT_VALUE],
  ['value', UNKNOWN_VALUE],
  ['validation', HASH_VALUE],
  ['property_options', HASH_VALUE],
])

/** Returns the type of `form.fields`, or of the fields of a nested resource. */
function groupRecord(group: LinkedGroup): ValueType {
  const fields = (section: 'attributes' | 'properties') =>
    group[section].map(({ name }): readonly [string, ValueType] => [name, FIELD_VALUE])
  return record([
    ...fields('attributes'),
    ['properties', record(fields('properties'))],
    ...nestedParts(group, ({ fields: inner }) => groupRecord(inner)),
  ])
}

/** Returns the types of the values of the fields. */
function valueParts(group: LinkedGroup): (readonly [string, ValueType])[] {
  const values = (section: 'attributes' | 'properties') =>
    group[section].map(({ name }): readonly [string, ValueType] => [name, UNKNOWN_VALUE])
  return [
    ...values('attributes'),
    ['properties', record(values('properties'))],
    ...nestedParts(group, ({ fields: inner }) => record(valueParts(inner))),
  ]
}

function nestedParts(
  group: LinkedGroup,
  typeOf: (nested: LinkedNested) => ValueType,
): (readonly [string, ValueType])[] {
  return [...byKind(group)].map(([kind, each]) => [kind, record(each.map((of) => [of.name, typeOf(of)]))])
}

function namesCode(group: LinkedGroup): Code {
  const names = (fields: readonly { readonly name: string }[]) => list(fields.map(({ name }) => string(name)))
  const kinds = [...byKind(group)].map(([kind, each]) =>
    property(kind, object(each.map(({ name, fields }) => property(name, namesCode(fields))))),
  )
  return object([
    property('attributes', names(group.attributes)),
    property('properties', names(group.properties)),
    property('nested', object(kinds)),
  ])
}
