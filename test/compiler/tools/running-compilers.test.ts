/** A process that has a site in memory caches its findings on request, but only for its own texts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { siteOptions } from '../../../compiler/tools/site-options.ts'
import { CACHE } from '../../../compiler/tools/cache/cache-folder.ts'
import { FindingsCache } from '../../../compiler/tools/cache/findings-cache.ts'
import { requestCaching, answerCacheRequests } from '../../../compiler/tools/cache/running-compilers.ts'
import { Workspace } from '../../../compiler/tools/service/workspace.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { commonVariables, product } from '../../support/product.ts'

/** The key of the user. */
const SECRET = Buffer.alloc(32, 1)

const PAGE = 'app/views/pages/index.liquid'

let root: string
/** The runtime folder of the user. */
let runtime: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ingot-running-'))
  runtime = mkdtempSync(join(tmpdir(), 'ingot-runtime-'))
  vi.stubEnv('XDG_RUNTIME_DIR', runtime)
  write(PAGE, '{{ 1 | upcas }}')
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of [root, runtime]) rmSync(folder, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const sockets = (): readonly string[] =>
  existsSync(join(runtime, 'ingot')) ? readdirSync(join(runtime, 'ingot')).filter((name) => name.endsWith('.sock')) : []

describe('a process that has a site in memory', () => {
  it('keeps when it is asked, and is asked no more when it ends', async () => {
    expect(await requestCaching(root)).toBe(false)
    let kept = 0
    const end = answerCacheRequests(root, async () => void kept++)
    await expect.poll(sockets).toHaveLength(1)
    expect(await Promise.all([requestCaching(root), requestCaching(root)])).toEqual([true, true])
    expect(kept).toBe(2)
    end()
    await expect.poll(sockets).toEqual([])
    expect(await requestCaching(root)).toBe(false)
  })

  it('answers when it cannot keep them', async () => {
    const end = answerCacheRequests(root, () => Promise.reject(new Error('no site')))
    await expect.poll(sockets).toHaveLength(1)
    expect(await requestCaching(root)).toBe(true)
    end()
  })

  it('is not waited for where it was killed', async () => {
    const end = answerCacheRequests(root, async () => undefined)
    await expect.poll(sockets).toHaveLength(1)
    const path = join(runtime, 'ingot', (sockets()[0] ?? '').replace(/\d+\.sock$/, '1.sock'))
    end()
    await expect.poll(sockets).toEqual([])
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('listens'))`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(sockets()).toHaveLength(1)
    expect(await requestCaching(root)).toBe(false)
    expect(sockets()).toEqual([])
  })

  it('has its address outside of the site, under the same name for a link to its folder', async () => {
    const link = `${root}-link`
    symlinkSync(root, link)
    const end = answerCacheRequests(root, async () => undefined)
    await expect.poll(sockets).toHaveLength(1)
    expect(readdirSync(root)).toEqual(['app'])
    expect(await requestCaching(link)).toBe(true)
    rmSync(link)
    expect(await requestCaching(join(root, 'app'))).toBe(false)
    end()
  })

  it('uses no folder that others can enter, and none whose name is too long for an address', async () => {
    chmodSync(runtime, 0o755)
    answerCacheRequests(root, async () => undefined)()
    expect(sockets()).toEqual([])
    const deep = join(runtime, 'a'.repeat(100))
    mkdirSync(deep, { mode: 0o700 })
    vi.stubEnv('XDG_RUNTIME_DIR', deep)
    answerCacheRequests(root, async () => undefined)()
    expect(await requestCaching(root)).toBe(false)
  })
})

describe('an editor', () => {
  it('keeps what is on disk, and nothing of what is not saved', async () => {
    const findings = new FindingsCache(root, 'one', SECRET)
    const told = async () => {
      const site = await discover(root)
      return findings.read(site.files, siteOptions(site))?.map(({ code }) => code)
    }
    const workspace = new Workspace(root, { diagnosed: () => undefined }, 1, findings)
    await workspace.settled()
    await expect.poll(sockets).toHaveLength(1)
    write(PAGE, '{{ 1 | plus }}')
    workspace.noteDiskChange(PAGE)
    await requestCaching(root)
    expect(await told()).toContain('filter-arity')
    write(PAGE, '{{ 1 | downcas }}')
    workspace.edit(PAGE, '{{ 1 | upcas }}')
    workspace.noteDiskChange(PAGE)
    await requestCaching(root)
    expect(await told()).toBeUndefined()
    workspace.edit(PAGE, '{{ 1 | downcas }}')
    await requestCaching(root)
    expect(await told()).toContain('unknown-filter')
    workspace.stop()
    await expect.poll(sockets).toEqual([])
  })
})

describe('the watcher of `ingot dev`', () => {
  const built = product()
  afterAll(() => built.clean())

  it('finds for `check` what was saved just before', async () => {
    const fresh = await built.run(['check', root], { env: { XDG_RUNTIME_DIR: runtime } })
    expect(fresh.out).toContain('unknown-filter')
    rmSync(join(root, '.ingot'), { recursive: true })
    const watcher = spawn(process.execPath, [built.bin, 'watch', root], {
      env: { ...commonVariables(), XDG_RUNTIME_DIR: runtime },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const messages: string[] = []
    createInterface({ input: watcher.stdout }).on('line', (line) => messages.push(JSON.parse(line).type))
    await expect.poll(() => messages).toContain('checked')
    await expect.poll(sockets).toHaveLength(1)
    expect(await built.run(['check', root], { env: { XDG_RUNTIME_DIR: runtime } })).toEqual(fresh)
    const findings = () => readdirSync(join(root, CACHE)).filter((name) => name.startsWith('findings-'))
    expect(findings()).toHaveLength(1)
    write(PAGE, '{{ 1 | plus }}')
    await expect.poll(() => messages.filter((type) => type === 'checked').length).toBe(2)
    expect(await requestCaching(root)).toBe(true)
    expect(findings()).toHaveLength(2)
    const second = await built.run(['check', root], { env: { XDG_RUNTIME_DIR: runtime } })
    expect(second.out).toContain('filter-arity')
    // The command added nothing to the cache, because the texts, the compiler and the options were the same.
    expect(findings()).toHaveLength(2)
    watcher.stdin.end()
    await once(watcher, 'exit')
    expect(sockets()).toEqual([])
  })
})
