/** Images of few bytes and many pixels: they are decoded within a memory limit, in a process of their own so that it can be measured. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Megabytes of a process that works on one image, node and the library included. */
const MOST = 400

let dir = ''

beforeAll(async () => {
  // Inside of the package, where its dependencies are found.
  dir = mkdtempSync(join(root, '.ingot-test-images-'))
  await build({
    absWorkingDir: root,
    entryPoints: ['server/files/images.ts'],
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
const [from, type, version] = process.argv.slice(2)
let refused = null
try {
  await readImage(from)
  const acts = version === '' ? [() => cleanImage(from, from + '.out', type)] : [1, 2, 3, 4].map((n) => () => makeVersion(from, from + n, type, JSON.parse(version)))
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

/** Four versions are made at once, so that those of them that run beside each other show. */
async function outcome(type: string, image: Sharp, version: string): Promise<Outcome> {
  const file = join(dir, `image-${Math.random()}`)
  await image.toFile(file)
  return new Promise((done, failed) => {
    execFile(process.execPath, [join(dir, 'run.mjs'), file, type, version], (error, stdout) => {
      if (error === null) done(JSON.parse(stdout) as Outcome)
      else failed(error)
    })
  })
}

const picture = (side: number): Sharp =>
  sharp({ create: { width: side, height: side, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })

test.each([
  ['a PNG, cleaned', 'image/png', () => picture(8_000).png(), ''],
  ['a PNG, as four thumbnails', 'image/png', () => picture(8_000).png(), THUMB],
  ['a PNG, as four copies', 'image/png', () => picture(8_000).png(), WHOLE],
  ['a JPEG, cleaned', 'image/jpeg', () => picture(8_000).flatten().jpeg(), ''],
  [
    'a JPEG that must be turned',
    'image/jpeg',
    () => picture(8_000).flatten().withMetadata({ orientation: 6 }).jpeg(),
    '',
  ],
  ['a PNG in passes, as large as is allowed', 'image/png', () => picture(5_600).png({ progressive: true }), THUMB],
] as const)(
  '%s',
  async (_name, type, image, version) => {
    const { refused, megabytes } = await outcome(type, image(), version)
    expect(refused).toBe(null)
    expect(megabytes).toBeLessThan(MOST)
  },
  120_000,
)

test.each([
  ['a PNG in passes', 'image/png', () => picture(6_000).png({ progressive: true }), '32'],
  ['a PNG that must be turned', 'image/png', () => picture(6_000).withMetadata({ orientation: 6 }).png(), '32'],
  ['a JPEG in passes', 'image/jpeg', () => picture(6_000).flatten().jpeg({ progressive: true }), '32'],
  ['WebP', 'image/webp', () => picture(6_000).webp({ effort: 0 }), '32'],
  ['AVIF', 'image/avif', () => picture(4_000).avif({ effort: 0 }), '12'],
] as const)(
  '%s is held as a whole, and refused before it is read where that is too much',
  async (_, type, image, most) => {
    const { refused, megabytes } = await outcome(type, image(), THUMB)
    expect(refused).toBe(`has too many pixels (maximum is ${most} million)`)
    expect(megabytes).toBeLessThan(150)
  },
  120_000,
)
