/**
 * Images of few bytes and many pixels: they are decoded within a memory limit, in a separate process, so that the memory can be measured.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { build } from 'esbuild'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** Maximum memory in megabytes of a process that works on one image, including Node and the library. */
const MOST = 300

let dir = ''

beforeAll(async () => {
  // Inside of the package, so that its dependencies are found.
  dir = mkdtempSync(join(root, '.ingot-test-images-'))
  await build({
    absWorkingDir: root,
    entryPoints: ['server/web/files/images.ts'],
    outfile: join(dir, 'images.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
  writeFileSync(
    join(dir, 'run.mjs'),
    `import { readFileSync } from 'node:fs'
import { cleanImage, makeVersion, readImage } from './images.mjs'
const [from, type, version, times] = process.argv.slice(2)
let refused = null
try {
  await readImage(from)
  const acts = version === '' ? [() => cleanImage(from, from + '.out', type)] : Array.from({ length: Number(times) }, (_, n) => () => makeVersion(from, from + n, type, JSON.parse(version)))
  await Promise.all(acts.map((act) => act()))
} catch (error) { refused = error.message }
console.log(JSON.stringify({ refused, megabytes: Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024 }))`,
  )
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Outcome {
  readonly refused: string | null
  readonly megabytes: number
}

const THUMB = JSON.stringify({ width: 200, height: null, fit: 'cover', format: null, quality: null })
const WHOLE = JSON.stringify({ width: null, height: null, fit: 'cover', format: null, quality: null })

/**
 * Returns the outcome of the process. It creates several versions at once, which would reveal whole images in memory: each would take more
 * than a hundred megabytes.
 */
async function outcome(type: string, file: string, version: string, times: number): Promise<Outcome> {
  return new Promise((done, failed) => {
    execFile(process.execPath, [join(dir, 'run.mjs'), file, type, version, String(times)], (error, stdout) => {
      if (error === null) done(JSON.parse(stdout) as Outcome)
      else failed(error)
    })
  })
}

const picture = (side: number, channels: 3 | 4 = 4): Sharp =>
  sharp({ create: { width: side, height: side, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })

/** Returns the file of an image. Each is written only once, because writing it takes longer than the measured work. */
async function written(name: string, image: () => Sharp): Promise<string> {
  const file = join(dir, name)
  if (!existsSync(file)) await image().toFile(file)
  return file
}

const largePng = () => written('large.png', () => picture(6_600).png())
const largeJpeg = () => written('large.jpg', () => picture(6_600, 3).jpeg())

/** Returns the path of the same image, marked as taken with a camera that was held upright. */
async function turnedJpeg(): Promise<string> {
  const plain = readFileSync(await largeJpeg())
  const orientation = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
  const directory = [...Buffer.from('MM'), 0, 42, 0, 0, 0, 8, 0, 1, ...orientation, 0, 0, 0, 0]
  const exif = [...Buffer.from('Exif'), 0, 0, ...directory]
  const file = join(dir, 'turned.jpg')
  writeFileSync(
    file,
    Buffer.concat([plain.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2, ...exif]), plain.subarray(2)]),
  )
  expect(await sharp(file).metadata()).toMatchObject({ orientation: 6 })
  return file
}

test.each([
  ['a PNG, cleaned', 'image/png', largePng, '', 1],
  ['a PNG, as two thumbnails', 'image/png', largePng, THUMB, 2],
  ['a PNG, as four copies', 'image/png', largePng, WHOLE, 4],
  ['a JPEG, cleaned', 'image/jpeg', largeJpeg, '', 1],
  ['a JPEG that must be turned', 'image/jpeg', turnedJpeg, '', 1],
  [
    'a PNG in passes, as large as is allowed, as three thumbnails',
    'image/png',
    () => written('passes.png', () => picture(5_600).png({ progressive: true })),
    THUMB,
    3,
  ],
] as const)('%s', async (_name, type, file, version, times) => {
  const { refused, megabytes } = await outcome(type, await file(), version, times)
  expect(refused).toBe(null)
  expect(megabytes).toBeLessThan(MOST)
})

/** Side of an image whose file then names another one. */
const SMALL = 64

/** Writes a PNG, and makes its header name another size. Compressing that many pixels would take longer than the test. */
async function hugePng(image: Sharp, side: number): Promise<Buffer> {
  const bytes = await image.toBuffer()
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

/** The same for a JPEG in passes. Its frame header begins with the marker FFC2. */
async function hugeJpeg(side: number): Promise<Buffer> {
  const bytes = await picture(SMALL, 3).jpeg({ progressive: true }).toBuffer()
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]))
  bytes.writeUInt16BE(side, frame + 5)
  bytes.writeUInt16BE(side, frame + 7)
  return bytes
}

/** The same for a WebP. The size is behind the start code of its key frame. */
async function hugeWebp(side: number): Promise<Buffer> {
  const bytes = await picture(SMALL, 3).webp().toBuffer()
  const code = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  bytes.writeUInt16LE(side, code + 3)
  bytes.writeUInt16LE(side, code + 5)
  return bytes
}

test.each([
  ['a PNG in passes', 'image/png', () => hugePng(picture(SMALL).png({ progressive: true }), 5_700), '32'],
  [
    'a PNG that must be turned',
    'image/png',
    () => hugePng(picture(SMALL).withMetadata({ orientation: 6 }).png(), 5_700),
    '32',
  ],
  ['a JPEG in passes', 'image/jpeg', () => hugeJpeg(5_700), '32'],
  ['WebP', 'image/webp', () => hugeWebp(5_700), '32'],
  ['AVIF', 'image/avif', () => picture(3_500, 3).avif({ effort: 0 }).toBuffer(), '12'],
] as const)(
  '%s is held as a whole, and refused before it is read where that is too much',
  async (name, type, image, most) => {
    const file = join(dir, `refused-${name}`)
    writeFileSync(file, await image())
    const { refused, megabytes } = await outcome(type, file, THUMB, 1)
    expect(refused).toBe(`has too many pixels (maximum is ${most} million)`)
    expect(megabytes).toBeLessThan(150)
  },
)
