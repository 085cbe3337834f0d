/** Reads the pages of a PDF that Chromium has written, with their sizes and their text. */
import { inflateSync } from 'node:zlib'

export interface PdfPage {
  /** Points: 1/72 inch. */
  readonly width: number
  readonly height: number
  /** The printed characters in the order of their drawing, without spaces between words that are only positions. */
  readonly text: string
  /** Number of drawn images. */
  readonly images: number
}

interface PdfObject {
  readonly dict: string
  readonly stream: Buffer | null
}

/** Returns the pages of a PDF. */
export function readPdf(bytes: Uint8Array): readonly PdfPage[] {
  const objects = readObjects(Buffer.from(bytes))
  const pages = [...objects.values()].filter(({ dict }) => /\/Type\s*\/Page\b/.test(dict))
  return pages.map(({ dict }) => {
    const [, , , width = '', height = ''] =
      /\/MediaBox\s*\[\s*([\d.-]+)\s+([\d.-]+)\s+([\d.-]+)\s+([\d.-]+)/.exec(dict) ?? []
    const contents = /\/Contents\s*(\[[^\]]*\]|\d+ 0 R)/.exec(dict)?.[1] ?? ''
    const streams = [...contents.matchAll(/(\d+) 0 R/g)].map(([, id]) => objects.get(Number(id))?.stream ?? null)
    const drawn = streams.map((stream) => stream?.toString('latin1') ?? '').join('\n')
    const images = [...dict.matchAll(/\/X\d+ (\d+) 0 R/g)].filter(([, id]) =>
      /\/Subtype\s*\/Image/.test(objects.get(Number(id))?.dict ?? ''),
    ).length
    return { width: Number(width), height: Number(height), text: textOf(drawn, fontsOf(dict, objects)), images }
  })
}

/** Returns the text of all pages. */
export function pdfText(bytes: Uint8Array): string {
  return readPdf(bytes)
    .map(({ text }) => text)
    .join('\n')
}

function readObjects(bytes: Buffer): ReadonlyMap<number, PdfObject> {
  const text = bytes.toString('latin1')
  const objects = new Map<number, PdfObject>()
  const start = /(\d+) 0 obj\s*/g
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const end = /stream\r?\n|endobj/.exec(text.slice(start.lastIndex))
    if (end === null) break
    const dict = text.slice(start.lastIndex, start.lastIndex + end.index)
    let at = start.lastIndex + end.index + end[0].length
    let stream: Buffer | null = null
    if (end[0] !== 'endobj') {
      const length = Number(/\/Length (\d+)/.exec(dict)?.[1] ?? 0)
      const raw = bytes.subarray(at, at + length)
      stream = /\/FlateDecode/.test(dict) ? inflateSync(raw) : raw
      at += length
    }
    objects.set(Number(match[1]), { dict, stream })
    start.lastIndex = at
  }
  return objects
}

interface Font {
  /** Hexadecimal digits of a character code. */
  readonly digits: number
  readonly characters: ReadonlyMap<number, string>
}

function fontsOf(dict: string, objects: ReadonlyMap<number, PdfObject>): ReadonlyMap<string, Font> {
  const fonts = [...dict.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id]): [string, Font] => {
    const font = objects.get(Number(id))?.dict ?? ''
    const map = objects.get(Number(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]))?.stream?.toString('latin1') ?? ''
    return [name, { digits: /\/Type3/.test(font) ? 2 : 4, characters: charactersOf(map) }]
  })
  return new Map(fonts)
}

function charactersOf(map: string): ReadonlyMap<number, string> {
  const characters = new Map<number, string>()
  const decode = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')
  for (const [, body = ''] of map.matchAll(/beginbfchar\s([^]*?)endbfchar/g))
    for (const [, code = '', text = ''] of body.matchAll(/<([\da-f]+)> <([\da-f]+)>/gi))
      characters.set(Number.parseInt(code, 16), decode(text))
  for (const [, body = ''] of map.matchAll(/beginbfrange\s([^]*?)endbfrange/g))
    for (const [, from = '', to = '', text = ''] of body.matchAll(/<([\da-f]+)> <([\da-f]+)> <([\da-f]+)>/gi)) {
      const first = Number.parseInt(from, 16)
      const point = decode(text).codePointAt(0) ?? 0
      for (let code = first; code <= Number.parseInt(to, 16); code++)
        characters.set(code, String.fromCodePoint(point + code - first))
    }
  return characters
}

function textOf(drawn: string, fonts: ReadonlyMap<string, Font>): string {
  let font: Font | undefined
  let text = ''
  for (const [, name, hex, end] of drawn.matchAll(/\/(F\d+) [\d.-]+ Tf|<([\da-f]+)>|\b(ET)\b/gi)) {
    if (name !== undefined) font = fonts.get(name)
    else if (end !== undefined) text += '\n'
    else if (hex !== undefined && font !== undefined)
      for (let at = 0; at < hex.length; at += font.digits)
        text += font.characters.get(Number.parseInt(hex.slice(at, at + font.digits), 16)) ?? ''
  }
  return text
}
