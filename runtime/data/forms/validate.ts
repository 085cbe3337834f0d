/** Validates a form: checks the rules of all fields in order and collects all messages. */
import type { FieldDef, FormEntry, NestedGroup, Scope, Setting, ValidationDef } from '../../page/site.ts'
import { isHash } from '../../page/values/hash.ts'
import { str } from '../../page/values/text.ts'
import { isBlank } from '../../page/values/truth.ts'
import { attachmentProblems, builtInRules, USER_EMAIL } from './built-in.ts'
import { fitsField } from './cast.ts'
import {
  fieldPath,
  isSent,
  nestedPath,
  nestedValues,
  type ResourceValues,
  resourcesOf,
  SECTIONS,
  type Section,
  valueOfField,
} from './fields.ts'
import { formScope } from './form-scope.ts'
import { messageOf } from './messages.ts'
import type { ValidationHost, FormErrors, FormState } from './model.ts'
import { otherSources } from './sent-file.ts'
import { evaluateSetting } from '../../page/setting.ts'
import { validators } from './validations.ts'
import type { Check, Problems, Validator } from './validators/validator.ts'

/** The inputs and the collected errors of one validation of a form. */
interface ValidationRun {
  readonly form: FormEntry
  readonly host: ValidationHost
  readonly scope: () => Scope
  readonly errors: Map<string, string[]>
}

/**
 * Validates the values of a form, sent or stored. Nested resources are checked when they were sent.
 * @param state with values from `completeValues`
 * @throws LiquidFault when the Liquid of a rule fails, or a computed option is invalid
 */
export async function validate(form: FormEntry, state: FormState, host: ValidationHost): Promise<FormErrors> {
  const run: ValidationRun = { form, host, scope: formScope(form, state, () => host.r), errors: new Map() }
  const resources = resourcesOf(form, state)
  for (const resource of resources) {
    for (const section of SECTIONS)
      for (const field of resource.group[section]) {
        const host = checkField(run, resource, section, field)
        if (host instanceof Promise) await host
      }
    for (const nested of resource.group.nested) await checkGroup(run, resource, nested)
  }
  const [root] = resources
  if (form.resource === 'user' && host.on === 'create' && !root.group.attributes.some(({ name }) => name === 'email'))
    await checkField(run, root, 'attributes', USER_EMAIL)
  for (const problem of attachmentProblems(form, state))
    addError(run, problem.at ?? 'base', messageOf(host.r, problem, problem.at ?? 'base', null, null))
  return run.errors
}

function addError(run: ValidationRun, path: string, message: string): void {
  const fieldErrors = run.errors.get(path)
  if (fieldErrors === undefined) run.errors.set(path, [message])
  else if (!fieldErrors.includes(message)) fieldErrors.push(message)
}

/** A promise only when a rule is asynchronous, for example because it runs a query. */
type MaybePromise = void | Promise<void>

/** Runs an action for one item after another. Returns a promise only when an action returns one. */
function inOrder<T extends object>(items: readonly T[], act: (item: T) => MaybePromise, from = 0): MaybePromise {
  for (let at = from; at < items.length; at++) {
    const item = items[at]
    const actionResult = item === undefined ? undefined : act(item)
    if (actionResult instanceof Promise) return actionResult.then(() => inOrder(items, act, at + 1))
  }
}

function checkField(run: ValidationRun, resource: ResourceValues, section: Section, field: FieldDef): MaybePromise {
  const isSent = isSentAnywhere(resource, section, field)
  const builtIn = section === 'attributes' ? builtInRules(run.form, field, resource.prefix, run.host.on, isSent) : []
  if (builtIn.length === 0 && field.validations.length === 0 && !isSent) return
  const path = fieldPath(resource.prefix, section, field.name)
  const value = sourceOf(resource, section, field)
  const hasSuitableType = !isSent || fitsField(field, value)
  const errorCount = run.errors.size
  const target: RuleTarget = { field, path, section, resource, isSent }
  const host = inOrder(rulesOfField(field, builtIn), (rule) => {
    // A value of the wrong type would cause a database error.
    if (!hasSuitableType && validators.get(rule.kind) === validators.get('unique')) return
    return checkRule(run, rule, value, target)
  })
  const end = (): void => {
    if (hasSuitableType || run.errors.size > errorCount) return
    addError(run, path, messageOf(run.host.r, { key: typeProblem(field, value) }, field.name, value, null))
  }
  if (host instanceof Promise) return host.then(end)
  end()
}

/** Returns the key of the message for a value that does not fit the type of its field. */
function typeProblem(field: FieldDef, value: unknown): string {
  const isWhole = field.type === 'integer'
  if (isWhole && fitsField({ ...field, type: 'float' }, value)) return 'not_an_integer'
  return isWhole || field.type === 'float' || field.type === 'decimal' ? 'not_a_number' : 'invalid'
}

function isSentAnywhere({ sentValues }: ResourceValues, section: Section, field: FieldDef): boolean {
  return (
    isSent(sentValues, section, field.name) || otherSources(field).some((name) => isSent(sentValues, section, name))
  )
}

/** Returns the sent value of a field, or the alternative source of a file. */
function sourceOf(resource: ResourceValues, section: Section, field: FieldDef): unknown {
  for (const name of [field.name, ...otherSources(field)])
    if (isSent(resource.sentValues, section, name) && !isBlank(resource.sentValues[section][name]))
      return resource.sentValues[section][name]
  return valueOfField(resource, section, field.name)
}

/**
 * Returns all rules of a field, in the order in which they are checked.
 * @param builtIn the result of `builtInRules`
 */
export function rulesOfField(field: FieldDef, builtIn: readonly ValidationDef[]): readonly ValidationDef[] {
  return builtIn.length === 0 ? field.validations : [...builtIn, ...field.validations]
}

/** The field that a rule is checked for. */
interface RuleTarget {
  readonly field: FieldDef
  readonly path: string
  readonly section: Section
  readonly resource: ResourceValues
  readonly isSent: boolean
}

function checkRule(run: ValidationRun, rule: ValidationDef, value: unknown, ruleTarget: RuleTarget): MaybePromise {
  const validator = validators.get(rule.kind)
  if (validator === undefined || isExempt(run, rule, value)) return
  const options = plainOptions(rule)
  if (rule.if !== null || options === null) return checkComputed(run, validator, rule, value, ruleTarget)
  const verdict = validator.check(value, new FieldCheck(run, options, ruleTarget))
  if (verdict instanceof Promise) return verdict.then((problems) => addProblems(run, rule, value, ruleTarget, problems))
  if (verdict.length > 0) return addProblems(run, rule, value, ruleTarget, verdict)
}

/** Like `checkRule`, for a rule with Liquid in its condition or its options. */
async function checkComputed(
  run: ValidationRun,
  validator: Validator,
  rule: ValidationDef,
  value: unknown,
  ruleTarget: RuleTarget,
): Promise<void> {
  if (rule.if !== null && str(await evaluateSetting(rule.if, () => run.host.r, run.scope)).trim() !== 'true') return
  const check = new FieldCheck(run, await computedOptions(run, rule), ruleTarget)
  await addProblems(run, rule, value, ruleTarget, await validator.check(value, check))
}

async function addProblems(
  run: ValidationRun,
  rule: ValidationDef,
  value: unknown,
  ruleTarget: RuleTarget,
  problems: Problems,
): Promise<void> {
  if (problems.length === 0) return
  const custom = rule.message === null ? null : str(await evaluateSetting(rule.message, () => run.host.r, run.scope))
  for (const problem of problems)
    addError(run, problem.at ?? ruleTarget.path, messageOf(run.host.r, problem, ruleTarget.field.name, value, custom))
}

function isExempt(run: ValidationRun, rule: ValidationDef, value: unknown): boolean {
  if (rule.on !== null && rule.on !== run.host.on) return true
  if (rule.allowNil && (value === null || value === undefined)) return true
  return rule.allowBlank && isBlank(value)
}

type Options = Readonly<Record<string, unknown>>

const PLAIN_OPTIONS = new WeakMap<ValidationDef, Options | null>()

/** Returns the options of a rule that contain no Liquid, computed once; null when an option contains Liquid. */
function plainOptions(rule: ValidationDef): Options | null {
  let cachedOptions = PLAIN_OPTIONS.get(rule)
  if (cachedOptions === undefined) {
    const pairs = Object.entries(rule.options)
    cachedOptions = pairs.every(([, option]) => isPlain(option))
      ? Object.fromEntries(pairs.map(([name, option]) => [name, evaluateSetting(option, noRender, noScope)]))
      : null
    PLAIN_OPTIONS.set(rule, cachedOptions)
  }
  return cachedOptions
}

function isPlain(setting: Setting): boolean {
  if (setting.kind === 'list') return setting.items.every(isPlain)
  return setting.kind === 'map' ? Object.values(setting.entries).every(isPlain) : setting.kind === 'plain'
}

const noScope = (): Scope => ({})

function noRender(): never {
  throw new Error('A setting without Liquid must not need a render.')
}

async function computedOptions(run: ValidationRun, rule: ValidationDef): Promise<Options> {
  const pairs = Object.entries(rule.options).map(
    ([name, setting]) => [name, evaluateSetting(setting, () => run.host.r, run.scope)] as const,
  )
  return Object.fromEntries(await Promise.all(pairs.map(async ([name, value]) => [name, await value] as const)))
}

/** The facts about a field for a validator. Most validators need only the value and the options, so the other facts are getters. */
class FieldCheck implements Check {
  readonly field: FieldDef
  readonly path: string
  readonly options: Options
  readonly host: ValidationHost
  readonly isSent: boolean
  readonly #run: ValidationRun
  readonly #spot: RuleTarget

  constructor(run: ValidationRun, options: Options, ruleTarget: RuleTarget) {
    this.field = ruleTarget.field
    this.path = ruleTarget.path
    this.options = options
    this.host = run.host
    this.isSent = ruleTarget.isSent
    this.#run = run
    this.#spot = ruleTarget
  }

  get prefix(): string {
    const { resource, section } = this.#spot
    return fieldPath(resource.prefix, section, '')
  }

  valueOfSibling(name: string): unknown {
    const { resource, section } = this.#spot
    const [where, bareName] = resolveFieldName(resource, section, name)
    const value = valueOfField(resource, where, bareName)
    return value === null && bareName === 'user_id' && where === 'attributes' ? ownerOf(this.#run, resource) : value
  }

  pathOf(name: string): string {
    const { resource, section } = this.#spot
    const [where, bareName] = resolveFieldName(resource, section, name)
    return fieldPath(resource.prefix, where, bareName)
  }
}

/**
 * Resolves a field name in a rule: `properties.x` is explicit, and a plain name is looked up in the section of the
 * field first.
 */
function resolveFieldName(resource: ResourceValues, section: Section, name: string): readonly [Section, string] {
  if (name.startsWith('properties.')) return ['properties', name.slice('properties.'.length)]
  const has = (section: Section): boolean => resource.group[section].some((field) => field.name === name)
  if (has(section)) return [section, name]
  return has('properties') ? ['properties', name] : ['attributes', name]
}

/** Returns the id of the user that a record belongs to or will belong to. */
function ownerOf(run: ValidationRun, resource: ResourceValues): unknown {
  if (resource.prefix === '' && resource.storedValues !== null && 'userId' in resource.storedValues)
    return resource.storedValues.userId
  const user = run.host.r.context['current_user']
  return isHash(user) ? (user['id'] ?? null) : null
}

/**
 * Checks the rules of a nested resource itself, not those of its fields. The resource is absent when it is neither sent nor stored, or
 * contains only blank files.
 */
async function checkGroup(run: ValidationRun, resource: ResourceValues, nested: NestedGroup): Promise<void> {
  if (nested.validations.length === 0) return
  const values =
    nestedValues(resource.sentValues, nested) ??
    (resource.storedValues === null ? null : nestedValues(resource.storedValues, nested))
  const path = `${resource.prefix}${nestedPath(nested)}`
  let value: Readonly<Record<string, unknown>> | null =
    values === null ? null : { ...values.attributes, ...values.properties, ...values.nested }
  const isFile = nested.kind === 'custom_images' || nested.kind === 'custom_attachments'
  if (isFile && value !== null && Object.values(value).every(isBlank)) value = null
  const field: FieldDef = { ...USER_EMAIL, name: nested.name }
  for (const rule of nested.validations)
    await checkRule(run, rule, value, { field, path, section: 'attributes', resource, isSent: values !== null })
}
