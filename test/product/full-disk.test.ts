/** Tests builds, servers and uploads on a full disk: an error names the file, and no partial files are left. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, type TestContext } from 'vitest'
import { freePort } from '../../server/core/free-port.ts'
import { testDatabase } from '../support/database.ts'
import { builtProduct, commonVariables, product } from '../support/product.ts'

const ingot = product()
const home = mkdtempSync(join(tmpdir(), 'ingot-full-disk-'))
const mounted: string[] = []
/** The folder of a site with a page and a form that stores a file. */
let site = ''

beforeAll(async () => {
  site = ingot.folder({
    'app/views/pages/index.liquid': "home {{ 'large.bin' | asset_url }}\n",
    'app/views/pages/take.liquid': '---\nslug: take\nmethod: post\n---\n{{ context.params.f }}\n',
    // Random bytes, which cannot be compressed.
    'app/assets/large.bin': randomBytes(2_000_000),
  })
  expect(await ingot.run(['build', site])).toMatchObject({ code: 0 })
})
afterEach(() => {
  for (const folder of mounted.splice(0)) spawnSync('umount', ['-l', folder])
})
afterAll(async () => {
  await ingot.clean()
  rmSync(home, { recursive: true, force: true })
})

/** Mounts a file system with the given number of kilobytes. If that is not possible, skips the test with a message. */
function smallDisk(context: TestContext, name: string, kilobytes: number): string {
  const folder = join(home, name)
  mkdirSync(folder)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=777`, 'tmpfs', folder])
  if (status !== 0) context.skip('no file system can be mounted here')
  mounted.push(folder)
  return folder
}

describe('a build', { timeout: 120_000 }, () => {
  test('names the file that has no room, and leaves the old build', async (context) => {
    const disk = smallDisk(context, 'build', 1_500)
    const out = join(disk, 'out')
    const small = ingot.folder()
    cpSync(join(site, 'app/views'), join(small, 'app/views'), { recursive: true })
    expect(await ingot.run(['build', small, '--out', out])).toMatchObject({ code: 0 })
    const before = readFileSync(join(out, 'manifest.json'), 'utf8')
    const { code, err } = await ingot.run(['build', site, '--out', out])
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^'.*\/out\/assets\/[\da-f]+' cannot be written because the disk is full: free some space\.\n$/,
      ),
    ])
    expect(readFileSync(join(out, 'manifest.json'), 'utf8')).toBe(before)
    expect(readdirSync(disk)).toEqual(['out'])
  })

  test('that is packed names the archive, and leaves no half of it', async (context) => {
    const disk = smallDisk(context, 'pack', 500)
    const to = join(disk, 'site.tgz')
    const { code, err } = await ingot.run(['build', site, '--pack', to])
    expect([code, err]).toEqual([2, `'${to}' cannot be written because the disk is full: free some space.\n`])
    expect(readdirSync(disk)).toEqual([])
  })

  test('that is packed into a folder that does not exist names the archive', async () => {
    const to = join(site, 'nowhere/site.tgz')
    const { code, err } = await ingot.run(['build', site, '--pack', to])
    expect([code, err]).toEqual([2, `'${to}' does not exist: check the path.\n`])
  })

  test('of a new site names its first file without room', async (context) => {
    const disk = smallDisk(context, 'init', 16)
    const { code, err } = await ingot.run(['init', join(disk, 'site')])
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^'.*\/init\/site\/.+' cannot be written because the disk is full: free some space\.\n$/),
    ])
  })
})

test('a command whose output has no room says so', () => {
  const full = openSync('/dev/full', 'w')
  const program = join(builtProduct(), 'server/bin.mjs')
  const { status, stderr } = spawnSync(process.execPath, [program, '--help'], { stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  expect([status, stderr.toString()]).toEqual([2, 'The output cannot be written: the disk is full: make room.\n'])
})

describe('a server', { timeout: 120_000 }, () => {
  test('whose uploads find no room refuses them, keeps nothing of them and goes on', async (context) => {
    const data = smallDisk(context, 'data', 1_000)
    const server = await ingot.serve(['serve', site], { env: { INGOT_DATA: data } })
    const form = new FormData()
    form.append('f', new Blob([randomBytes(1_500_000)]), 'large.bin')
    const full = await fetch(`${server.url}/take`, { method: 'POST', body: form })
    expect(full.status).toBe(503)
    expect(await full.text()).not.toContain(data)
    await expect.poll(server.output).toContain('is full: free some space.')
    const small = new FormData()
    small.append('f', new Blob(['x']), 'small.bin')
    const reply = await fetch(`${server.url}/take`, { method: 'POST', body: small })
    expect([reply.status, await reply.text()]).toEqual([200, 'small.bin\n'])
    // Each process has a separate folder for uploads there.
    const incoming = join(data, 'incoming')
    const left = (): readonly string[] => readdirSync(incoming, { recursive: true }).map(String)
    await expect.poll(() => left().filter((name) => name.includes(sep))).toEqual([])
    expect(await server.stop()).toBe(0)
  })

  test('whose log finds no room serves on, says so once, and writes it again when there is room', async (context) => {
    const disk = smallDisk(context, 'log', 256)
    const filler = join(disk, 'filler')
    expect(spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096']).status).not.toBe(0)
    const port = await freePort()
    const database = await testDatabase()
    const log = openSync(join(disk, 'log'), 'a')
    const child = spawn(process.execPath, [join(builtProduct(), 'server/bin.mjs'), 'serve', site], {
      env: {
        ...commonVariables(),
        PORT: String(port),
        INGOT_WORKERS: '2',
        INGOT_JOB_THREADS: '0',
        DATABASE_URL: database.url,
      },
      stdio: ['ignore', log, 'pipe'],
    })
    closeSync(log)
    let said = ''
    child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
    const ended = once(child, 'exit')
    const status = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        (reply) => reply.status,
        () => null,
      )
    await expect.poll(status).toBe(200)
    // Each process has a separate log: two workers and the supervisor.
    const sentence = 'The log cannot be written (the disk is full). Its lines are lost until it can be written again.\n'
    await expect.poll(() => said).toContain(sentence)
    for (let n = 0; n < 100; n++) expect(await status()).toBe(200)
    expect(said.replaceAll(sentence, '')).toBe('')
    expect(said.length).toBeLessThanOrEqual(3 * sentence.length)
    rmSync(filler)
    const logged = async (): Promise<string> => {
      await status()
      return readFileSync(join(disk, 'log'), 'utf8')
    }
    await expect.poll(logged).toContain('"status":200')
    await expect.poll(() => said).toMatch(/^The log can be written again\. \d+ lines were lost\.$/m)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await database.close()
  })
})
