/** Tests packed builds: they are reproducible, and an archive is served completely or not at all. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main as compiler } from '../../../../compiler/cli.ts'
import * as runtime from '../../../../runtime/index.ts'
import { openBuild } from '../../../../server/operate/builds/open-build.ts'
import { unpackBuild } from '../../../../server/operate/builds/unpack.ts'
import { ownMark } from '../../../../server/core/leftovers.ts'
import { loadSite } from '../../../../server/web/site/load.ts'
import { answerAsset } from '../../../../server/web/site/assets.ts'
import { write } from '../../../support/product.ts'

const FILES = {
  'app/views/pages/index.liquid': "<h1>{{ 'a.css' | asset_url }}</h1>{{ 'm.title' | t }}{% render 'part' %}",
  'app/views/partials/part.liquid': '{{ context.modules.shop.version }}',
  'app/translations/en.yml': 'en:\n  m:\n    title: Hello\n',
  'app/assets/a.css': '@import "b.css";\n'.concat('a { order: 1 }\n'.repeat(40)),
  'app/assets/b.css': 'b {}',
  'app/assets/same.css': 'b {}',
  'modules/shop/pos-module.json': '{ "name": "Shop", "machine_name": "shop", "version": "1.2.3" }',
  'modules/shop/public/assets/s.js': 'shop',
}

let home: string
let archive: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ingot-builds-'))
  write(join(home, 'site'), FILES)
  archive = join(home, 'site.tgz')
  expect(await compiler(['build', join(home, 'site'), '--pack', archive])).toBe(0)
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

const bytesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '.gitignore')
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path).toString('base64')]),
  )

/** Returns a copy of the archive with a change of its tar data. */
function changed(change: (tar: Buffer) => Buffer): string {
  const path = join(mkdtempSync(join(home, 'changed-')), 'site.tgz')
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(archive)))))
  return path
}

function tarFile(name: string, text: string | Buffer, type = '0', size = Buffer.byteLength(text)): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const body = Buffer.from(text)
  return Buffer.concat([block, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const END = Buffer.alloc(1024)

function textFile(text: string): string {
  const path = join(mkdtempSync(join(home, 'text-')), 'site.tgz')
  writeFileSync(path, text)
  return path
}

/** Creates an archive with these files and entries. */
function archived(files: Readonly<Record<string, unknown>>, ...entries: Buffer[]): string {
  const path = join(mkdtempSync(join(home, 'made-')), 'site.tgz')
  const manifest = tarFile('manifest.json', JSON.stringify({ abi: 1, builtBy: 'x', files }))
  writeFileSync(path, gzipSync(Buffer.concat([manifest, ...entries, END])))
  return path
}

async function refusal(path: string): Promise<string> {
  const folder = mkdtempSync(join(home, 'unpacked-'))
  const why = await unpackBuild(path, folder).catch((error: unknown) => error)
  // No files are left that could be served.
  expect(readdirSync(folder)).toEqual([])
  expect((why as Error).name).toBe('StartError')
  return (why as Error).message
}

describe('the same site', () => {
  test('gives the same bytes, wherever it stands and however its files came to be', async () => {
    const other = join(home, 'elsewhere', 'deeper', 'another name')
    for (const [path, text] of Object.entries(FILES).toReversed()) write(other, { [path]: text })
    const out = join(home, 'out')
    const packed = join(home, 'other.tgz')
    expect(await compiler(['build', other, '--out', out, '--pack', packed])).toBe(0)
    expect(bytesBelow(out)).toEqual(bytesBelow(join(home, 'site/.ingot')))
    expect(readFileSync(packed).equals(readFileSync(archive))).toBe(true)
    expect(JSON.stringify(bytesBelow(out))).not.toContain(home)
  })

  test('with one byte changed gives others', async () => {
    const other = join(home, 'changed')
    write(other, { ...FILES, 'app/assets/b.css': 'c {}' })
    expect(await compiler(['build', other, '--pack', join(home, 'changed.tgz')])).toBe(0)
    expect(readFileSync(join(home, 'changed.tgz')).equals(readFileSync(archive))).toBe(false)
  })
})

describe('an archive', () => {
  test('is unpacked once, and is served without the folder of the site', async () => {
    const place = mkdtempSync(join(home, 'alone-'))
    cpSync(archive, join(place, 'shop.tgz'))
    const built = await openBuild(join(place, 'shop.tgz'), undefined, { dataFolder: null })
    expect(built).toMatchObject({ root: place, name: 'shop' })
    expect(bytesBelow(built.folder)).toEqual(bytesBelow(join(home, 'site/.ingot')))
    expect((await openBuild(join(place, 'shop.tgz'), undefined, { dataFolder: null })).folder).toBe(built.folder)
    expect(readdirSync(join(place, '.ingot-data/builds')).length).toBe(1)
    const loaded = await loadSite(built, runtime)
    expect(loaded.name).toBe('shop')
    expect((await answerAsset(loaded, { method: 'GET', url: '/assets/a.css' }))?.status).toBe(200)
    expect(loaded.source('app/views/partials/part.liquid')).toContain('context.modules')
  })

  test('that several servers unpack at once is there once', async () => {
    const folder = mkdtempSync(join(home, 'many-'))
    const found = await Promise.all(Array.from({ length: 6 }, () => unpackBuild(archive, folder)))
    expect(new Set(found).size).toBe(1)
    expect(readdirSync(folder).length).toBe(1)
  })

  test('whose folder lost bytes is unpacked again, and what a killed process left goes', async () => {
    const folder = mkdtempSync(join(home, 'torn-'))
    const built = await unpackBuild(archive, folder)
    const whole = bytesBelow(built)
    writeFileSync(join(built, 'site.mjs'), '')
    const [machine = ''] = ownMark().split('_')
    mkdirSync(join(folder, `.${machine}_999999999_0-0123abcd`))
    expect(bytesBelow(await unpackBuild(archive, folder))).toEqual(whole)
    rmSync(join(built, 'sources.json'))
    expect(bytesBelow(await unpackBuild(archive, folder))).toEqual(whole)
    expect(readdirSync(folder)).toEqual([built.slice(folder.length + 1)])
  })
})

describe('what is no whole build is refused, and nothing of it stays', () => {
  test.each<[string, () => string]>([
    ['no gzip', () => textFile('no archive')],
    ['nothing', () => textFile('')],
    ['cut off in its middle', () => changed((tar) => tar.subarray(0, tar.length >> 1))],
    ['without its end', () => changed((tar) => tar.subarray(0, tar.length - 1024))],
    ['with something behind its end', () => changed((tar) => Buffer.concat([tar, Buffer.alloc(100_000, 1)]))],
    ['with a byte changed', () => changed((tar) => tar.fill('X', tar.length - 1544, tar.length - 1543))],
    ['with a file that is not listed', () => archived({}, tarFile(`files/${digestOf('x')}`, 'x'))],
    [
      'with a file twice',
      () =>
        archived(
          { a: { digest: digestOf('x'), size: 1 } },
          ...[1, 2].map(() => tarFile(`files/${digestOf('x')}`, 'x')),
        ),
    ],
    [
      'with another digest',
      () => archived({ a: { digest: digestOf('x'), size: 1 } }, tarFile(`files/${digestOf('x')}`, 'y')),
    ],
    [
      'with another size',
      () => archived({ a: { digest: digestOf('x'), size: 9 } }, tarFile(`files/${digestOf('x')}`, 'x')),
    ],
    ['without a file that is listed', () => archived({ a: { digest: digestOf('x'), size: 1 } })],
    ['with a link', () => archived({}, tarFile('files/link', '', '2'))],
    ['with a folder', () => archived({}, tarFile('files/', '', '5'))],
    ['with a path of the disk', () => archived({}, tarFile('../../evil', 'x'))],
    ...['../evil', '/etc/evil', 'a/../../evil', './a', 'a//b', 'a\\..\\b', '', 'a/', 'a\n'].map(
      (path): [string, () => string] => [
        `that lists ${JSON.stringify(path)}`,
        () => archived({ [path]: { digest: digestOf('x'), size: 1 } }, tarFile(`files/${digestOf('x')}`, 'x')),
      ],
    ),
    ['that unpacks without end', () => archived({ a: { digest: digestOf('x'), size: 1e15 } })],
    [
      'that lists one file a thousand times',
      () => {
        const large = '0'.repeat(1_000_000)
        const files = Object.fromEntries(
          Array.from({ length: 1000 }, (_, at) => [`f${at}`, { digest: digestOf(large), size: large.length }]),
        )
        return archived(files, tarFile(`files/${digestOf(large)}`, large))
      },
    ],
    [
      'that lists a file below a file',
      () =>
        archived(
          { a: { digest: digestOf('x'), size: 1 }, 'a/b': { digest: digestOf('y'), size: 1 } },
          tarFile(`files/${digestOf('x')}`, 'x'),
          tarFile(`files/${digestOf('y')}`, 'y'),
        ),
    ],
    [
      'that lists the manifest',
      () => archived({ 'manifest.json': { digest: digestOf('x'), size: 1 } }, tarFile(`files/${digestOf('x')}`, 'x')),
    ],
  ])('%s', async (_what, make) => {
    expect(await refusal(make())).toMatch(/cannot be/)
    expect(existsSync(join(home, 'evil'))).toBe(false)
  })

  test('cut off anywhere', async () => {
    const bytes = readFileSync(archive)
    const path = join(home, 'cut.tgz')
    for (let at = 1; at < 24; at++) {
      writeFileSync(path, bytes.subarray(0, Math.floor((bytes.length * at) / 24)))
      expect(await refusal(path)).toContain('cannot be served')
    }
  })
})
