/** Texts of a build in the codings that browsers take: compressed once, as well as can be. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { AssetEncoding } from '../../core/model/asset.ts'

export interface Coded {
  readonly encoding: AssetEncoding
  readonly bytes: Uint8Array
}

/** Endings of files that are texts, or hold as much that repeats itself; pictures, films and newer fonts are compressed already. */
const TEXT =
  /\.(?:css|js|mjs|cjs|json|map|svg|html?|xhtml|xml|rss|atom|txt|text|csv|tsv|md|ics|vtt|srt|ya?ml|liquid|graphql|webmanifest|geojson|topojson|jsonld|wasm|ttf|otf|eot|ico|bmp)$/i
/** Bytes of a text that is not worth it. */
const SMALLEST = 200
/** The part of its bytes that a text must lose. */
const LEAST_GAIN = 0.05
/** Bytes from which on the highest quality of brotli takes too long for what it gains. */
const LARGE = 2 * 1024 * 1024

const brotli = promisify(brotliCompress)
const deflate = promisify<Uint8Array, { level: number }, Buffer>(gzip)

export function isText(name: string): boolean {
  return TEXT.test(name)
}

/** Bytes of gzip that tell nothing of the system which made them (RFC 1952, 2.3): the time is left out anyway. */
export function systemless(gzip: Uint8Array): Uint8Array {
  const unknown = 255
  return gzip.length < 10 ? gzip : Buffer.concat([gzip.subarray(0, 9), Buffer.from([unknown]), gzip.subarray(10)])
}

/** The codings of a text, the shortest first; none where it is short, or does not become shorter. */
export async function compressed(bytes: Uint8Array): Promise<readonly Coded[]> {
  if (bytes.length < SMALLEST) return []
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const quality = bytes.length > LARGE ? 9 : 11
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 9 })])
  const coded: readonly Coded[] = [
    { encoding: 'br', bytes: br },
    { encoding: 'gzip', bytes: systemless(gz) },
  ]
  return coded.filter((each) => each.bytes.length <= bytes.length * (1 - LEAST_GAIN))
}
