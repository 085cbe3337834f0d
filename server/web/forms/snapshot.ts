/**
 * The snapshot of a submitted form that is queued with a job, and the object `form` that is restored from it when the
 * job runs.
 */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { type FieldChanges, formBuilder, isSentFile } from '../../../runtime/data/forms/index.ts'
import type { FormState, Values } from '../../../runtime/data/forms/model.ts'
import type { FormSnapshot } from '../../../runtime/data/jobs.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { CompiledSite, FormEntry, NestedGroup, Scope } from '../../../runtime/page/site.ts'
import { entries, isHash, makeHash, setKey } from '../../../runtime/page/values/hash.ts'
import { actionOf } from './facts.ts'
import { NO_ERRORS } from './model.ts'

/** Variables for the Liquid in a form's settings: `form`, `form_builder`, and additional ones. */
export function scopeOf(form: FormEntry, state: FormState, r: Render, more: Scope = {}): Scope {
  const facts = { action: actionOf(form, state.stored?.id ?? null), systemFields: {}, r, metadata: null }
  const builder = formBuilder(form, state, facts)
  if ('changes' in more) setKey(builder, 'changes', more['changes'])
  return { form: builder, form_builder: builder, ...more }
}

/**
 * @param state after the form was stored or its resource deleted
 * @param changes of the stored fields
 */
export function snapshotOf({ name }: FormEntry, { stored, sent }: FormState, changes: FieldChanges): FormSnapshot {
  const values = overlay(stored ?? NOTHING, sent ?? NOTHING)
  return { name, id: stored?.id ?? null, userId: stored?.userId ?? null, values: storable(values), changes }
}

/**
 * Variables restored from a snapshot: `form`, `form_builder`, `changes`.
 * @throws LiquidFault when the site no longer has the form
 */
export function scopeOfSnapshot(site: CompiledSite, snapshot: FormSnapshot, r: Render): Scope {
  const { name, id, userId, changes } = snapshot
  const form = Object.hasOwn(site.forms, name) ? site.forms[name] : undefined
  if (form === undefined) throw new LiquidFault(`can't find form ${name}`)
  const values = valuesOf(snapshot.values)
  // A session form stores nothing.
  const state: FormState =
    id === null
      ? { stored: null, sent: values, errors: NO_ERRORS }
      : { stored: { id, userId, ...values }, sent: null, errors: NO_ERRORS }
  return scopeOf(form, state, r, { changes: { ...changes } })
}

const NOTHING: Values = { attributes: {}, properties: {}, nested: {} }

/** Lays values over others; each field is replaced as a whole. */
export function overlay(under: Values, over: Values): Values {
  const nested: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const { nested: kinds } of [under, over]) {
    for (const [kind, named] of Object.entries(kinds) as [NestedGroup['kind'], Readonly<Record<string, Values>>][]) {
      const into = (nested[kind] ??= {})
      for (const [name, inner] of Object.entries(named)) {
        const before = Object.hasOwn(into, name) ? into[name] : undefined
        setKey(into, name, before === undefined ? inner : overlay(before, inner))
      }
    }
  }
  return {
    attributes: makeHash([...entries(under.attributes), ...entries(over.attributes)]),
    properties: makeHash([...entries(under.properties), ...entries(over.properties)]),
    nested,
  }
}

/** Names of values that must not be queued. */
const SECRET = /password/i

/** Removes passwords, and replaces files by their names. */
function storable({ attributes, properties, nested }: Values): Values {
  const plain = (fields: Values['attributes']): Values['attributes'] =>
    makeHash(entries(fields).flatMap(([name, value]) => (SECRET.test(name) ? [] : [[name, named(value)] as const])))
  const kinds = Object.entries(nested).map(([kind, all]) => {
    const inner = Object.entries(all).map(([name, values]): [string, Values] => [name, storable(values)])
    return [kind, makeHash(inner)] as const
  })
  return { attributes: plain(attributes), properties: plain(properties), nested: makeHash(kinds) as Values['nested'] }
}

function named(value: unknown): unknown {
  if (isSentFile(value)) return value.fileName
  return Array.isArray(value) ? value.map(named) : value
}

/** Another version may have written the snapshot, so an unexpected shape is treated as empty. */
function valuesOf(read: unknown): Values {
  const { attributes, properties, nested } = hashOf(read)
  const kinds = entries(hashOf(nested)).map(([kind, all]) => {
    const inner = entries(hashOf(all)).map(([name, values]): [string, Values] => [name, valuesOf(values)])
    return [kind, makeHash(inner)] as const
  })
  return {
    attributes: hashOf(attributes),
    properties: hashOf(properties),
    nested: makeHash(kinds) as Values['nested'],
  }
}

function hashOf(value: unknown): Scope {
  return isHash(value) ? value : {}
}
