/**
 * The snapshot of a submitted form that is stored with a job, and the variable `form` that is restored from it when the
 * job runs.
 */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { type FieldChanges, formBuilder, isSentFile } from '../../../runtime/data/forms/index.ts'
import type { FormState, Values } from '../../../runtime/data/forms/model.ts'
import type { FormSnapshot } from '../../../runtime/data/jobs.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { CompiledSite, FormEntry, NestedGroup, Scope } from '../../../runtime/page/site.ts'
import { entries, isHash, makeHash, setKey } from '../../../runtime/page/values/hash.ts'
import { formAction } from './hidden-fields.ts'
import { NO_ERRORS } from './model.ts'

/** Returns the variables for the Liquid in a form's settings: `form`, `form_builder` and additional ones. */
export function formScope(form: FormEntry, state: FormState, r: Render, additional: Scope = {}): Scope {
  const facts = { action: formAction(form, state.storedResource?.id ?? null), systemFields: {}, r, metadata: null }
  const builder = formBuilder(form, state, facts)
  if ('changes' in additional) setKey(builder, 'changes', additional['changes'])
  return { form: builder, form_builder: builder, ...additional }
}

/**
 * Creates the snapshot of a submitted form.
 * @param state the state after the form was saved or its resource was deleted
 * @param changes the changed fields
 */
export function createSnapshot(
  { name }: FormEntry,
  { storedResource, sentValues }: FormState,
  changes: FieldChanges,
): FormSnapshot {
  const values = mergeValues(storedResource ?? NO_VALUES, sentValues ?? NO_VALUES)
  return {
    name,
    id: storedResource?.id ?? null,
    userId: storedResource?.userId ?? null,
    values: withoutSecrets(values),
    changes,
  }
}

/**
 * Restores the variables `form`, `form_builder` and `changes` from a snapshot.
 * @throws LiquidFault when the site no longer has the form
 */
export function restoreScope(site: CompiledSite, snapshot: FormSnapshot, r: Render): Scope {
  const { name, id, userId, changes } = snapshot
  const form = Object.hasOwn(site.forms, name) ? site.forms[name] : undefined
  if (form === undefined) throw new LiquidFault(`can't find form ${name}`)
  const values = parseValues(snapshot.values)
  // A session form has no stored resource.
  const state: FormState =
    id === null
      ? { storedResource: null, sentValues: values, errors: NO_ERRORS }
      : { storedResource: { id, userId, ...values }, sentValues: null, errors: NO_ERRORS }
  return formScope(form, state, r, { changes: { ...changes } })
}

const NO_VALUES: Values = { attributes: {}, properties: {}, nested: {} }

/** Merges two sets of values. Fields of the second set replace fields of the first set. */
export function mergeValues(base: Values, changes: Values): Values {
  const nested: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const { nested: kinds } of [base, changes]) {
    for (const [kind, named] of Object.entries(kinds) as [NestedGroup['kind'], Readonly<Record<string, Values>>][]) {
      const group = (nested[kind] ??= {})
      for (const [name, nestedValues] of Object.entries(named)) {
        const existing = Object.hasOwn(group, name) ? group[name] : undefined
        setKey(group, name, existing === undefined ? nestedValues : mergeValues(existing, nestedValues))
      }
    }
  }
  return {
    attributes: makeHash([...entries(base.attributes), ...entries(changes.attributes)]),
    properties: makeHash([...entries(base.properties), ...entries(changes.properties)]),
    nested,
  }
}

/** Matches the names of values that must not be queued. */
const SECRET_NAME = /password/i

/** Removes passwords and replaces files with their names. */
function withoutSecrets({ attributes, properties, nested }: Values): Values {
  const withoutSecretFields = (fields: Values['attributes']): Values['attributes'] =>
    makeHash(
      entries(fields).flatMap(([name, value]) =>
        SECRET_NAME.test(name) ? [] : [[name, replaceFiles(value)] as const],
      ),
    )
  const kinds = Object.entries(nested).map(([kind, all]) => {
    const nestedValues = Object.entries(all).map(([name, values]): [string, Values] => [name, withoutSecrets(values)])
    return [kind, makeHash(nestedValues)] as const
  })
  return {
    attributes: withoutSecretFields(attributes),
    properties: withoutSecretFields(properties),
    nested: makeHash(kinds) as Values['nested'],
  }
}

function replaceFiles(value: unknown): unknown {
  if (isSentFile(value)) return value.fileName
  return Array.isArray(value) ? value.map(replaceFiles) : value
}

/**
 * Reads the values of a snapshot. An unexpected shape is treated as empty, because another version may have written it.
 */
function parseValues(json: unknown): Values {
  const { attributes, properties, nested } = asHash(json)
  const kinds = entries(asHash(nested)).map(([kind, all]) => {
    const nestedValues = entries(asHash(all)).map(([name, values]): [string, Values] => [name, parseValues(values)])
    return [kind, makeHash(nestedValues)] as const
  })
  return {
    attributes: asHash(attributes),
    properties: asHash(properties),
    nested: makeHash(kinds) as Values['nested'],
  }
}

function asHash(value: unknown): Scope {
  return isHash(value) ? value : {}
}
