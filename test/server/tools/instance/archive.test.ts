/** Tests untrusted archives: valid ones are unpacked, and invalid ones are refused before anything is stored. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { unpackArchive } from '../../../../server/tools/instance/deploys/archive.ts'
import { type ZipFile, zipOf } from './zip.ts'

let folder = ''
const at = (name: string): string => join(folder, name)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-archive-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  for (const name of ['incoming', 'kept']) {
    rmSync(at(name), { recursive: true, force: true })
    mkdirSync(at(name))
  }
})

/** Returns the texts of the files in an archive, by name. */
async function read(bytes: Uint8Array): Promise<Record<string, string>> {
  writeFileSync(at('sent.zip'), bytes)
  const place = (digest: string): Promise<string> => Promise.resolve(at(`kept/${digest}`))
  const files = await unpackArchive(at('sent.zip'), () => true, { incoming: at('incoming'), place })
  return Object.fromEntries([...files].map(([name, { digest }]) => [name, readFileSync(at(`kept/${digest}`), 'utf8')]))
}

const empty = (name: string): ZipFile => ({ name, text: '' })

test('files are read, and folders left out', async () => {
  const folders = [empty('app/'), { name: 'app/views/', text: '', mode: 0o040755 }]
  const files = [
    { name: 'app/a b.liquid', text: 'ä' },
    { name: 'app/views/c.yml', text: '', mode: 0o100600 },
  ]
  expect(await read(zipOf([...folders, ...files]))).toEqual({ 'app/a b.liquid': 'ä', 'app/views/c.yml': '' })
  expect(readdirSync(at('incoming'))).toEqual([])
})

const odd: readonly (readonly [string, readonly ZipFile[], RegExp])[] = [
  ['leads out', [empty('app/../../x')], /leads out of the site/],
  ['is absolute', [empty('/etc/x')], /absolute/],
  ['is absolute elsewhere', [empty('C:/x')], /absolute|leads out/],
  ['has a backslash', [empty('app\\x')], /leads out|is not a valid path of a file/],
  ['has a control character', [empty('app/\u0001x')], /is not a valid path of a file/],
  ['has an empty part', [empty('app//x')], /is not a valid path of a file/],
  ['is not plain', [empty('app/./x')], /is not a valid path of a file/],
  ['is long', [empty(`app/${'x/'.repeat(30)}${'y'.repeat(256)}`)], /is not a valid path of a file/],
  ['is deep', [empty(`${'a/'.repeat(100)}x`)], /is not a valid path of a file/],
  ['is a link', [{ name: 'app/x', text: '/etc/passwd', mode: 0o120777 }], /a link or a device/],
  ['is a device', [{ name: 'app/x', text: '', mode: 0o020666 }], /a link or a device/],
  ['of a folder is a link', [{ name: 'app/x/', text: '/etc', mode: 0o120777 }], /a link or a device/],
  ['differs in case only', [empty('app/a'), empty('app/A')], /differ only in upper and lower case/],
  ['differs in form only', [empty('app/\u00e9'), empty('app/e\u0301')], /differ only in upper and lower case/],
  ['comes twice', [empty('app/a'), empty('app/a')], /'app\/a' twice/],
  [
    'is in a folder that differs in case only',
    [empty('app/a/b'), empty('app/A/c')],
    /differ only in upper and lower case/,
  ],
  ['is a folder too', [empty('app/a'), empty('app/a/b')], /is both a file and a folder/],
  ['has a file of too many bytes', [{ name: 'app/a', text: 'abc', claims: 2_200_000_000 }], /unpack to more than/],
]

test.each(odd)('one is refused in which a name %s', async (_what, files, why) => {
  await expect(read(zipOf([{ name: 'app/first.liquid', text: 'x' }, ...files]))).rejects.toThrow(why)
  expect([readdirSync(at('incoming')), readdirSync(at('kept'))]).toEqual([[], []])
})

test('one whose files are of another size or other bytes than it says is refused', async () => {
  const files = [{ name: 'app/a', text: 'x'.repeat(1_000), claims: 10 }]
  await expect(read(zipOf(files))).rejects.toThrow(/too many bytes|size/)
  const damaged = zipOf([{ name: 'app/a', text: 'text' }])
  // Changes the checksum in the directory at the end of the archive.
  const directory = damaged.lastIndexOf(Buffer.from('PK\u0001\u0002'))
  damaged.writeUInt32LE(12_345, directory + 16)
  await expect(read(damaged)).rejects.toThrow("'app/a' is damaged")
  expect(readdirSync(at('incoming'))).toEqual([])
})

test('one of 200,000 files is refused by their number, before any name is read', async () => {
  const bytes = zipOf([empty('app/a')])
  const end = bytes.length - 22
  // Adds the records of large archives before the end: the record itself, and its location.
  const record = Buffer.alloc(56)
  record.write('PK\u0006\u0006')
  record.writeBigUInt64LE(44n, 4)
  for (const count of [24, 32]) record.writeBigUInt64LE(200_000n, count)
  record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 12)), 40)
  record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\u0006\u0007')
  locator.writeBigUInt64LE(BigInt(end), 8)
  locator.writeUInt32LE(1, 16)
  const last = Buffer.from(bytes.subarray(end))
  for (const count of [8, 10]) last.writeUInt16LE(0xffff, count)
  last.writeUInt32LE(0xffffffff, 16)
  const large = Buffer.concat([bytes.subarray(0, end), record, locator, last])
  await expect(read(large)).rejects.toThrow('it has 200000 files, but at most 65000 are allowed')
})

test('one that is broken off, or is none, is refused', async () => {
  const whole = zipOf([{ name: 'app/a.liquid', text: 'text'.repeat(100) }])
  for (const length of [0, 1, 100, whole.length - 30, whole.length - 1])
    await expect(read(whole.subarray(0, length))).rejects.toThrow(/incomplete, or not a zip archive/)
  await expect(read(Buffer.from('this is no archive'))).rejects.toThrow(/incomplete, or not a zip archive/)
})
