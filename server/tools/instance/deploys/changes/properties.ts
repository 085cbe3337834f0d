/** Changes the properties that a YAML file declares. */
import { isMap, isSeq, YAMLMap, YAMLSeq } from 'yaml'
import { type SettingsDocument, SettingsFault } from './settings.ts'

type Values = Readonly<Record<string, unknown>>

/** The arguments of a property in the order in which they are written, with the names of their settings. */
const KEYS: readonly (readonly [argument: string, key: string])[] = [
  ['name', 'name'],
  ['attribute_type', 'type'],
  ['default_value', 'default_value'],
  ['belongs_to', 'belongs_to'],
  ['options', 'options'],
  ['metadata', 'metadata'],
]

/** Adds a property. @throws SettingsFault when there is one of that name */
export function addProperty(document: SettingsDocument, values: Values): void {
  const name = String(values['name'])
  if (find(document, name) !== null) throw new SettingsFault(`already has a property \`${name}\``)
  const list = listOf(document)
  const item = new YAMLMap()
  write(document, item, values)
  list.items.push(item)
}

/** Changes a property. @param name its name before the change @throws SettingsFault when there is none */
export function changeProperty(document: SettingsDocument, name: string, values: Values): void {
  const item = find(document, name)
  if (item === null) throw new SettingsFault(`has no property \`${name}\``)
  const newName = values['name']
  if (typeof newName === 'string' && newName !== name && find(document, newName) !== null)
    throw new SettingsFault(`already has a property \`${newName}\``)
  write(document, item, values)
}

/** Removes a property. @throws SettingsFault when there is none */
export function removeProperty(document: SettingsDocument, name: string): void {
  const item = find(document, name)
  if (item === null) throw new SettingsFault(`has no property \`${name}\``)
  const list = listOf(document)
  list.items.splice(list.items.indexOf(item), 1)
  if (list.items.length === 0) list.flow = true
}

/**
 * Changes, adds and removes properties as an update of a table asks for.
 * @param given each with `was`, the name before the change
 * @throws SettingsFault
 */
export function changeProperties(document: SettingsDocument, given: readonly Values[]): void {
  for (const { was, _destroy: destroy = null, id: _, ...values } of given) {
    const name = String(was)
    if (destroy !== null && !/^(?:|f|false|0)$/i.test(String(destroy))) removeProperty(document, name)
    else if (find(document, name) === null) addProperty(document, values)
    else changeProperty(document, name, values)
  }
}

function listOf(document: SettingsDocument): YAMLSeq {
  const { map } = document
  for (const key of ['properties', 'custom_attributes']) {
    const node: unknown = map.get(key, true)
    if (isSeq(node)) return node
    if (node === undefined || (node !== null && !isMap(node) && map.get(key) === '')) continue
    throw new SettingsFault('has properties that are not a list')
  }
  const list = new YAMLSeq()
  map.set('properties', list)
  return list
}

function find(document: SettingsDocument, name: string): YAMLMap | null {
  const items = ['properties', 'custom_attributes'].flatMap((key) => {
    const node: unknown = document.map.get(key, true)
    return isSeq(node) ? node.items : []
  })
  return items.find((item): item is YAMLMap => isMap(item) && item.get('name') === name) ?? null
}

function write(document: SettingsDocument, item: YAMLMap, values: Values): void {
  for (const [argument, key] of KEYS) {
    const value = values[argument]
    if (value === undefined) continue
    // A property always has a name.
    if (value === null && key === 'name') continue
    const type = values['attribute_type'] ?? item.get('type') ?? 'string'
    const data =
      key === 'default_value' && value !== null
        ? defaultOf(String(value), String(type))
        : key === 'options'
          ? optionsOf(value)
          : value
    document.set(item, key, data)
  }
  // A list that was empty is written in brackets.
  const list = listOf(document)
  list.flow = false
}

/** Returns the default value of a type. A text that is none of its values stays a text, which the compiler refuses. */
function defaultOf(text: string, type: string): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if ((type === 'float' || type === 'decimal') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  if (type !== 'array' || !text.startsWith('[')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the options of uploads as they are written: without missing ones, and with the positions of files. */
function optionsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(optionsOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
      item === null
        ? []
        : [[name, name === 'position' && typeof item === 'string' ? item.replace('_', ' ') : optionsOf(item)]],
    ),
  )
}
