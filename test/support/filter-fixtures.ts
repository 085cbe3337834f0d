/**
 * The examples of `fixtures/filters.json`, and the state of a host that they need. Keys with a `$` describe this state: translations, the
 * time, assets, keys, access keys, a challenge, pages of other servers.
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
  /** The name of the filter that replaces a deprecated one. */
  readonly replacement?: string | null
  readonly arity: { readonly min: number; readonly max: number | null }
  readonly examples: readonly Example[]
}

const text = readFileSync(new URL('../../fixtures/filters.json', import.meta.url), 'utf8')

/**
 * Reads the examples, with integers and floats distinguished. Reads them again for each call, because some filters change their
 * input.
 */
export function readEntries(): readonly Entry[] {
  return parseJson(text) as unknown as readonly Entry[]
}

function asHash(v: unknown): Readonly<Record<string, unknown>> {
  return isRecord(v) ? v : {}
}

/** Supported kinds of host state. An example that needs another kind must not run. */
const SUPPORTED_STATE = [
  '$i18n',
  '$now',
  '$assets',
  '$assets_updated',
  '$cdn',
  '$keys',
  '$access_keys',
  '$captcha',
  '$http',
]

/** Returns the kinds of state that an example needs and that are not supported. */
export function unknownState(data: Example['data']): readonly string[] {
  return Object.keys(data).filter((key) => key.startsWith('$') && !SUPPORTED_STATE.includes(key))
}

/** Returns the variables of a template: the data, and the cryptographic keys that an example describes in words. */
export function variablesOf(data: Example['data']): Record<string, unknown> {
  const variables = Object.entries(data).filter(([key]) => !key.startsWith('$'))
  return { ...Object.fromEntries(variables), ...createKeys(data.$keys) }
}

/** Returns the current time of the example in milliseconds since the epoch. Null if the example sets none. */
export function nowOf(data: Example['data']): number | null {
  return typeof data.$now === 'string' ? Date.parse(data.$now) : null
}

/** Returns the files of a site with the example's translations. */
export function filesOf({ template, data }: Example): Record<string, string> {
  const files: Record<string, string> = { main: template }
  // Translation files are YAML, which includes JSON.
  for (const [locale, tree] of Object.entries(asHash(data.$i18n)))
    files[`app/translations/${locale}.yml`] = JSON.stringify({ [locale]: tree })
  for (const name of Object.keys(asHash(data.$assets))) files[`app/assets/${name}`] = ''
  return files
}

/** Returns host services with the example's state. */
export function servicesOf(data: Example['data']): Pick<Services, 'accounts' | 'assets' | 'challenge' | 'fetch'> {
  const keys = data.$access_keys
  return {
    assets: {
      url: (path) => {
        const known = asHash(data.$assets)[path]
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
        const body = asHash(data.$http)[url]
        if (typeof body !== 'string') throw new ArgumentFault(`there is nothing at ${url}`)
        return new TextEncoder().encode(body)
      },
    },
  }
}

/** Returns the cryptographic keys that an example describes in words. */
function createKeys(wanted: unknown): Record<string, unknown> {
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
