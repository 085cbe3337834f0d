/** Values of settings that are texts with a form of their own: defaults of properties, and what forms send of themselves. */
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { PropertyType } from '../../core/model/operation.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import type { Reporter } from './setting.ts'

/** What a default of a type looks like. */
const DEFAULTS: Partial<Record<PropertyType, { readonly what: RegExp; readonly words: string }>> = {
  integer: { what: /^[-+]?\d+$/, words: 'a whole number' },
  float: { what: /^[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i, words: 'a number' },
  boolean: { what: /^(?:true|false|t|f|1|0|yes|no|on|off)$/i, words: '`true` or `false`' },
}

/** The default of a property, where its type takes no such value. */
export function checkDefault(type: PropertyType, node: YamlNode, report: Reporter): void {
  const fits = DEFAULTS[type]
  if (fits === undefined || node.kind !== 'scalar' || node.value === null || node.text === '' || hasLiquid(node.text))
    return
  if (!fits.what.test(node.text)) report.add(settingValue(node.span, 'default_value', fits.words, shown(node.text)))
}

/** What a form sends of itself: the text of a JSON object, or a mapping. */
export function checkPayload(node: YamlNode | null, report: Reporter): void {
  if (node?.kind !== 'scalar' || node.text.trim() === '' || hasLiquid(node.text) || isJson(node.text)) return
  report.add(settingValue(node.span, 'default_payload', 'the JSON of an object', shown(node.text)))
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
