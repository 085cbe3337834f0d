/** Tests `ingot modules`: versions are chosen, fetched and installed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readModulesLine, runModules, Sources } from '../../../../server/commands/modules.ts'
import { unpackModules } from '../../../../server/tools/modules/unpack.ts'
import { type ZipFile, zipOf } from '../instance/zip.ts'

let root: string
let store: string
let site: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ingot-modules-test-'))
  store = join(root, 'store')
  mkdirSync(store)
  for (const version of ['1.0.0', '1.2.0', '2.0.0']) pack('core', version)
  pack('shop', '1.1.0', { core: '^1.0.0' })
  pack('shop', '1.5.0-beta.1', { core: '^1.0.0' })
  pack('blog', '3.0.0', { core: '^2.0.0' })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))
beforeEach(() => {
  site = mkdtempSync(join(root, 'site-'))
})

/** Returns the files of a module as they are in an archive. */
function filesOf(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): ZipFile[] {
  return [
    { name: `${name}/pos-module.json`, text: JSON.stringify({ machine_name: name, version, dependencies }) },
    { name: `${name}/public/views/partials/hi.liquid`, text: `${name} ${version}` },
  ]
}

function pack(name: string, version: string, dependencies: Readonly<Record<string, string>> = {}): void {
  writeFileSync(join(store, `${name}-${version}.zip`), zipOf(filesOf(name, version, dependencies)))
}

function write(path: string, value: object): void {
  mkdirSync(dirname(join(site, path)), { recursive: true })
  writeFileSync(join(site, path), JSON.stringify(value))
}
const json = (path: string) => JSON.parse(readFileSync(join(site, path), 'utf8')) as Record<string, unknown>
const text = (name: string) => readFileSync(join(site, `modules/${name}/public/views/partials/hi.liquid`), 'utf8')

/** Runs the command. Returns its output. */
async function modules(words: string, from: string | null = store, usual: string | null = null): Promise<string> {
  const sources = new Sources(from, usual, unpackModules)
  let said = ''
  try {
    await runModules(readModulesLine([...words.split(' '), '--dir', site]), sources, (line) => {
      said += line
    })
  } finally {
    await sources.close()
  }
  return said
}

describe('install', () => {
  it('adds a module with what that asks for, and locks the versions', async () => {
    expect(await modules('install shop')).toMatch(/installed {2}shop 1\.1\.0 .*\ninstalled {2}core 1\.2\.0 /)
    expect(json('pos-module.json')).toEqual({ dependencies: { shop: '^1.1.0' } })
    expect(json('pos-module.lock.json')).toEqual({
      dependencies: { core: '1.2.0', shop: '1.1.0' },
      devDependencies: {},
    })
    expect([text('shop'), text('core')]).toEqual(['shop 1.1.0', 'core 1.2.0'])
    expect(readdirSync(join(site, 'modules')).toSorted()).toEqual(['core', 'shop'])
    expect(await modules('install')).toBe('kept       shop 1.1.0\nkept       core 1.2.0\n')
  })

  it('takes the locked versions, and an update the newest ones that fit', async () => {
    write('pos-module.json', { name: 'My shop', dependencies: { core: '^1.0.0' } })
    write('pos-module.lock.json', { dependencies: { core: '1.0.0' } })
    await modules('install')
    expect(text('core')).toBe('core 1.0.0')
    writeFileSync(join(site, 'modules/core/public/views/partials/gone.liquid'), 'of the version before')
    await modules('update')
    expect(text('core')).toBe('core 1.2.0')
    expect(existsSync(join(site, 'modules/core/public/views/partials/gone.liquid'))).toBe(false)
    expect(json('pos-module.json')).toEqual({ name: 'My shop', dependencies: { core: '^1.0.0' } })
    await modules('update core')
    expect(json('pos-module.json')).toEqual({ name: 'My shop', dependencies: { core: '^2.0.0' } })
    expect(text('core')).toBe('core 2.0.0')
  })

  it('reads the older manifest and lock, and writes the newer ones', async () => {
    write('app/pos-modules.json', { modules: { core: '^1.0.0' } })
    write('app/pos-modules.lock.json', { modules: { core: '1.0.0' } })
    await modules('install shop@1.1.0')
    expect(json('pos-module.json')).toEqual({ dependencies: { core: '^1.0.0', shop: '1.1.0' } })
    expect(json('pos-module.lock.json')).toMatchObject({ dependencies: { core: '1.0.0', shop: '1.1.0' } })
  })

  it('takes versions before their release only where they are asked for', async () => {
    await modules('install shop@>=1.5.0-beta.0')
    expect(text('shop')).toBe('shop 1.5.0-beta.1')
  })

  it('tells what contradicts what, and changes nothing', async () => {
    write('pos-module.json', { dependencies: { shop: '^1.0.0', blog: '^3.0.0' } })
    await expect(modules('install')).rejects.toThrow(
      "No version of the module 'core' matches: shop 1.1.0 requires ^1.0.0, blog 3.0.0 requires ^2.0.0. Available: 2.0.0, 1.2.0, 1.0.0.",
    )
    await expect(modules('install core@^9')).rejects.toThrow(/No version of the module 'core' matches: .*\^9/)
    await expect(modules('install none')).rejects.toThrow("There is no module 'none'")
    expect(readdirSync(site)).toEqual(['pos-module.json'])
  })

  it('with --frozen takes what the lock says, and fails where that is not what is asked for', async () => {
    write('pos-module.json', { dependencies: { core: '^1.0.0' } })
    await expect(modules('install --frozen')).rejects.toThrow("pos-module.lock.json does not have the module 'core'")
    write('pos-module.lock.json', { dependencies: { core: '2.0.0' } })
    await expect(modules('install --frozen')).rejects.toThrow(
      "pos-module.lock.json has version 2.0.0 of the module 'core'",
    )
    write('pos-module.lock.json', { dependencies: { core: '1.0.0' } })
    await modules('install --frozen')
    expect(text('core')).toBe('core 1.0.0')
  })

  it('brings what only the work on the site needs with --dev', async () => {
    write('pos-module.json', { dependencies: { core: '^1.0.0' }, devDependencies: { shop: '^1.0.0' } })
    await modules('install')
    expect(readdirSync(join(site, 'modules'))).toEqual(['core'])
    await modules('install --dev')
    expect(json('pos-module.lock.json')).toEqual({
      dependencies: { core: '1.2.0' },
      devDependencies: { shop: '1.1.0' },
    })
    expect(text('shop')).toBe('shop 1.1.0')
  })
})

it('list tells what is asked for, locked and there', async () => {
  await modules('install shop')
  rmSync(join(site, 'modules/core'), { recursive: true })
  write('modules/shop/pos-module.json', { machine_name: 'shop', version: '1.0.9' })
  const rows = (await modules('list')).split('\n').map((row) => row.split(/ {2,}/))
  expect(rows[1]).toEqual(['core', '1.2.0', 'missing'])
  expect(rows[2]).toEqual(['shop', '^1.1.0', '1.1.0', '1.0.9', 'differs from the lock'])
})

it('archives that lead out of their folder, hold links or bombs are refused, and nothing is changed', async () => {
  await modules('install core@1.0.0')
  const good = filesOf('core', '1.9.0')
  const wrong: readonly (readonly [ZipFile, RegExp])[] = [
    [{ name: '../../app/views/pages/index.liquid', text: 'x' }, /leads out/],
    [{ name: '/etc/x', text: 'x' }, /absolute/],
    [{ name: 'core/public/link', text: '/etc/passwd', mode: 0o120777 }, /a link/],
    [{ name: 'core/public/bomb', text: 'x', claims: 4_000_000_000 }, /would unpack to more/],
    [{ name: 'core/PUBLIC/views/partials/hi.liquid', text: 'x' }, /differ only in upper and lower case/],
  ]
  for (const [at, [file, why]] of wrong.entries()) {
    const archive = join(root, `wrong-${at}.zip`)
    writeFileSync(archive, zipOf([...good, file]))
    await expect(modules('update core', archive)).rejects.toThrow(why)
  }
  await expect(modules('update core', join(root, 'none.zip'))).rejects.toThrow('is not a source of modules')
  expect(text('core')).toBe('core 1.0.0')
  expect(json('pos-module.lock.json')).toEqual({ dependencies: { core: '1.0.0' }, devDependencies: {} })
})

it('what a module asks for cannot be a path', async () => {
  for (const name of ['../../evil', '/etc', '.git', 'a/b']) {
    pack('trap', '1.0.0', JSON.parse(`{${JSON.stringify(name)}: "*"}`) as Record<string, string>)
    await expect(modules('install trap')).rejects.toThrow(`'${name}' is not a valid module name`)
  }
  expect(readdirSync(site)).toEqual([])
  rmSync(join(store, 'trap-1.0.0.zip'))
})

it('one command at a time works on a site', async () => {
  const held = join(site, '.ingot-modules-held')
  writeFileSync(held, String(process.pid))
  await expect(modules('install core')).rejects.toThrow('Another `ingot modules` is running in this folder')
  // A killed process no longer holds the lock.
  writeFileSync(held, '4194305')
  await modules('install core@1.0.0')
  expect([text('core'), existsSync(held)]).toEqual(['core 1.0.0', false])
})

it('a module that was taken out by a command that was killed stands in its place again', async () => {
  await modules('install core@1.0.0 shop@1.1.0')
  const staging = join(site, 'modules/.ingot-staging-x')
  mkdirSync(staging)
  renameSync(join(site, 'modules/core'), join(staging, 'core.old'))
  mkdirSync(join(staging, 'core'))
  writeFileSync(join(site, 'pos-module.json.99'), '{"depen')
  expect(await modules('install')).toBe('kept       core 1.0.0\nkept       shop 1.1.0\n')
  expect(text('core')).toBe('core 1.0.0')
  expect(readdirSync(join(site, 'modules')).toSorted()).toEqual(['core', 'shop'])
})

describe('a registry', () => {
  let server: Server
  let url: string
  const asked: string[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry.test')
      asked.push(`${pathname}?${searchParams}`)
      if (pathname.startsWith('/archives/')) {
        if (pathname.endsWith('core-9.0.0.zip')) return void response.end('not found').destroy()
        return void response.end(readFileSync(join(store, pathname.slice('/archives/'.length))))
      }
      if (pathname.startsWith('/endless')) {
        const more = (): boolean => response.write(Buffer.alloc(1_048_576, ' '), () => void more())
        return void more()
      }
      if (pathname.startsWith('/other')) return void response.end('<html></html>')
      if (pathname === '/api/pos_modules')
        return void response.end(
          JSON.stringify([
            { module: 'core', versions: { '1.0.0': { dependencies: {} }, '1.2.0': {}, '9.0.0': null } },
            { module: 'shop', versions: { '1.1.0': { dependencies: { core: '^1.0.0' } } } },
          ]),
        )
      const name = searchParams.get('name') ?? ''
      response.end(JSON.stringify({ public_archive: `${url}/archives/${name.replace('@', '-')}.zip` }))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  })
  afterAll(() => server.close())

  it('gives versions and archives, and the lock names it', async () => {
    await modules('install shop', null, url)
    expect([text('shop'), text('core')]).toEqual(['shop 1.1.0', 'core 1.2.0'])
    expect(json('pos-module.lock.json')).toEqual({
      dependencies: { core: '1.2.0', shop: '1.1.0' },
      devDependencies: {},
      registries: { core: url, shop: url },
    })
    asked.length = 0
    rmSync(join(site, 'modules/core'), { recursive: true })
    await modules('install --frozen', null, null)
    expect(asked).toEqual(['/api/pos_module_version?name=core%401.2.0', '/archives/core-1.2.0.zip?'])
  })

  it('that a module names is asked before the usual place', async () => {
    write('pos-module.json', { dependencies: { core: '1.0.0' }, registries: { core: `${url}/` } })
    expect(await modules('install', null, join(root, 'nowhere'))).toBe(`installed  core 1.0.0 from ${url}\n`)
    await expect(modules('install shop', null, null)).rejects.toThrow(/does not know where to get the module 'shop'/)
  })

  it('whose archive breaks off changes nothing, and one that is no registry is told', async () => {
    await modules('install core@1.0.0')
    await expect(modules('update core', null, url)).rejects.toThrow(/archive of the module 'core' 9\.0\.0/)
    expect(text('core')).toBe('core 1.0.0')
    await expect(modules('install shop', `${url}/other`)).rejects.toThrow(/is not a registry of modules/)
    await expect(modules('install shop', `${url}/endless`)).rejects.toThrow(/its response has more than 16 MB/)
  })
})
