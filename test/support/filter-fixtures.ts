/**
 * The examples of `fixtures/filters.json`, and the state of a host that their keys with a `$` ask for: translations, the time,
 * assets, keys, access keys, a challenge, pages of other servers.
 */
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ArgumentFault } from '../../runtime/page/fault.ts'
import type { Services } from '../../runtime/page/services.ts'
import { parseJson } from '../../runtime/page/values/json.ts'
import { isRecord } from '../../compiler/core/source/records.ts'

export interface Example {
  readonly template: string
  readonly data: Readonly<Record<string, unknown>>
  readonly result: string
  readonly source: 'base' | 'run' | 'documented' | 'inferred'
}

export interface Entry {
  readonly name: string
  readonly aliasOf?: string | null
  /** The successor of a deprecated filter. */
  readonly replacement?: string | null
  readonly arity: { readonly min: number; readonly max: number | null }
  readonly examples: readonly Example[]
}

const text = readFileSync(new URL('../../fixtures/filters.json', import.meta.url), 'utf8')

/** Read with Integer and Float apart, as templates see data; anew each time, for some filters change what they are given. */
export function readEntries(): readonly Entry[] {
  return parseJson(text) as unknown as readonly Entry[]
}

function hashOf(v: unknown): Readonly<Record<string, unknown>> {
  return isRecord(v) ? v : {}
}

/** Kinds of state that this layer knows. An example that asks for another one must not run without it. */
const KNOWN = ['$i18n', '$now', '$assets', '$assets_updated', '$cdn', '$keys', '$access_keys', '$captcha', '$http']

/** Names of state that an example asks for and that is not known here. */
export function unknownState(data: Example['data']): readonly string[] {
  return Object.keys(data).filter((key) => key.startsWith('$') && !KNOWN.includes(key))
}

/** What a template sees by name: the data, and the keys that an example asks for in words. */
export function variablesOf(data: Example['data']): Record<string, unknown> {
  const variables = Object.entries(data).filter(([key]) => !key.startsWith('$'))
  return { ...Object.fromEntries(variables), ...keysFor(data.$keys) }
}

/** Milliseconds since the epoch of the example's present; null for our own. */
export function nowOf(data: Example['data']): number | null {
  return typeof data.$now === 'string' ? Date.parse(data.$now) : null
}

/** The files of a site that has the translations and the assets. */
export function filesOf({ template, data }: Example): Record<string, string> {
  const files: Record<string, string> = { main: template }
  // JSON is YAML.
  for (const [locale, tree] of Object.entries(hashOf(data.$i18n)))
    files[`app/translations/${locale}.yml`] = JSON.stringify({ [locale]: tree })
  for (const name of Object.keys(hashOf(data.$assets))) files[`app/assets/${name}`] = ''
  return files
}

/** The ports of a host with the state. */
export function servicesOf(data: Example['data']): Pick<Services, 'accounts' | 'assets' | 'challenge' | 'fetch'> {
  const keys = data.$access_keys
  return {
    assets: {
      url: (path) => {
        const known = hashOf(data.$assets)[path]
        return typeof known === 'string'
          ? known
          : `${data.$cdn ?? ''}/assets/${path}?updated=${data.$assets_updated ?? 0}`
      },
    },
    accounts: {
      isTokenOf: async () => false,
      isAccessKey: async (key) => Array.isArray(keys) && keys.includes(key),
    },
    challenge: { html: () => '', verify: async () => data.$captcha === 'pass' },
    fetch: {
      download: async (url) => {
        const body = hashOf(data.$http)[url]
        if (typeof body !== 'string') throw new ArgumentFault(`there is nothing at ${url}`)
        return new TextEncoder().encode(body)
      },
    },
  }
}

/** Keys that an example asks for in words. */
function keysFor(wanted: unknown): Record<string, unknown> {
  if (typeof wanted !== 'string') return {}
  const pem = { type: 'spki', format: 'pem' } as const
  if (wanted.startsWith('RSA'))
    return { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export(pem) }
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const [first, second] = [pair(), pair()]
  const { x = '', y = '' }: JsonWebKey = first.publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return {
    k1: first.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    p1: point.toString('base64url'),
    k2: second.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    p2: second.publicKey.export(pem),
  }
}
