/** Reads and checks the validations of a form field and their options. */
import { missingValidationOption } from '../../core/diagnostics/codes/forms/missing-validation-option.ts'
import { unknownValidationOption } from '../../core/diagnostics/codes/forms/unknown-validation-option.ts'
import { unknownValidation } from '../../core/diagnostics/codes/forms/unknown-validation.ts'
import { validationOptionValue } from '../../core/diagnostics/codes/forms/validation-option-value.ts'
import type { FormOption, FormRule } from '../../core/model/settings.ts'
import { type OptionKind, RULE_NAMES, RULE_SAYS, RULES } from '../../core/model/form-rules.ts'
import type { YamlEntry, YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid, settingTree } from './liquid-text.ts'
import { isPattern, isTime } from './option-values.ts'
import type { Reporter } from './setting.ts'

/** What an option accepts: a description and a test. */
interface OptionCheck {
  readonly takes: string
  accepts(node: YamlNode): boolean
}

const check = (takes: string, accepts: OptionCheck['accepts']): OptionCheck => ({ takes, accepts: accepts })
const scalar = (takes: string, acceptsText: (text: string) => boolean): OptionCheck =>
  check(takes, (node) => node.kind === 'scalar' && node.value !== null && acceptsText(node.text.trim()))

const flag = scalar('`true` or `false`', (text) => text === 'true' || text === 'false')
const count = scalar('a whole number', (text) => /^\d+$/.test(text))
const number = scalar('a number', (text) => /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text))
const anyText = scalar('a text', () => true)
const time = scalar('a date or a time', isTime)
const pattern = scalar('a regular expression', isPattern)
const saveKind = scalar('`create` or `update`', (text) => text === 'create' || text === 'update')

const isList = (node: YamlNode): boolean => node.kind === 'list' && node.items.length > 0
const NUMBER_RANGE = /^-?\d+(?:\.\d+)?\s*\.\.\s*-?\d+(?:\.\d+)?$/
const valueList = check(
  'a list of values: `[a, b]`',
  (node) => isList(node) || (node.kind === 'scalar' && NUMBER_RANGE.test(node.text.trim())),
)
/** A single value is the same as a list with one value. */
const oneOrMore = check(
  'a value, or a list of values',
  (node) => isList(node) || (node.kind === 'scalar' && node.value !== null),
)
const nameList = check('a list of names', (node) => {
  const items = node.kind === 'list' ? node.items : [node]
  return items.length > 0 && items.every((item) => item.kind === 'scalar' && item.value !== null)
})
const range = check('two whole numbers: `[3, 20]` or `3..20`', (node) =>
  node.kind === 'scalar'
    ? /^\d+\s*\.\.\s*\d+$/.test(node.text.trim())
    : node.kind === 'list' && node.items.length === 2 && node.items.every(count.accepts),
)

/** The options of every validation. */
const COMMON_OPTIONS: Readonly<Record<string, OptionCheck & { readonly description: string }>> = {
  message: { ...anyText, description: 'The error message instead of the default one. It may contain Liquid.' },
  if: { ...anyText, description: 'Liquid that reads `form`. The validation runs only if it prints `true`.' },
  allow_nil: { ...flag, description: 'Whether nil is a valid value.' },
  allow_blank: { ...flag, description: 'Whether a blank value is valid.' },
  on: { ...saveKind, description: 'Runs the validation only for new records, or only for changed ones.' },
}

/** The check of each kind of option that the runtime reads. */
const CHECK_OF_KIND: Readonly<Record<OptionKind, OptionCheck>> = {
  number,
  boolean: flag,
  list: oneOrMore,
  regex: pattern,
  date: time,
  fields: nameList,
  text: anyText,
}

/** Stricter checks of some options, by `validation.option`. */
const EXACT_CHECKS: Readonly<Record<string, OptionCheck>> = {
  'length.minimum': count,
  'length.maximum': count,
  'length.is': count,
  'length.in': range,
  'length.within': range,
  'inclusion.in': valueList,
  'exclusion.in': valueList,
}

/** Validations that need at least one of these options. */
const NEEDED_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  length: ['minimum', 'maximum', 'is', 'in', 'within'],
  inclusion: ['in'],
  exclusion: ['in'],
  format: ['with', 'without'],
  file_content_type: ['allow'],
}

/**
 * Reads the mapping `validation` and returns the enabled validations in file order. Common options next to the validations, such as
 * `message`, apply to each validation that does not set them itself.
 */
export function readRules(node: YamlNode, report: Reporter): readonly FormRule[] {
  if (node.kind === 'map') {
    const common = new Map<string, YamlNode>()
    const rules = node.entries.filter((entry) => !readCommonOption(entry, '', common, report))
    return rules.flatMap((entry) => readRule(entry, common, report) ?? [])
  }
  if (node.kind !== 'scalar' || node.value !== null)
    report.add(validationOptionValue(node.span, 'validation', 'a mapping such as `{ presence: true }`'))
  return []
}

/**
 * Reads an option that every validation has. @param prefix the validation with a dot, or an empty text @returns whether it is such an
 * option
 */
function readCommonOption(
  entry: YamlEntry,
  prefix: string,
  optionsByName: Map<string, YamlNode>,
  report: Reporter,
): boolean {
  const option = Object.hasOwn(COMMON_OPTIONS, entry.key) ? COMMON_OPTIONS[entry.key] : undefined
  if (option === undefined) return false
  if (isComputed(entry.value) || option.accepts(entry.value)) optionsByName.set(entry.key, entry.value)
  else report.add(validationOptionValue(optionSpan(entry), `${prefix}${entry.key}`, option.takes))
  return true
}

function readRule(
  { key, keySpan, value }: YamlEntry,
  sharedOptions: ReadonlyMap<string, YamlNode>,
  report: Reporter,
): FormRule | null {
  const ownOptions = Object.hasOwn(RULES, key) ? RULES[key] : undefined
  if (ownOptions === undefined) {
    report.add(unknownValidation(keySpan, key, RULE_NAMES))
    return null
  }
  if (value.kind === 'scalar') {
    if (value.value === false) return null
    if (value.value !== true) {
      report.add(validationOptionValue(value.span, key, '`true`, `false` or a mapping of options'))
      return null
    }
  } else if (value.kind === 'list') {
    report.add(validationOptionValue(value.span, key, '`true`, `false` or a mapping of options'))
    return null
  }
  const entries = value.kind === 'map' ? value.entries : []
  const options: FormOption[] = []
  const common = new Map(sharedOptions)
  for (const entry of entries) {
    if (Object.hasOwn(ownOptions, entry.key)) {
      const option = checkOf(key, entry.key)
      if (isComputed(entry.value) || option.accepts(entry.value))
        options.push({ name: entry.key, span: entry.keySpan, value: settingTree(entry.value) })
      else report.add(validationOptionValue(optionSpan(entry), `${key}.${entry.key}`, option.takes))
    } else if (!readCommonOption(entry, `${key}.`, common, report)) {
      const knownOptions = [...Object.keys(ownOptions), ...Object.keys(COMMON_OPTIONS)]
      report.add(unknownValidationOption(entry.keySpan, key, entry.key, knownOptions))
    }
  }
  const neededOptions = NEEDED_OPTIONS[key] ?? []
  if (neededOptions.length > 0 && !entries.some((entry) => neededOptions.includes(entry.key)))
    report.add(missingValidationOption(keySpan, key, neededOptions))
  const isOn = (name: string): boolean => {
    const option = common.get(name)
    return option?.kind === 'scalar' && option.text.trim() === 'true'
  }
  const optionTree = (name: string) => {
    const option = common.get(name)
    return option === undefined ? null : settingTree(option)
  }
  const on = common.get('on')
  return {
    rule: key,
    span: keySpan,
    options,
    message: optionTree('message'),
    if: optionTree('if'),
    allowNil: isOn('allow_nil'),
    allowBlank: isOn('allow_blank'),
    on: on?.kind === 'scalar' ? (on.text.trim() === 'create' ? 'create' : 'update') : null,
  }
}

/** Returns the check of an option that belongs to one validation. */
function checkOf(rule: string, option: string): OptionCheck {
  return EXACT_CHECKS[`${rule}.${option}`] ?? CHECK_OF_KIND[RULES[rule]?.[option]?.takes ?? 'text']
}

/** The documentation of an option. */
export interface OptionDocs {
  readonly name: string
  readonly takes: string
  readonly description: string
}

export interface RuleDocs {
  readonly name: string
  /** Other names of the validation. */
  readonly aliases: readonly string[]
  readonly description: string
  readonly options: readonly OptionDocs[]
  /** The validation needs at least one of these options. */
  readonly needed: readonly string[]
}

/** Returns the documentation of all validations, each once. */
export function ruleDocs(): readonly RuleDocs[] {
  const names = RULE_NAMES.filter((name, at) => RULE_NAMES.findIndex((each) => RULES[each] === RULES[name]) === at)
  return names.map((name) => ({
    name,
    aliases: RULE_NAMES.filter((each) => each !== name && RULES[each] === RULES[name]),
    description: RULE_SAYS[name] ?? '',
    options: Object.entries(RULES[name] ?? {}).map(([option, { description }]) => ({
      name: option,
      takes: checkOf(name, option).takes,
      description,
    })),
    needed: NEEDED_OPTIONS[name] ?? [],
  }))
}

/** Returns the documentation of the options that every validation has. */
export function commonOptions(): readonly OptionDocs[] {
  return Object.entries(COMMON_OPTIONS).map(([name, { takes, description }]) => ({
    name,
    takes,
    description,
  }))
}

/** Returns whether the value contains Liquid, so that it is known only when it is rendered. */
function isComputed(node: YamlNode): boolean {
  return node.kind === 'scalar' && hasLiquid(node.text)
}

/** Returns the span of a value; the span of its key if the value has more than one line. */
function optionSpan({ keySpan, value }: YamlEntry): YamlEntry['keySpan'] {
  return value.kind === 'scalar' && value.text !== '' ? value.span : keySpan
}
