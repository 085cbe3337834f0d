/**
 * Creates the object `form` (also `form_builder`) of templates, with its fields, values and errors. Expensive parts are
 * computed when they are read.
 */
import type { FormEntry, NestedGroup, Scope, ValidationDef } from '../../page/site.ts'
import { FormObject } from '../../page/form-object.ts'
import { deepCopy } from '../../page/values/copy.ts'
import { type HashValue, setKey } from '../../page/values/hash.ts'
import { changesOf } from './changes.ts'
import { errorsHash } from './errors.ts'
import { type FormFacts, hiddenInputs, methodOf } from './facts.ts'
import { fieldsHtml } from './form-builder-html.ts'
import type { FormState, StoredResource } from './model.ts'
import { evaluateSettingSync } from '../../page/setting.ts'
import { type FieldView, type GroupView, viewsOf } from './views.ts'

export type { FormFacts } from './facts.ts'

/** Attributes that are omitted when the form is printed or logged as a whole. */
const SECRET = /^password(?:_confirmation)?$/

/**
 * Creates the object `form`.
 * @throws LiquidFault when a field is read whose default cannot be computed
 */
export function formBuilder(form: FormEntry, state: FormState, facts: FormFacts): Scope {
  const scope = (): Scope => ({ form: builder, form_builder: builder })
  const views = viewsOf(form, state, facts, scope)
  // The fields below are added by name. The type of the class does not declare them.
  const builder = new FormObject(form.fields, () =>
    fieldsHtml(views, state.errors.get('base') ?? []),
  ) as unknown as HashValue
  const id = state.storedResource?.id ?? null
  Object.assign(builder, {
    name: form.name,
    resource: form.resourceName,
    resource_owner: form.owner,
    action: facts.action,
    metadata: facts.metadata,
    id,
  })
  defineLazy(builder, 'fields', () => fieldsHash(views, facts, scope))
  defineLazy(builder, 'errors', () => errorsHash(state.errors))
  // Not enumerable, so that the token is computed only when the fields are read by name.
  defineLazy(builder, 'system_fields', () => Object.fromEntries(hiddenInputs(facts, methodOf(id))), false)
  defineLazy(builder, 'changes', () => changesOf(form, state))
  addValues(builder, views)
  if (state.storedResource !== null) addStoredAttributes(builder, form, state.storedResource)
  return builder
}

/** Adds stored attributes that the form does not declare. Notifications read the address or the owner from them. */
function addStoredAttributes(
  builder: HashValue,
  { resource }: FormEntry,
  { attributes, userId }: StoredResource,
): void {
  const storedAttributes = resource === 'record' ? { user_id: userId, ...attributes } : attributes
  for (const [name, value] of Object.entries(storedAttributes))
    if (!Object.hasOwn(builder, name) && !SECRET.test(name)) defineLazy(builder, name, () => value, false)
}

function defineLazy(holder: HashValue, key: string, compute: () => unknown, enumerable = true): void {
  const set = (value: unknown): void => {
    Object.defineProperty(holder, key, { value, enumerable, writable: true, configurable: true })
  }
  const get = (): unknown => {
    const value = compute()
    set(value)
    return value
  }
  Object.defineProperty(holder, key, { get, set, enumerable, configurable: true })
}

/** Adds the values of a resource by field name. Existing keys, which come from the configuration, are kept. */
function addValues(holder: HashValue, views: GroupView): void {
  for (const view of views.attributes)
    if (!Object.hasOwn(holder, view.field.name))
      defineLazy(holder, view.field.name, () => view.current(), !SECRET.test(view.field.name))
  defineLazy(holder, 'properties', () => {
    const properties: HashValue = {}
    for (const view of views.properties) defineLazy(properties, view.field.name, () => view.current())
    return properties
  })
  for (const [kind, named] of nestedByKind(views)) {
    defineLazy(holder, kind, () => {
      const attributeHashes: HashValue = {}
      for (const view of named) {
        const values: HashValue = {}
        addValues(values, view)
        setKey(attributeHashes, view.definition.name, values)
      }
      return attributeHashes
    })
  }
}

function nestedByKind(views: GroupView): ReadonlyMap<NestedGroup['kind'], GroupView['nested']> {
  const kinds = new Map<NestedGroup['kind'], GroupView['nested'][number][]>()
  for (const view of views.nested) {
    const viewsOfKind = kinds.get(view.definition.kind)
    if (viewsOfKind === undefined) kinds.set(view.definition.kind, [view])
    else viewsOfKind.push(view)
  }
  return kinds
}

/** Creates the hash `form.fields`, or the hash of a nested group in it. */
function fieldsHash(views: GroupView, facts: FormFacts, scope: () => Scope): HashValue {
  const hash: HashValue = {}
  for (const view of views.attributes) setKey(hash, view.field.name, fieldHash(view, facts, scope))
  const properties: HashValue = {}
  for (const view of views.properties) setKey(properties, view.field.name, fieldHash(view, facts, scope))
  setKey(hash, 'properties', properties)
  for (const [kind, named] of nestedByKind(views)) {
    const fieldHashes: HashValue = {}
    for (const view of named) {
      const group = fieldsHash(view, facts, scope)
      if (!Object.hasOwn(group, 'validation')) {
        const validation = validationOf(view.definition.validations, view.errors, facts, scope)
        defineLazy(group, 'validation', validation, false)
      }
      setKey(fieldHashes, view.definition.name, group)
    }
    setKey(hash, kind, fieldHashes)
  }
  return hash
}

function fieldHash(view: FieldView, facts: FormFacts, scope: () => Scope): HashValue {
  const hash: HashValue = {}
  // The `form` tag may rename the parameter before the inputs are printed.
  const setName = (value: unknown): void => {
    Object.defineProperty(hash, 'name', { value, enumerable: true, writable: true, configurable: true })
  }
  Object.defineProperty(hash, 'name', { get: () => view.name(), set: setName, enumerable: true, configurable: true })
  defineLazy(hash, 'value', () => view.value(), !SECRET.test(view.field.name))
  defineLazy(hash, 'validation', validationOf(view.field.validations, view.errors, facts, scope))
  defineLazy(hash, 'property_options', () => deepCopy(view.field.options))
  return hash
}

function validationOf(
  rules: readonly ValidationDef[],
  errors: readonly string[],
  facts: FormFacts,
  scope: () => Scope,
): () => HashValue {
  return () => {
    const hash: HashValue = { errors: [...errors], messages: [...errors] }
    defineLazy(hash, 'rules', () => {
      const validationHashes: HashValue = {}
      for (const rule of rules) defineLazy(validationHashes, rule.kind, () => ruleValue(rule, facts, scope))
      return validationHashes
    })
    return hash
  }
}

/** Returns the configuration of a rule for templates: true when it has no options, otherwise a hash of its options. */
function ruleValue(rule: ValidationDef, facts: FormFacts, scope: () => Scope): unknown {
  const options: HashValue = {}
  for (const [name, setting] of Object.entries(rule.options))
    setKey(
      options,
      name,
      evaluateSettingSync(setting, () => facts.r, scope),
    )
  if (rule.message !== null)
    setKey(
      options,
      'message',
      evaluateSettingSync(rule.message, () => facts.r, scope),
    )
  if (rule.allowNil) options['allow_nil'] = true
  if (rule.allowBlank) options['allow_blank'] = true
  if (rule.on !== null) options['on'] = rule.on
  return Object.keys(options).length === 0 ? true : options
}
