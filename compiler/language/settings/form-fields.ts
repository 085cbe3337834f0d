/** The fields of a form configuration: attributes, properties and resources below them, with their validations. */
import { misplacedValidation } from '../../core/diagnostics/codes/forms/misplaced-validation.ts'
import { missingConfirmation } from '../../core/diagnostics/codes/forms/missing-confirmation.ts'
import { settingRefused } from '../../core/diagnostics/codes/settings/setting-refused.ts'
import { unknownSetting } from '../../core/diagnostics/codes/settings/unknown-setting.ts'
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { quote } from '../../core/diagnostics/words.ts'
import type {
  FieldOption,
  FormField,
  FormGroup,
  FormNested,
  FormRule,
  NestedKind,
  SettingTree,
} from '../../core/model/settings.ts'
import { RULE_NAMES } from '../../core/model/form-rules.ts'
import { entryOf, toValue, type YamlEntry, type YamlNode } from '../../core/source/yaml.ts'
import { readRules } from './form-rules.ts'
import { settingTree } from './liquid-text.ts'
import type { Reporter } from './setting.ts'

export const NO_FIELDS: FormGroup = { attributes: [], properties: [], nested: [] }

/** Resources below another, in the words of the reference. */
const NESTED: Readonly<Record<NestedKind, string>> = {
  profiles: 'Profiles of a user, by their names.',
  customizations: 'Records that belong to this one, by their tables.',
  custom_images: 'Pictures of old sites, by their names.',
  custom_attachments: 'Files of old sites, by their names.',
  custom_addresses: 'Addresses of old sites, by their names.',
}
const NESTED_KINDS = Object.keys(NESTED) as readonly NestedKind[]

/** Keys that hold resources below this one. The ending is what a form's inputs have, and what older configurations copy from them. */
const GROUPS: ReadonlyMap<string, NestedKind> = new Map([
  ...NESTED_KINDS.flatMap((kind) => [[kind, kind] as const, [`${kind}_attributes`, kind] as const]),
  ['models', 'customizations'],
  ['models_attributes', 'customizations'],
])
const PROPERTIES: ReadonlySet<string> = new Set(['properties', 'properties_attributes'])

/** What a field may say of itself. */
const FIELD = {
  validation: {
    takes: 'mapping of validations',
    says: 'What the value must be like; also of a whole resource below another.',
  },
  property_options: {
    takes: 'mapping of names to values',
    says: 'How the value is treated; templates read all of it.',
  },
} as const
const FIELD_KEYS = Object.keys(FIELD)

/** The options of a property that count here; templates may read others. */
const OPTIONS = {
  virtual: {
    takes: '`true` or `false`',
    says: 'Never stored, and may be no property at all; the form can be asked for it.',
  },
  readonly: { takes: '`true` or `false`', says: 'What is sent is dropped: the stored value stays, or the default.' },
  default: { takes: 'value, with Liquid', says: 'The value where nothing is sent and nothing stored.' },
} as const

export interface FieldDocs {
  readonly name: string
  readonly aliases: readonly string[]
  readonly takes: string
  readonly says: string
}

/** The keys below `fields` that are no names of fields, those of a field, and the options of its property. */
export function fieldDocs(): Readonly<Record<'groups' | 'keys' | 'options', readonly FieldDocs[]>> {
  const plain = ([name, { takes, says }]: readonly [string, { readonly takes: string; readonly says: string }]) => ({
    name,
    aliases: [],
    takes,
    says,
  })
  const [properties = '', ...others] = PROPERTIES
  return {
    groups: [
      { name: properties, aliases: others, takes: 'mapping of fields', says: 'Properties of the table, or of users.' },
      ...NESTED_KINDS.map((kind) => ({
        name: kind,
        aliases: [...GROUPS].filter(([name, of]) => of === kind && name !== kind).map(([name]) => name),
        takes: 'mapping of names to fields',
        says: NESTED[kind],
      })),
    ],
    keys: Object.entries(FIELD).map(plain),
    options: Object.entries(OPTIONS).map(plain),
  }
}

/** Resources inside resources; no form that works has as many. */
const MOST_LEVELS = 8

/** Reads the map below `fields`. What is wrong in it is reported, and left out. */
export function readFields(node: YamlNode | null, report: Reporter): FormGroup {
  return readGroup(node, report, 0, [])
}

function readGroup(node: YamlNode | null, report: Reporter, level: number, skippedKeys: readonly string[]): FormGroup {
  if (isNull(node)) return NO_FIELDS
  if (node.kind !== 'map') {
    report.add(settingRefused(node.span, 'Fields are written as `name:`, one on each line', ''))
    return NO_FIELDS
  }
  const attributes: FormField[] = []
  const properties: FormField[] = []
  const nested: FormNested[] = []
  for (const entry of node.entries) {
    const kind = GROUPS.get(entry.key)
    if (skippedKeys.includes(entry.key)) continue
    if (PROPERTIES.has(entry.key)) properties.push(...readList(entry.value, report))
    else if (kind !== undefined) nested.push(...readNested(kind, entry.value, report, level))
    else attributes.push(readField(entry, report))
  }
  checkConfirmations(attributes, report)
  checkConfirmations(properties, report)
  return { attributes, properties, nested }
}

function readList(node: YamlNode, report: Reporter): readonly FormField[] {
  if (isNull(node)) return []
  if (node.kind === 'map') return node.entries.map((entry) => readField(entry, report))
  report.add(settingRefused(node.span, 'Properties are written as `name:`, one on each line', ''))
  return []
}

function readNested(group: NestedKind, node: YamlNode, report: Reporter, level: number): readonly FormNested[] {
  if (isNull(node)) return []
  if (node.kind !== 'map') {
    report.add(settingRefused(node.span, `Below ${quote(group)} stands a name, and below that its fields`, ''))
    return []
  }
  const sharedEntry = node.entries.find(isShared)
  // Which of several resources they are for is not said.
  const sharedRules = sharedEntry !== undefined && node.entries.length === 2 ? readRules(sharedEntry.value, report) : []
  return node.entries.flatMap((entry) => {
    if (entry === sharedEntry) return []
    const { key, keySpan, value } = entry
    if (level >= MOST_LEVELS) {
      report.add(settingRefused(keySpan, 'Resources are nested too deeply', 'Give the inner ones a form of their own.'))
      return []
    }
    const rules = entryOf(value, 'validation')?.value
    return {
      group,
      name: key,
      span: keySpan,
      validations: rules === undefined ? sharedRules : [...readRules(rules, report), ...sharedRules],
      fields: readGroup(value, report, level + 1, ['validation']),
    }
  })
}

/** Whether an entry beside the names of resources holds validations of all of them. */
function isShared({ key, value }: YamlEntry): boolean {
  return key === 'validation' && value.kind === 'map' && value.entries.every((each) => RULE_NAMES.includes(each.key))
}

function readField({ key, keySpan, value }: YamlEntry, report: Reporter): FormField {
  let validations: readonly FormRule[] = []
  let options: readonly YamlEntry[] = []
  if (value.kind === 'map') {
    const isGroup = isMisspelledGroup(key, value)
    for (const entry of value.entries) {
      if (entry.key === 'validation') validations = readRules(entry.value, report)
      else if (entry.key === 'property_options') options = readOptions(entry.value, report)
      else if (RULE_NAMES.includes(entry.key)) report.add(misplacedValidation(entry.keySpan, key, entry.key))
      else if (!isGroup) report.add(unknownSetting(entry.keySpan, `${key}.${entry.key}`, 'form', FIELD_KEYS))
    }
  } else if (!isNull(value)) {
    report.add(
      settingRefused(
        value.span,
        `The field ${quote(key)} takes a mapping of \`validation\` and \`property_options\``,
        '',
      ),
    )
  }
  return {
    name: key,
    span: keySpan,
    virtual: isOn(options, 'virtual', report),
    readonly: isOn(options, 'readonly', report),
    default: defaultOf(options),
    validations,
    options: options.map(({ key: name, value: of }): FieldOption => ({ name, value: toValue(of) })),
  }
}

/** Whether a field is a misspelled `properties` with fields below it. Linking reports the name, so that its keys are not reported. */
function isMisspelledGroup(key: string, value: YamlNode & { readonly kind: 'map' }): boolean {
  const names = value.entries.map((entry) => entry.key)
  return (
    findNearest(key, [...PROPERTIES, ...GROUPS.keys()]) !== null &&
    names.every((name) => !FIELD_KEYS.includes(name) && findNearest(name, FIELD_KEYS) === null)
  )
}

function readOptions(node: YamlNode, report: Reporter): readonly YamlEntry[] {
  if (node.kind === 'map') return node.entries
  if (!isNull(node)) report.add(settingRefused(node.span, '`property_options` is a mapping of names to values', ''))
  return []
}

function optionOf(options: readonly YamlEntry[], name: keyof typeof OPTIONS): YamlNode | undefined {
  return options.find(({ key }) => key === name)?.value
}

function isOn(options: readonly YamlEntry[], name: keyof typeof OPTIONS, report: Reporter): boolean {
  const option = optionOf(options, name)
  if (option === undefined || isNull(option)) return false
  if (
    option.kind === 'scalar' &&
    (option.text === 'true' || option.text === 'false' || typeof option.value === 'boolean')
  )
    return option.value === true || option.text === 'true'
  report.add(settingRefused(option.span, `The option ${quote(name)} takes \`true\` or \`false\``, ''))
  return false
}

function defaultOf(options: readonly YamlEntry[]): SettingTree | null {
  const option = optionOf(options, 'default')
  return option === undefined || isNull(option) ? null : settingTree(option)
}

/** A value is confirmed by a second field, which the form must have. */
function checkConfirmations(fields: readonly FormField[], report: Reporter): void {
  for (const { name, validations } of fields) {
    const rule = validations.find((each) => each.rule === 'confirmation')
    const confirmationName = `${name}_confirmation`
    if (rule === undefined || fields.some((field) => field.name === confirmationName)) continue
    const similarName = findNearest(
      confirmationName,
      fields.map((field) => field.name),
    )
    const similarField = similarName === null ? undefined : fields.find((field) => field.name === similarName)
    report.add(missingConfirmation(rule.span, name, similarName, similarField?.span ?? null))
  }
}

function isNull(node: YamlNode | null): node is null | (YamlNode & { readonly kind: 'scalar'; readonly value: null }) {
  return node === null || (node.kind === 'scalar' && node.value === null)
}
