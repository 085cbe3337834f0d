/** The key of the user signs what is cached in the folder of a site. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signingKey } from '../../../compiler/tools/cache/signing-key.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ingot-key-'))
  vi.stubEnv('XDG_CACHE_HOME', home)
  vi.stubEnv('CACHE_DIRECTORY', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

const folder = () => join(home, 'ingot')

describe('the key', () => {
  it('is created once, for the user alone', () => {
    const key = signingKey()
    expect(key).toHaveLength(32)
    expect(signingKey()).toEqual(key)
    expect(readFileSync(join(folder(), 'key'))).toEqual(key)
    expect(readdirSync(folder())).toEqual(['key'])
    if (process.platform !== 'win32') expect(statSync(join(folder(), 'key')).mode & 0o777).toBe(0o600)
  })

  it('is the same for processes that create it at the same time', async () => {
    const source = new URL('../../../compiler/tools/cache/signing-key.ts', import.meta.url).pathname
    const { buildSync } = await import('esbuild')
    const bundled = join(home, 'key.mjs')
    buildSync({ entryPoints: [source], outfile: bundled, bundle: true, platform: 'node', format: 'esm' })
    const script = `import { signingKey } from ${JSON.stringify(bundled)}; process.stdout.write(signingKey()?.toString('hex') ?? 'none')`
    const run = async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script])
      let text = ''
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
      await once(child, 'close')
      return text
    }
    const keys = await Promise.all(Array.from({ length: 6 }, run))
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('is absent if the folder is not private, or the file is not a key', () => {
    mkdirSync(folder())
    writeFileSync(join(folder(), 'key'), 'short')
    expect(signingKey()).toBeNull()
    rmSync(join(folder(), 'key'))
    if (process.platform === 'win32') return
    chmodSync(folder(), 0o777)
    expect(signingKey()).toBeNull()
    chmodSync(folder(), 0o700)
    expect(signingKey()).not.toBeNull()
  })

  it('is absent if it cannot be written', () => {
    writeFileSync(folder(), 'a file')
    expect(signingKey()).toBeNull()
  })
})
