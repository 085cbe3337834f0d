/** Emits the form configurations in the manifest, with their fields, rendered settings and actions. */
import type { LinkedField, LinkedForm, LinkedGroup, LinkedNested } from '../../core/model/form.ts'
import type { FormRule, FormSettings, NamedReference } from '../../core/model/settings.ts'
import { hasBody, type Unit } from '../../core/model/unit.ts'
import type { Emittable } from './manifest-values.ts'
import type {
  FieldDef,
  FieldGroup,
  FormEntry,
  NestedGroup,
  ValidationDef,
  ManifestBuilder,
  EmittableSite,
} from './manifest-parts.ts'

export function formsOf(forms: Iterable<LinkedForm>, builder: ManifestBuilder): EmittableSite['forms'] {
  const entries = new Map<string, Emittable<FormEntry<never>>>()
  // A rejected form is left out, because it might accept requests that its policies or fields should reject.
  for (const form of forms) if (form.unit.refused !== true) entries.set(form.name, entryOf(form, builder))
  return entries
}

function entryOf(form: LinkedForm, builder: ManifestBuilder): Emittable<FormEntry<never>> {
  const { unit } = form
  const s = unit.settings
  return {
    file: unit.file.path,
    name: form.name,
    resource: form.resource,
    resourceName: s.resource?.name ?? '',
    table: form.table,
    owner: form.owner,
    fields: groupOf(form.fields, 'fields', unit, builder),
    render: hasBody(unit.template) ? builder.entryPoint(unit.file.path) : null,
    redirectTo: builder.optional(unit, 'redirectTo', s.redirectTo),
    flashNotice: builder.optional(unit, 'flashNotice', s.flashNotice),
    flashAlert: builder.optional(unit, 'flashAlert', s.flashAlert),
    defaultPayload: builder.optional(unit, 'defaultPayload', s.defaultPayload),
    callbackActions: builder.optional(unit, 'callbackActions', s.callbackActions),
    asyncCallback: asyncCallbackOf(unit, builder),
    notifications: {
      emails: namesOf(s.emailNotifications),
      sms: namesOf(s.smsNotifications),
      apiCalls: namesOf(s.apiCallNotifications),
    },
    policies: namesOf(s.authorizationPolicies),
    spamProtection: s.spamProtection,
    requestAllowed: s.requestAllowed,
    responseHeaders: builder.optional(unit, 'responseHeaders', s.responseHeaders),
    metadata: builder.setting(unit, 'metadata', s.metadata),
  }
}

function asyncCallbackOf(
  unit: Unit<FormSettings>,
  builder: ManifestBuilder,
): Emittable<FormEntry<never>>['asyncCallback'] {
  const actions = unit.settings.asyncCallbackActions
  if (actions === null) return null
  const { content, delay, priority, maxAttempts } = actions
  return { content: builder.liquid(unit, 'asyncCallbackActions.content', content), delay, priority, maxAttempts }
}

function namesOf(references: readonly NamedReference[]): readonly string[] {
  return references.map(({ name }) => name)
}

// ---- fields -----------------------------------------------------------------------------------------------------------

function groupOf(group: LinkedGroup, path: string, unit: Unit, builder: ManifestBuilder): Emittable<FieldGroup<never>> {
  const fields = (key: 'attributes' | 'properties') =>
    group[key].map((field, at) => fieldOf(field, `${path}.${key}.${at}`, unit, builder))
  return {
    attributes: fields('attributes'),
    properties: fields('properties'),
    nested: group.nested.map((each, at) => nestedOf(each, `${path}.nested.${at}`, unit, builder)),
  }
}

function nestedOf(
  each: LinkedNested,
  path: string,
  unit: Unit,
  builder: ManifestBuilder,
): Emittable<NestedGroup<never>> {
  return {
    kind: each.group,
    name: each.name,
    table: each.table,
    validations: rulesOf(each.validations, path, unit, builder),
    fields: groupOf(each.fields, `${path}.fields`, unit, builder),
  }
}

function fieldOf(field: LinkedField, path: string, unit: Unit, builder: ManifestBuilder): Emittable<FieldDef<never>> {
  return {
    name: field.name,
    type: field.type,
    ...(field.located && { located: field.located }),
    virtual: field.virtual,
    readonly: field.readonly,
    default: builder.optional(unit, `${path}.default`, field.default),
    validations: rulesOf(field.validations, path, unit, builder),
    options: new Map(field.options.map(({ name, value }) => [name, value])),
  }
}

function rulesOf(
  rules: readonly FormRule[],
  path: string,
  unit: Unit,
  builder: ManifestBuilder,
): readonly Emittable<ValidationDef<never>>[] {
  return rules.map((rule, at) => ruleOf(rule, `${path}.validations.${at}`, unit, builder))
}

function ruleOf(rule: FormRule, path: string, unit: Unit, builder: ManifestBuilder): Emittable<ValidationDef<never>> {
  const options = rule.options.map(
    ({ name, value }, at) => [name, builder.setting(unit, `${path}.options.${at}.value`, value)] as const,
  )
  return {
    kind: rule.rule,
    options: new Map(options),
    message: builder.optional(unit, `${path}.message`, rule.message),
    if: builder.optional(unit, `${path}.if`, rule.if),
    allowNil: rule.allowNil,
    allowBlank: rule.allowBlank,
    on: rule.on,
  }
}
