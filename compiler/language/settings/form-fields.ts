/** Reads the fields of a form configuration: attributes, properties and nested resources, with their validations. */
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
import { keysOf } from '../../core/source/records.ts'

const NO_FIELDS: FormGroup = { attributes: [], properties: [], nested: [] }

/** Descriptions of the nested resources, for the reference. */
const NESTED: Readonly<Record<NestedKind, string>> = {
  profiles: 'Profiles of a user, by name.',
  customizations: 'Records that belong to the resource of the form, by table.',
  custom_images: 'Images of older sites, by name.',
  custom_attachments: 'Files of older sites, by name.',
  custom_addresses: 'Addresses of older sites, by name.',
}
const NESTED_KINDS = keysOf(NESTED)

/** Keys of nested resources. The suffix `_attributes` is used in form inputs, and older configurations copy it from there. */
const GROUPS: ReadonlyMap<string, NestedKind> = new Map([
  ...NESTED_KINDS.flatMap((kind) => [[kind, kind] as const, [`${kind}_attributes`, kind] as const]),
  ['models', 'customizations'],
  ['models_attributes', 'customizations'],
])
const PROPERTIES: ReadonlySet<string> = new Set(['properties', 'properties_attributes'])

/** The keys of a field. */
const FIELD = {
  validation: {
    takes: 'mapping of validations',
    description: 'The validations of the value. A nested resource can have them too.',
  },
  property_options: {
    takes: 'mapping of names to values',
    description: 'Options for the value. Templates can read all of them.',
  },
} as const
const FIELD_KEYS = Object.keys(FIELD)

/** The options of a property that have an effect. Other options can only be read by templates. */
const OPTIONS = {
  virtual: {
    takes: '`true` or `false`',
    description: 'The value is never stored, and it does not have to be a property. The form can still read it.',
  },
  readonly: {
    takes: '`true` or `false`',
    description: 'The submitted value is ignored; the stored value or the default is used.',
  },
  default: { takes: 'value, with Liquid', description: 'The value if nothing is submitted and nothing is stored.' },
} as const

export interface FieldDocs {
  readonly name: string
  readonly aliases: readonly string[]
  readonly takes: string
  readonly description: string
}

/** Returns the documentation of the group keys below `fields`, the keys of a field and the options of a property. */
export function fieldDocs(): Readonly<Record<'groups' | 'keys' | 'options', readonly FieldDocs[]>> {
  const plain = ([name, { takes, description }]: readonly [
    string,
    { readonly takes: string; readonly description: string },
  ]) => ({
    name,
    aliases: [],
    takes,
    description,
  })
  const [properties = '', ...others] = PROPERTIES
  return {
    groups: [
      {
        name: properties,
        aliases: others,
        takes: 'mapping of fields',
        description: 'Properties of the table or of users.',
      },
      ...NESTED_KINDS.map((kind) => ({
        name: kind,
        aliases: [...GROUPS].filter(([name, of]) => of === kind && name !== kind).map(([name]) => name),
        takes: 'mapping of names to fields',
        description: NESTED[kind],
      })),
    ],
    keys: Object.entries(FIELD).map(plain),
    options: Object.entries(OPTIONS).map(plain),
  }
}

/** Maximum depth of nested resources. Real forms need fewer levels. */
const MAX_LEVELS = 8

/** Reads the mapping below `fields`. Invalid parts are reported and ignored. */
export function readFields(node: YamlNode | null, report: Reporter): FormGroup {
  return readGroup(node, report, 0, [])
}

function readGroup(node: YamlNode | null, report: Reporter, level: number, skippedKeys: readonly string[]): FormGroup {
  if (isNull(node)) return NO_FIELDS
  if (node.kind !== 'map') {
    report.add(settingRefused(node.span, 'Fields must be written as `name:`, one per line'))
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
  report.add(settingRefused(node.span, 'Properties must be written as `name:`, one per line'))
  return []
}

function readNested(group: NestedKind, node: YamlNode, report: Reporter, level: number): readonly FormNested[] {
  if (isNull(node)) return []
  if (node.kind !== 'map') {
    report.add(settingRefused(node.span, `${quote(group)} must contain a name, with its fields below it`))
    return []
  }
  const sharedEntry = node.entries.find(isShared)
  // With several resources, it is unclear to which of them the validations belong.
  const sharedRules = sharedEntry !== undefined && node.entries.length === 2 ? readRules(sharedEntry.value, report) : []
  return node.entries.flatMap((entry) => {
    if (entry === sharedEntry) return []
    const { key, keySpan, value } = entry
    if (level >= MAX_LEVELS) {
      report.add(
        settingRefused(keySpan, 'Resources are nested too deeply', {
          hint: 'Move the inner ones into a separate form.',
        }),
      )
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

/** Returns whether an entry next to the names of resources contains validations for all of them. */
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
        `The field ${quote(key)} must be a mapping of \`validation\` and \`property_options\``,
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

/** Returns whether a field is a misspelled `properties` with fields below it. Linking reports the name, so its keys are not reported. */
function isMisspelledGroup(key: string, value: YamlNode & { readonly kind: 'map' }): boolean {
  const names = value.entries.map((entry) => entry.key)
  return (
    findNearest(key, [...PROPERTIES, ...GROUPS.keys()]) !== null &&
    names.every((name) => !FIELD_KEYS.includes(name) && findNearest(name, FIELD_KEYS) === null)
  )
}

function readOptions(node: YamlNode, report: Reporter): readonly YamlEntry[] {
  if (node.kind === 'map') return node.entries
  if (!isNull(node)) report.add(settingRefused(node.span, '`property_options` must be a mapping of names to values'))
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
  report.add(settingRefused(option.span, `The option ${quote(name)} must be \`true\` or \`false\``))
  return false
}

function defaultOf(options: readonly YamlEntry[]): SettingTree | null {
  const option = optionOf(options, 'default')
  return option === undefined || isNull(option) ? null : settingTree(option)
}

/** Checks that the form has the confirmation field of each field with a confirmation. */
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
