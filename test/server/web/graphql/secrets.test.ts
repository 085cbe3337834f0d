/** The encryption of constants, and the source of the key. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { createSeal, readSecret } from '../../../../server/web/graphql/values/secrets.ts'
import { readSettings } from '../../../../server/core/settings.ts'

const folders: string[] = []

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ingot-secret-'))
  folders.push(made)
  return made
}

afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

describe('a seal', () => {
  test('opens what it sealed, whatever the text', () => {
    const seal = createSeal('a secret of some length')
    for (const text of ['', 'x', 'schlüssel ☃ \u{1f511}', '\0\n', 'k'.repeat(1_000_000)])
      expect(seal.open(seal.seal(text))).toBe(text)
  })

  test('seals the same text differently each time, and tells nothing of it', () => {
    const seal = createSeal('a secret of some length')
    const sealed = Array.from({ length: 50 }, () => seal.seal('sk_live_123'))
    expect(new Set(sealed).size).toBe(50)
    expect(sealed.join()).not.toContain('sk_live')
    expect(sealed[0]).toMatch(/^v1\.[\w-]+$/)
  })

  test('opens nothing that another key sealed, or that was touched', () => {
    const sealed = createSeal('a secret of some length').seal('value')
    expect(() => createSeal('another secret, as long').open(sealed)).toThrow()
    const seal = createSeal('a secret of some length')
    for (let at = 3; at < sealed.length - 1; at++) {
      const touched = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(() => seal.open(touched), String(at)).toThrow()
    }
    for (const broken of ['', 'v1.', 'value', `v2.${sealed.slice(3)}`, sealed.slice(0, 20)])
      expect(() => seal.open(broken)).toThrow()
  })
})

describe('the secret', () => {
  test('is what the environment says', () => {
    expect(readSecret('given by the environment', '/nowhere')).toBe('given by the environment')
  })

  test('is made once, readable by its user only, and stays', () => {
    const data = join(folder(), 'data')
    const made = readSecret(null, data)
    expect(made).toMatch(/^[\da-f]{64}$/)
    expect(readSecret(null, data)).toBe(made)
    expect(statSync(join(data, 'secret')).mode & 0o777).toBe(0o600)
    expect(readdirSync(data)).toEqual(['secret'])
  })

  test('is one for all processes that start at the same moment', async () => {
    const home = folder()
    const outfile = join(home, 'run.mjs')
    const file = fileURLToPath(new URL('../../../../server/web/graphql/values/secrets.ts', import.meta.url))
    await build({
      stdin: {
        contents: `import { readSecret } from ${JSON.stringify(file)}; process.stdout.write(readSecret(null, process.argv[2]))`,
        resolveDir: home,
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    })
    const data = join(home, 'data')
    const texts = await Promise.all(
      Array.from({ length: 12 }, () => {
        const child = spawn(process.execPath, [outfile, data], { stdio: ['ignore', 'pipe', 'inherit'] })
        let text = ''
        child.stdout.on('data', (part) => {
          text += String(part)
        })
        return new Promise<string>((done) => child.once('close', () => done(text)))
      }),
    )
    expect(texts[0]).toMatch(/^[\da-f]{64}$/)
    expect(new Set(texts).size).toBe(1)
  })

  test('that cannot be read is a sentence, not another key', () => {
    const data = folder()
    writeFileSync(join(data, 'secret'), 'short')
    expect(() => readSecret(null, data)).toThrow(/too short.*INGOT_SECRET.*INGOT_DATA/)
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('short')
    const other = folder()
    mkdirSync(join(other, 'secret'))
    chmodSync(other, 0o500)
    expect(() => readSecret(null, other)).toThrow(/INGOT_SECRET/)
    chmodSync(other, 0o700)
  })
})

describe('settings', () => {
  const originOverrides = (value: string, environment: 'staging' | 'production' = 'staging'): unknown =>
    readSettings({ INGOT_OUTGOING_STAND_IN: value }, environment).originOverrides

  test('name servers that stand in for others, but in production', () => {
    expect(
      originOverrides('https://API.example/=http://127.0.0.1:9999, http://b.example:80=https://c.example'),
    ).toEqual({
      'https://api.example': 'http://127.0.0.1:9999',
      'http://b.example': 'https://c.example',
    })
    expect(readSettings({}, 'production').originOverrides).toEqual({})
    expect(() => originOverrides('https://a.example=http://127.0.0.1:9999', 'production')).toThrow(
      /cannot be set in production/,
    )
    const explicit = { INGOT_ENV: 'production', INGOT_OUTGOING_STAND_IN: 'https://a.example=http://127.0.0.1:9999' }
    expect(() => readSettings(explicit, 'development')).toThrow(/cannot be set in production/)
    for (const wrong of [
      'https://a.example',
      'a.example=http://127.0.0.1',
      'https://a.example/v1=http://127.0.0.1',
      'https://a.example=http://127.0.0.1/v1',
      'https://a.example=http://u:p@127.0.0.1',
      'https://a.example=http://b.example=http://c.example',
      'ftp://a.example=http://127.0.0.1',
    ])
      expect(() => originOverrides(wrong), wrong).toThrow(/INGOT_OUTGOING_STAND_IN .* give pairs/)
  })

  test('that are secrets are never repeated by a message', () => {
    for (const [name, value] of [
      ['INGOT_SECRET', 'short-secret'],
      ['INGOT_API_TOKEN', 'short-token'],
      ['INGOT_API_TOKEN', 'a token with spaces in it'],
    ] as const) {
      const read = (): unknown => readSettings({ [name]: value }, 'production')
      expect(read).toThrow(new RegExp(`${name}.*16`))
      expect(read).not.toThrow(value)
    }
    expect(readSettings({}, 'production')).toMatchObject({ secret: null, apiToken: null })
    expect(readSettings({ INGOT_API_TOKEN: 'a-token-of-some-length' }, 'production').apiToken).toBe(
      'a-token-of-some-length',
    )
  })
})
