/** Checks setting values that have their own text format: defaults of properties and default payloads of forms. */
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import { suggestValue } from '../../core/diagnostics/change.ts'
import type { PropertyType } from '../../core/model/operation.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import type { Reporter } from './setting.ts'

/** Every text of a date or a time has a digit, except these words. */
const DAY = { pattern: /\d|^\s*(?:now|today|tomorrow|yesterday)\s*$/i, words: 'a date or a time' }

/** The format of the default value of each type. */
const DEFAULTS: Partial<
  Record<PropertyType, { readonly pattern: RegExp; readonly words: string; readonly accepted?: readonly string[] }>
> = {
  integer: { pattern: /^[-+]?\d+$/, words: 'a whole number' },
  float: { pattern: /^[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i, words: 'a number' },
  boolean: {
    pattern: /^(?:true|false|t|f|1|0|yes|no|on|off)$/i,
    words: '`true` or `false`',
    accepted: ['true', 'false'],
  },
  date: DAY,
  datetime: DAY,
  time: DAY,
}

/** Reports a default value that does not fit the type of the property. */
export function checkDefault(type: PropertyType, node: YamlNode, report: Reporter): void {
  const format = DEFAULTS[type]
  if (format === undefined || node.kind !== 'scalar' || node.value === null || node.text === '' || hasLiquid(node.text))
    return
  if (!format.pattern.test(node.text))
    report.add(
      settingValue(
        node.span,
        'default_value',
        format.words,
        shorten(node.text),
        suggestValue(node.text, format.accepted ?? []),
      ),
    )
}

/** Reports a default payload that is neither a mapping nor the JSON text of an object. */
export function checkPayload(node: YamlNode | null, report: Reporter): void {
  if (node?.kind !== 'scalar' || node.text.trim() === '' || hasLiquid(node.text) || isJson(node.text)) return
  report.add(settingValue(node.span, 'default_payload', 'a JSON object', shorten(node.text)))
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
