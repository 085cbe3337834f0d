/** Validates a form: checks the rules of all fields in order and collects all messages. */
import type { FieldDef, FormEntry, NestedGroup, Scope, ValidationDef } from '../../page/site.ts'
import { isHash } from '../../page/values/hash.ts'
import { str } from '../../page/values/text.ts'
import { isBlank } from '../../page/values/truth.ts'
import { attachmentProblems, builtInRules, USER_EMAIL } from './built-in.ts'
import { fits } from './cast.ts'
import {
  fieldPath,
  isSent,
  nestedPath,
  nestedValues,
  type ResourceValues,
  resourcesOf,
  SECTIONS,
  type Section,
  valueAt,
} from './fields.ts'
import { formScope } from './form-scope.ts'
import { messageOf } from './messages.ts'
import type { ValidationHost, FormErrors, FormState } from './model.ts'
import { otherSources } from './sent-file.ts'
import { settingData } from '../../page/setting.ts'
import { validators } from './validations.ts'
import type { Check } from './validators/validator.ts'

/** One validation of a form. */
interface ValidationRun {
  readonly form: FormEntry
  readonly checking: ValidationHost
  readonly scope: () => Scope
  readonly errors: Map<string, string[]>
}

/**
 * Validates the values of a form, sent or stored. Nested resources are checked when they were sent.
 * @param state from `completed`
 * @throws LiquidFault of the Liquid in a rule, and for an invalid computed option
 */
export async function validate(form: FormEntry, state: FormState, checking: ValidationHost): Promise<FormErrors> {
  const run: ValidationRun = { form, checking, scope: formScope(form, state, () => checking.r), errors: new Map() }
  const all = resourcesOf(form, state)
  for (const resource of all) {
    for (const section of SECTIONS)
      for (const field of resource.group[section]) await checkField(run, resource, section, field)
    for (const nested of resource.group.nested) await checkGroup(run, resource, nested)
  }
  const root = all[0] as ResourceValues
  if (
    form.resource === 'user' &&
    checking.on === 'create' &&
    !root.group.attributes.some(({ name }) => name === 'email')
  )
    await checkField(run, root, 'attributes', USER_EMAIL)
  for (const problem of attachmentProblems(form, state))
    add(run, problem.at ?? 'base', messageOf(checking.r, problem, problem.at ?? 'base', null, null))
  return run.errors
}

function add(run: ValidationRun, path: string, message: string): void {
  const known = run.errors.get(path)
  if (known === undefined) run.errors.set(path, [message])
  else if (!known.includes(message)) known.push(message)
}

async function checkField(
  run: ValidationRun,
  resource: ResourceValues,
  section: Section,
  field: FieldDef,
): Promise<void> {
  const sent = [field.name, ...otherSources(field)].some((name) => isSent(resource.sent, section, name))
  const builtIn = section === 'attributes' ? builtInRules(run.form, field, resource.prefix, run.checking.on, sent) : []
  if (builtIn.length === 0 && field.validations.length === 0 && !sent) return
  const path = fieldPath(resource.prefix, section, field.name)
  const value = sourceOf(resource, section, field)
  const suits = !sent || fits(field, value)
  const before = run.errors.size
  for (const rule of rules(field, builtIn)) {
    // A value of the wrong type would cause a database error.
    if (!suits && validators.get(rule.kind) === validators.get('unique')) continue
    await checkRule(run, rule, value, { field, path, section, resource, sent })
  }
  if (suits || run.errors.size > before) return
  const key =
    field.type === 'integer' || field.type === 'float' || field.type === 'decimal' ? 'not_a_number' : 'invalid'
  add(run, path, messageOf(run.checking.r, { key }, field.name, value, null))
}

/** The value of a field, or the alternative source of a file. */
function sourceOf(resource: ResourceValues, section: Section, field: FieldDef): unknown {
  for (const name of [field.name, ...otherSources(field)])
    if (isSent(resource.sent, section, name) && !isBlank(resource.sent[section][name]))
      return resource.sent[section][name]
  return valueAt(resource, section, field.name)
}

/**
 * All rules of a field, in the order of checking.
 * @param builtIn from `builtInRules`
 */
export function rules(field: FieldDef, builtIn: readonly ValidationDef[]): readonly ValidationDef[] {
  return builtIn.length === 0 ? field.validations : [...builtIn, ...field.validations]
}

/** The field that a rule is checked for. */
interface RuleTarget {
  readonly field: FieldDef
  readonly path: string
  readonly section: Section
  readonly resource: ResourceValues
  readonly sent: boolean
}

async function checkRule(run: ValidationRun, rule: ValidationDef, value: unknown, spot: RuleTarget): Promise<void> {
  const validator = validators.get(rule.kind)
  if (validator === undefined || !(await applies(run, rule, value))) return
  const at = checkAt(run, await resolved(run, rule), spot)
  const verdict = validator.check(value, at)
  const problems = verdict instanceof Promise ? await verdict : verdict
  if (problems.length === 0) return
  const custom = rule.message === null ? null : str(await settingData(rule.message, () => run.checking.r, run.scope))
  for (const problem of problems)
    add(run, problem.at ?? spot.path, messageOf(run.checking.r, problem, spot.field.name, value, custom))
}

async function applies(run: ValidationRun, rule: ValidationDef, value: unknown): Promise<boolean> {
  if (rule.on !== null && rule.on !== run.checking.on) return false
  if (rule.allowNil && (value === null || value === undefined)) return false
  if (rule.allowBlank && isBlank(value)) return false
  return rule.if === null || str(await settingData(rule.if, () => run.checking.r, run.scope)).trim() === 'true'
}

/** Shared by all rules without options. */
const NO_OPTIONS: Readonly<Record<string, unknown>> = {}

async function resolved(run: ValidationRun, rule: ValidationDef): Promise<Readonly<Record<string, unknown>>> {
  const names = Object.keys(rule.options)
  if (names.length === 0) return NO_OPTIONS
  const pairs = names.map((name) => [name, settingData(rule.options[name]!, () => run.checking.r, run.scope)] as const)
  return Object.fromEntries(await Promise.all(pairs.map(async ([name, value]) => [name, await value] as const)))
}

function checkAt(
  run: ValidationRun,
  options: Readonly<Record<string, unknown>>,
  { field, path, section, resource, sent }: RuleTarget,
): Check {
  const find = (name: string): readonly [Section, string] => locate(resource, section, name)
  return {
    field,
    path,
    prefix: fieldPath(resource.prefix, section, ''),
    options,
    checking: run.checking,
    sent,
    beside(name) {
      const [where, bare] = find(name)
      const value = valueAt(resource, where, bare)
      return value === null && bare === 'user_id' && where === 'attributes' ? ownerOf(run, resource) : value
    },
    pathOf(name) {
      const [where, bare] = find(name)
      return fieldPath(resource.prefix, where, bare)
    },
  }
}

/**
 * Resolves a field name in a rule: `properties.x` is explicit, and a plain name is looked up in the section of the
 * field first.
 */
function locate(resource: ResourceValues, section: Section, name: string): readonly [Section, string] {
  if (name.startsWith('properties.')) return ['properties', name.slice('properties.'.length)]
  const has = (where: Section): boolean => resource.group[where].some((field) => field.name === name)
  if (has(section)) return [section, name]
  return has('properties') ? ['properties', name] : ['attributes', name]
}

/** The user that a record belongs to or will belong to. */
function ownerOf(run: ValidationRun, resource: ResourceValues): unknown {
  if (resource.prefix === '' && resource.stored !== null && 'userId' in resource.stored) return resource.stored.userId
  const user = run.checking.r.context['current_user']
  return isHash(user) ? (user['id'] ?? null) : null
}

/**
 * Checks the rules of a nested resource as a whole. It is absent when it is neither sent nor stored, or contains only
 * blank files.
 */
async function checkGroup(run: ValidationRun, resource: ResourceValues, nested: NestedGroup): Promise<void> {
  if (nested.validations.length === 0) return
  const values =
    nestedValues(resource.sent, nested) ?? (resource.stored === null ? null : nestedValues(resource.stored, nested))
  const path = `${resource.prefix}${nestedPath(nested)}`
  let value: Readonly<Record<string, unknown>> | null =
    values === null ? null : { ...values.attributes, ...values.properties, ...values.nested }
  const isFile = nested.kind === 'custom_images' || nested.kind === 'custom_attachments'
  if (isFile && value !== null && Object.values(value).every(isBlank)) value = null
  const field: FieldDef = { ...USER_EMAIL, name: nested.name }
  for (const rule of nested.validations)
    await checkRule(run, rule, value, { field, path, section: 'attributes', resource, sent: values !== null })
}
