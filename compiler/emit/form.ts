/** Form configurations in the site's own module: each with its fields, what is rendered for it, and what it does. */
import type { LinkedField, LinkedForm, LinkedGroup, LinkedNested } from '../model/form.ts'
import type { FormRule, FormSettings, LiquidText, NamedReference, SettingTree } from '../model/settings.ts'
import { hasBody, type Unit } from '../model/unit.ts'
import { propertyName } from './names.ts'
import { data } from './plain.ts'
import { quoted, type Writer } from './writer.ts'

/** How the module writes what stands in settings. `path` is that of the value in the settings. */
export interface SettingWriter {
  /** The render face of a template by its key: a file, or `file#path`. */
  readonly face: (key: string) => string
  readonly setting: (unit: Unit, path: string, tree: SettingTree) => string
  readonly liquid: (unit: Unit, path: string, text: LiquidText) => string
}

export function emitForms(w: Writer, forms: Iterable<LinkedForm>, as: SettingWriter): void {
  w.block(
    'forms:',
    null,
    () => {
      for (const form of forms) {
        // Without all of its policies and fields it would let in what it is to keep out.
        if (form.unit.refused === true) continue
        w.block(
          `${propertyName(form.name)}:`,
          null,
          () => {
            for (const [key, code] of entryOf(form, as)) w.statement(`${key}: ${code},`, null)
          },
          ',',
        )
      }
    },
    ',',
  )
}

function entryOf(form: LinkedForm, as: SettingWriter): readonly (readonly [string, string])[] {
  const { unit } = form
  const s = unit.settings
  const text = (path: string, given: LiquidText | null) => (given === null ? 'null' : as.liquid(unit, path, given))
  const tree = (path: string, given: SettingTree | null) => (given === null ? 'null' : as.setting(unit, path, given))
  return [
    ['file', quoted(unit.file.path)],
    ['name', quoted(form.name)],
    ['resource', quoted(form.resource)],
    ['resourceName', quoted(s.resource?.name ?? '')],
    ['table', form.table === null ? 'null' : quoted(form.table)],
    ['owner', quoted(form.owner)],
    ['fields', groupCode(form.fields, 'fields', unit, as)],
    ['render', hasBody(unit.template) ? as.face(unit.file.path) : 'null'],
    ['redirectTo', text('redirectTo', s.redirectTo)],
    ['flashNotice', text('flashNotice', s.flashNotice)],
    ['flashAlert', text('flashAlert', s.flashAlert)],
    ['defaultPayload', tree('defaultPayload', s.defaultPayload)],
    ['callbackActions', text('callbackActions', s.callbackActions)],
    ['asyncCallback', asyncCode(unit, as)],
    [
      'notifications',
      `{ emails: ${names(s.emailNotifications)}, sms: ${names(s.smsNotifications)}, apiCalls: ${names(s.apiCallNotifications)} }`,
    ],
    ['policies', names(s.authorizationPolicies)],
    ['spamProtection', s.spamProtection === null ? 'null' : data(s.spamProtection)],
    ['requestAllowed', String(s.requestAllowed)],
    ['responseHeaders', tree('responseHeaders', s.responseHeaders)],
    ['metadata', as.setting(unit, 'metadata', s.metadata)],
  ]
}

function asyncCode(unit: Unit<FormSettings>, as: SettingWriter): string {
  const given = unit.settings.asyncCallbackActions
  if (given === null) return 'null'
  const content = as.liquid(unit, 'asyncCallbackActions.content', given.content)
  return `{ content: ${content}, delay: ${given.delay}, priority: ${quoted(given.priority)}, maxAttempts: ${given.maxAttempts} }`
}

function names(references: readonly NamedReference[]): string {
  return data(references.map(({ name }) => name))
}

// ---- fields -----------------------------------------------------------------------------------------------------------

function groupCode(group: LinkedGroup, path: string, unit: Unit, as: SettingWriter): string {
  const fields = (key: 'attributes' | 'properties') =>
    listCode(group[key].map((field, at) => fieldCode(field, `${path}.${key}.${at}`, unit, as)))
  const nested = listCode(group.nested.map((each, at) => nestedCode(each, `${path}.nested.${at}`, unit, as)))
  return `{ attributes: ${fields('attributes')}, properties: ${fields('properties')}, nested: ${nested} }`
}

function nestedCode(each: LinkedNested, path: string, unit: Unit, as: SettingWriter): string {
  const table = each.table === null ? 'null' : quoted(each.table)
  const head = `kind: ${quoted(each.group)}, name: ${quoted(each.name)}, table: ${table}`
  return `{ ${head}, validations: ${rulesCode(each.validations, path, unit, as)}, fields: ${groupCode(each.fields, `${path}.fields`, unit, as)} }`
}

function fieldCode(field: LinkedField, path: string, unit: Unit, as: SettingWriter): string {
  const options = Object.fromEntries(field.options.map(({ name, value }) => [name, value]))
  const initial = field.default === null ? 'null' : as.setting(unit, `${path}.default`, field.default)
  const head = `name: ${quoted(field.name)}, type: ${quoted(field.type)}, virtual: ${field.virtual}, readonly: ${field.readonly}`
  return `{ ${head}, default: ${initial}, validations: ${rulesCode(field.validations, path, unit, as)}, options: ${data(options)} }`
}

function rulesCode(rules: readonly FormRule[], path: string, unit: Unit, as: SettingWriter): string {
  return listCode(rules.map((rule, at) => ruleCode(rule, `${path}.validations.${at}`, unit, as)))
}

function ruleCode(rule: FormRule, path: string, unit: Unit, as: SettingWriter): string {
  const options = rule.options.map(
    ({ name, value }, at) => `${propertyName(name)}: ${as.setting(unit, `${path}.options.${at}.value`, value)}`,
  )
  const tree = (key: 'message' | 'if') => {
    const given = rule[key]
    return given === null ? 'null' : as.setting(unit, `${path}.${key}`, given)
  }
  const on = rule.on === null ? 'null' : quoted(rule.on)
  const flags = `allowNil: ${rule.allowNil}, allowBlank: ${rule.allowBlank}, on: ${on}`
  return `{ kind: ${quoted(rule.rule)}, options: ${options.length === 0 ? '{}' : `{ ${options.join(', ')} }`}, message: ${tree('message')}, if: ${tree('if')}, ${flags} }`
}

function listCode(items: readonly string[]): string {
  return `[${items.join(', ')}]`
}
