/** What the keys of settings take and mean, in the words of the reference: read from their schemas. */
import { type SettingKey, type SettingKeys, RENDERED, type ReferencePage } from './setting.ts'

export interface KeyDocs {
  /** With the keys above it: `dynamic_cache.key`. */
  readonly name: string
  /** `true` or `false`; `text, with Liquid`. */
  readonly takes: string
  /** The key's own sentence. */
  readonly says: string
  /** What counts without it, in words; null where that is nothing. */
  readonly otherwise: string | null
  readonly required: boolean
  /** The key to write in its place; null where it is current. */
  readonly instead: string | null
  /** `told`: accepted with a remark; `silent`: without one. */
  readonly ignored: 'told' | 'silent' | null
  readonly see: ReferencePage | null
}

/** Each key, and behind it those of the mapping that it takes. */
export function keyDocs(keys: SettingKeys, above = ''): readonly KeyDocs[] {
  return Object.entries(keys).flatMap(([name, key]) => [
    {
      name: above + name,
      takes: takesText(key),
      says: key.says,
      otherwise: key.default === undefined ? (key.otherwise ?? null) : defaultText(key.default),
      required: key.required === true,
      instead: key.deprecated ?? null,
      ignored: key.ignored === true ? 'told' : key.unread === true ? 'silent' : null,
      see: key.see ?? null,
    },
    ...(key.below === undefined ? [] : keyDocs(key.below, `${above}${name}.`)),
  ])
}

/** A value that only the schema of anything accepts, so that the error of every other schema says what it takes. */
const PROBE = Symbol('probe')

/** What a diagnostic would say that the key takes. */
function takesText({ schema, takes }: SettingKey): string {
  const parsed = schema.safeParse(PROBE)
  const words = takes ?? (parsed.success ? 'anything' : (parsed.error.issues[0]?.message ?? ''))
  return (RENDERED.has(schema) ? `${words}, with Liquid` : words).replace(/^an? |^one of (?=`[^`]*`$)/, '')
}

function defaultText(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'none'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
