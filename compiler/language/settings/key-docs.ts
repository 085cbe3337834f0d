/** Builds the reference documentation of setting keys from their schemas. */
import { type SettingKey, type SettingKeys, RENDERED, type ReferencePage } from './setting.ts'

export interface KeyDocs {
  /** The full path of the key: `dynamic_cache.key`. */
  readonly name: string
  /** The accepted values: `true` or `false`; `text, with Liquid`. */
  readonly takes: string
  /** The description of the key. */
  readonly description: string
  /** The default in words; null if there is none. */
  readonly otherwise: string | null
  readonly required: boolean
  /** The key that replaces this key; null if the key is not deprecated. */
  readonly instead: string | null
  /** `told`: ignored with an info diagnostic. `silent`: ignored without one. */
  readonly ignored: 'told' | 'silent' | null
  readonly see: ReferencePage | null
}

/** Returns the documentation of each key, followed by the keys of the mapping that it accepts. */
export function keyDocs(keys: SettingKeys, parentPath = ''): readonly KeyDocs[] {
  return Object.entries(keys).flatMap(([name, key]) => [
    {
      name: parentPath + name,
      takes: takesText(key),
      description: key.description,
      otherwise: key.default === undefined ? (key.otherwise ?? null) : defaultText(key.default),
      required: key.required === true,
      instead: key.deprecated ?? null,
      ignored: key.ignored === true ? 'told' : key.unread === true ? 'silent' : null,
      see: key.see ?? null,
    },
    ...(key.below === undefined ? [] : keyDocs(key.below, `${parentPath}${name}.`)),
  ])
}

/** A value that only the schema `anything` accepts, so that the error of every other schema describes the accepted values. */
const PROBE = Symbol('probe')

/** Returns the accepted values, in the same words as a diagnostic. */
function takesText({ schema, takes }: SettingKey): string {
  const parsed = schema.safeParse(PROBE)
  const description = takes ?? (parsed.success ? 'anything' : (parsed.error.issues[0]?.message ?? ''))
  return (RENDERED.has(schema) ? `${description}, with Liquid` : description).replace(/^an? |^one of (?=`[^`]*`$)/, '')
}

function defaultText(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'none'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
