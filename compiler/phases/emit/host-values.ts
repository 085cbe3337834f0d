/** What the host gives by a name, as emitted code reads it: `context` of a request, and `form` where a form configuration is rendered. */
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

/** Whether `context` is the one that a server makes for a request: a library's is what its caller says. */
function hasRequest({ dialect, openEntries, takesHosted }: Site): boolean {
  return dialect === 'platform' && !openEntries && !takesHosted
}

const SIMPLE: Readonly<Record<Exclude<PartKind, PartKinds>, ValueType>> = {
  hash: HASH_VALUE,
  text: TEXT_VALUE,
  number: NUMBER_VALUE,
  flag: BOOLEAN_VALUE,
}

/**
 * What emitted code reads `context` by: the types of its parts where a server makes it.
 * @param byParts only parts of it are read, by their names, so that a server need not make a hash of all
 */
export function requestCode(site: Site, byParts: boolean): Code {
  if (!hasRequest(site)) return member(RENDER, 'whole')
  return typed(member(RENDER, byParts ? 'request' : 'wholeRequest'), REQUEST_VALUE)
}

const RENDER = ident('r')
const REQUEST_VALUE: ValueType = { ...recordOf(CONTEXT_PARTS), isNeverReplaced: true }

function recordOf(parts: PartKinds): Extract<ValueType, { kind: 'record' }> {
  return record(
    Object.entries(parts).map(([name, kind]) => [name, typeof kind === 'string' ? SIMPLE[kind] : recordOf(kind)]),
  )
}

/** A record of which no part is sure to be there. */
function record(parts: Iterable<readonly [string, ValueType]>): Extract<ValueType, { kind: 'record' }> {
  return { kind: 'record', fields: new Map([...parts].map(([name, type]) => [name, optional(type)])) }
}

// ---- forms ------------------------------------------------------------------------------------------------------------

/** The object `form` of a configuration: its type, and the names of its fields, by which the runtime looks whether it is that. */
export interface FormValue {
  readonly type: ValueType
  readonly names: Code
}

/** Null for files that are no form, and for one whose resource is not known. */
export function formValueOf(site: Site, { file }: Unit): FormValue | null {
  const form = hasRequest(site) ? site.formSchemas.get(file.path) : undefined
  if (form === undefined) return null
  const parts = [...valueParts(form.fields), ['fields', groupRecord(form.fields)] as const]
  parts.push(['metadata', UNKNOWN_VALUE])
  for (const name of ['id', 'name', 'action', 'resource', 'resource_owner']) parts.push([name, TEXT_VALUE])
  for (const name of ['errors', 'system_fields', 'changes']) parts.push([name, HASH_VALUE])
  return { type: { ...record(parts), isNeverReplaced: true }, names: namesCode(form.fields) }
}

const FIELD: ValueType = record([
  ['name', TEXT_VALUE],
  ['value', UNKNOWN_VALUE],
  ['validation', HASH_VALUE],
  ['property_options', HASH_VALUE],
])

/** `form.fields`, or the fields of a nested resource. */
function groupRecord(group: LinkedGroup): ValueType {
  const fields = (section: 'attributes' | 'properties') =>
    group[section].map(({ name }): readonly [string, ValueType] => [name, FIELD])
  return record([
    ...fields('attributes'),
    ['properties', record(fields('properties'))],
    ...nestedParts(group, ({ fields: inner }) => groupRecord(inner)),
  ])
}

/** The values themselves. */
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
