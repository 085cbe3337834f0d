/** Shared helpers for tests of the demo site: its translations, photos to upload, and sent mails. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { parse } from 'yaml'
import { onceInRun } from '../support/once.ts'
import { type Product, root } from '../support/product.ts'

const SITE = join(root, 'fixtures/sites/marketplace')

/** Returns the site's translations in a language, by key. */
export function wordsOf(language: string): (key: string) => string {
  const files = ['account', 'shop', 'work'].map((name) =>
    parse(readFileSync(join(SITE, `app/translations/${language}/${name}.yml`), 'utf8')),
  )
  return (key) => {
    for (const file of files) {
      const found = ['', ...key.split('.')].reduce<unknown>(
        (node, step) => (node as Record<string, unknown> | undefined)?.[step === '' ? language : step],
        file,
      )
      if (typeof found === 'string') return found
    }
    throw new Error(`The site has no words for ${key} in ${language}.`)
  }
}

/** Returns a built copy of the site, which is built once in a test run. */
export function builtSite(ingot: Product): string {
  const built = onceInRun('hobnail', (home) => {
    const { status, stderr } = spawnSync(process.execPath, [ingot.bin, 'build', copied(SITE, home)], {
      encoding: 'utf8',
    })
    if (status !== 0 || stderr !== '') throw new Error(`The site does not build:\n${stderr}`)
  })
  const site = ingot.folder()
  cpSync(built, site, { recursive: true })
  return site
}

/** Copies the site without files that commands have created. */
function copied(from: string, to: string): string {
  cpSync(from, to, { recursive: true })
  for (const name of ['.ingot', '.ingot-data']) rmSync(join(to, name), { recursive: true, force: true })
  return to
}

/** Returns a photo as from a camera, with a rotation and GPS coordinates. */
export async function photo(colour: string): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="700"><rect width="900" height="700" fill="${colour}"/><circle cx="450" cy="350" r="240" fill="#f4ead7"/><circle cx="450" cy="350" r="150" fill="${colour}" opacity=".6"/></svg>`
  return sharp(Buffer.from(drawing))
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '54/1 19/1 0/1' } })
    .jpeg()
    .toBuffer()
}

/** Returns a photo larger than the site's limit of 8 MB. It consists of noise, which cannot be compressed. */
export function tooLarge(): Promise<Buffer> {
  const raw = { width: 2000, height: 1600, channels: 3 } as const
  return sharp(randomBytes(2000 * 1600 * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** A parsed mail. */
export interface ReadMail {
  readonly subject: string
  /** The text parts of the mail, by type: `text/plain`, `text/html`. */
  readonly parts: Readonly<Record<string, string>>
}

/** Parses a message received over SMTP. Supports only the parts that the site's mails use. */
export function readMail(raw: string): ReadMail {
  const { head, body } = split(raw)
  const parts: Record<string, string> = {}
  collect(head, body, parts)
  return { subject: decodedWords(head['subject'] ?? ''), parts }
}

interface Part {
  readonly head: Readonly<Record<string, string>>
  readonly body: string
}

function split(text: string): Part {
  const end = text.search(/\r?\n\r?\n/)
  const lines = text
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  const head = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { head, body: text.slice(end).replace(/^\r?\n\r?\n/, '') }
}

function collect(head: Part['head'], body: string, parts: Record<string, string>): void {
  const type = head['content-type'] ?? ''
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  if (boundary !== undefined) {
    for (const piece of body.split(`--${boundary}`).slice(1, -1)) {
      const inner = split(piece.replace(/^\r?\n/, ''))
      collect(inner.head, inner.body, parts)
    }
    return
  }
  const encoding = (head['content-transfer-encoding'] ?? '').toLowerCase()
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? unquoted(body.replace(/=\r?\n/g, ''))
        : Buffer.from(body)
  parts[type.split(';')[0] ?? ''] = bytes.toString()
}

function unquoted(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : unquoted(word.replaceAll('_', ' '))).toString(),
    )
}
