/** Form configurations in the site's own module: each with its fields, what is rendered for it, and what it does. */
import type { LinkedField, LinkedForm, LinkedGroup, LinkedNested } from '../../core/model/form.ts'
import type { FormRule, FormSettings, NamedReference } from '../../core/model/settings.ts'
import { hasBody, type Unit } from '../../core/model/unit.ts'
import type { Held } from './held.ts'
import type {
  FieldDef,
  FieldGroup,
  FormEntry,
  NestedGroup,
  ValidationDef,
  HeldSettings,
  HeldSite,
} from './manifest-parts.ts'

export function formsOf(forms: Iterable<LinkedForm>, held: HeldSettings): HeldSite['forms'] {
  const entries = new Map<string, Held<FormEntry<never>>>()
  // Without all of its policies and fields a form would let in what it is to keep out.
  for (const form of forms) if (form.unit.refused !== true) entries.set(form.name, entryOf(form, held))
  return entries
}

function entryOf(form: LinkedForm, held: HeldSettings): Held<FormEntry<never>> {
  const { unit } = form
  const s = unit.settings
  return {
    file: unit.file.path,
    name: form.name,
    resource: form.resource,
    resourceName: s.resource?.name ?? '',
    table: form.table,
    owner: form.owner,
    fields: groupOf(form.fields, 'fields', unit, held),
    render: hasBody(unit.template) ? held.face(unit.file.path) : null,
    redirectTo: held.optional(unit, 'redirectTo', s.redirectTo),
    flashNotice: held.optional(unit, 'flashNotice', s.flashNotice),
    flashAlert: held.optional(unit, 'flashAlert', s.flashAlert),
    defaultPayload: held.optional(unit, 'defaultPayload', s.defaultPayload),
    callbackActions: held.optional(unit, 'callbackActions', s.callbackActions),
    asyncCallback: asyncOf(unit, held),
    notifications: {
      emails: names(s.emailNotifications),
      sms: names(s.smsNotifications),
      apiCalls: names(s.apiCallNotifications),
    },
    policies: names(s.authorizationPolicies),
    spamProtection: s.spamProtection,
    requestAllowed: s.requestAllowed,
    responseHeaders: held.optional(unit, 'responseHeaders', s.responseHeaders),
    metadata: held.setting(unit, 'metadata', s.metadata),
  }
}

function asyncOf(unit: Unit<FormSettings>, held: HeldSettings): Held<FormEntry<never>>['asyncCallback'] {
  const given = unit.settings.asyncCallbackActions
  if (given === null) return null
  const { content, delay, priority, maxAttempts } = given
  return { content: held.liquid(unit, 'asyncCallbackActions.content', content), delay, priority, maxAttempts }
}

function names(references: readonly NamedReference[]): readonly string[] {
  return references.map(({ name }) => name)
}

// ---- fields -----------------------------------------------------------------------------------------------------------

function groupOf(group: LinkedGroup, path: string, unit: Unit, held: HeldSettings): Held<FieldGroup<never>> {
  const fields = (key: 'attributes' | 'properties') =>
    group[key].map((field, at) => fieldOf(field, `${path}.${key}.${at}`, unit, held))
  return {
    attributes: fields('attributes'),
    properties: fields('properties'),
    nested: group.nested.map((each, at) => nestedOf(each, `${path}.nested.${at}`, unit, held)),
  }
}

function nestedOf(each: LinkedNested, path: string, unit: Unit, held: HeldSettings): Held<NestedGroup<never>> {
  return {
    kind: each.group,
    name: each.name,
    table: each.table,
    validations: rulesOf(each.validations, path, unit, held),
    fields: groupOf(each.fields, `${path}.fields`, unit, held),
  }
}

function fieldOf(field: LinkedField, path: string, unit: Unit, held: HeldSettings): Held<FieldDef<never>> {
  return {
    name: field.name,
    type: field.type,
    ...(field.located && { located: field.located }),
    virtual: field.virtual,
    readonly: field.readonly,
    default: held.optional(unit, `${path}.default`, field.default),
    validations: rulesOf(field.validations, path, unit, held),
    options: new Map(field.options.map(({ name, value }) => [name, value])),
  }
}

function rulesOf(
  rules: readonly FormRule[],
  path: string,
  unit: Unit,
  held: HeldSettings,
): readonly Held<ValidationDef<never>>[] {
  return rules.map((rule, at) => ruleOf(rule, `${path}.validations.${at}`, unit, held))
}

function ruleOf(rule: FormRule, path: string, unit: Unit, held: HeldSettings): Held<ValidationDef<never>> {
  const options = rule.options.map(
    ({ name, value }, at) => [name, held.setting(unit, `${path}.options.${at}.value`, value)] as const,
  )
  return {
    kind: rule.rule,
    options: new Map(options),
    message: held.optional(unit, `${path}.message`, rule.message),
    if: held.optional(unit, `${path}.if`, rule.if),
    allowNil: rule.allowNil,
    allowBlank: rule.allowBlank,
    on: rule.on,
  }
}
