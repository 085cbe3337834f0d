/**
 * Every example of `fixtures/filters.json` through the whole compiler, in a format without escaping. Keys of the data that
 * begin with `$` are state of the host: translations and assets become files, `$now` the clock.
 */
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../compiler/engine.ts'
import { filterTable } from '../compiler/types/filters.ts'
import { parseJson } from '../runtime/values/json.ts'

interface Example {
  readonly template: string
  readonly data: Readonly<Record<string, unknown>>
  readonly result: string
  readonly source: 'base' | 'run' | 'documented' | 'inferred'
}

interface Entry {
  readonly name: string
  readonly arity: { readonly min: number; readonly max: number | null }
  readonly examples: readonly Example[]
}

const text = readFileSync(new URL('../fixtures/filters.json', import.meta.url), 'utf8')
// Read twice: once as JavaScript reads it, once with Integer and Float apart.
const entries = JSON.parse(text) as readonly Entry[]
const exact = parseJson(text) as readonly Entry[]

/** Names of the documentation that the language does not have (yet): they need a service that no host offers, or are not built. */
const ABSENT: ReadonlySet<string> = new Set(
  `decrypt download_file ecdh_compute encode encoding encrypt force_encoding gzip_compress gzip_decompress hkdf
  html_to_text is_gpg_valid jwe_encode jwe_encode_rc jwt_decode jwt_encode matches parse_xml regex_matches
  replace_regex scrub to_mobile_number to_xml to_xml_rc url_to_qrcode_svg useragent video_params videoify
  xml_to_hash`.split(/\s+/),
)

const known = filterTable('platform')

/** State that only a server has: the examples that need it are run with the server. */
const SERVER_STATE = ['$http', '$captcha', '$access_keys']

function filesOf({ template, data }: Example): Record<string, string> {
  const files: Record<string, string> = { main: template }
  // JSON is YAML.
  for (const [locale, tree] of Object.entries((data['$i18n'] ?? {}) as Record<string, unknown>))
    files[`app/translations/${locale}.yml`] = JSON.stringify({ [locale]: tree })
  for (const name of Object.keys((data['$assets'] ?? {}) as Record<string, unknown>)) files[`app/assets/${name}`] = ''
  return files
}

function variablesOf(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const variables = Object.entries(data).filter(([key]) => !key.startsWith('$'))
  return { ...Object.fromEntries(variables), ...keysFor(data['$keys']) }
}

/** Keys that an example asks for in words. */
function keysFor(wanted: unknown): Record<string, unknown> {
  if (typeof wanted !== 'string') return {}
  const pem = { type: 'spki', format: 'pem' } as const
  if (wanted.startsWith('RSA'))
    return { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export(pem) }
  const pair = () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { d = '', x = '', y = '' }: JsonWebKey = privateKey.export({ format: 'jwk' })
    const hex = (part: string) => Buffer.from(part, 'base64url').toString('hex')
    return { secret: hex(d), point: `04${hex(x)}${hex(y)}` }
  }
  const [first, second] = [pair(), pair()]
  return { k1: first.secret, p1: first.point, k2: second.secret, p2: second.point }
}

/** The engine serves assets from its own root and without a stamp. */
function expected({ data, result }: Example): string {
  if ('$assets' in data) return '/assets/logo.png'
  if (!('$assets_updated' in data)) return result.replace('Liquid error:', 'Liquid error (main:1):')
  return result.replace(String(data['$cdn'] ?? ''), '').replace(/\?updated=\d+$/, '')
}

describe('the documented filters', () => {
  it('are all there but for those that are known to be absent', () => {
    expect(entries.length).toBe(215)
    expect(entries.map(({ name }) => name).filter((name) => !known.has(name) && !ABSENT.has(name))).toEqual([])
  })

  for (const [at, { name, examples }] of entries.entries()) {
    if (!known.has(name)) continue
    for (const [which, example] of examples.entries()) {
      if (SERVER_STATE.some((key) => key in example.data)) continue
      it(`${name} (${example.source}): ${example.template.replaceAll('\n', '⏎')}`, async () => {
        const data = exact[at]?.examples[which]?.data ?? {}
        const now = example.data['$now']
        const engine = createEngine({
          files: filesOf(example),
          format: 'txt',
          errors: 'inline',
          ...(typeof now === 'string' ? { now: new Date(now) } : {}),
        })
        expect(engine.diagnostics.filter((each) => each.severity === 'error')).toEqual([])
        expect(await engine.render('main', variablesOf(data))).toBe(expected(example))
      })
    }
  }
})

describe('the number of arguments', () => {
  for (const { name, arity } of entries) {
    const signature = known.get(name)
    if (signature === undefined) continue
    const given = (count: number) =>
      `{{ x | ${name}${count > 1 ? `: ${Array.from({ length: count - 1 }, () => 'y').join(', ')}` : ''} }}`
    const error = (template: string) => {
      const engine = createEngine({ files: { main: template }, errors: 'inline', format: 'txt' })
      const found = engine.diagnostics.find((each) => each.code === 'filter-arity')
      if (found !== undefined) return 'wrong number of arguments'
      return engine.render('main').then((output) => /wrong number of arguments/.exec(output)?.[0] ?? null)
    }
    it(`of ${name} is ${arity.min} to ${arity.max ?? 'any'}`, async () => {
      expect(await error(given(arity.min)), given(arity.min)).toBeNull()
      if (arity.min > 1) expect(await error(given(arity.min - 1)), given(arity.min - 1)).not.toBeNull()
      if (arity.max === null) return
      expect(await error(given(arity.max)), given(arity.max)).toBeNull()
      expect(await error(given(arity.max + 1)), given(arity.max + 1)).not.toBeNull()
    })
  }
})
