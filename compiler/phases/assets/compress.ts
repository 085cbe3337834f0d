/** Compresses the text assets of a build once, at the highest useful quality. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { AssetEncoding } from '../../core/model/asset.ts'

interface EncodedText {
  readonly encoding: AssetEncoding
  readonly bytes: Uint8Array
}

/** Extensions of text files and other compressible files. Images, videos and newer font formats are already compressed. */
const TEXT =
  /\.(?:css|js|mjs|cjs|json|map|svg|html?|xhtml|xml|rss|atom|txt|text|csv|tsv|md|ics|vtt|srt|ya?ml|liquid|graphql|webmanifest|geojson|topojson|jsonld|wasm|ttf|otf|eot|ico|bmp)$/i
/** Minimum size in bytes of a compressed text. */
const MIN_SIZE = 200
/** Minimum fraction of the size that compression must save. */
const MIN_GAIN = 0.05
/** Size in bytes above which a lower brotli quality is used, because the highest one takes too long. */
const LARGE_SIZE = 2 * 1024 * 1024

const brotli = promisify(brotliCompress)
const deflate = promisify<Uint8Array, { level: number }, Buffer>(gzip)

export function isText(name: string): boolean {
  return TEXT.test(name)
}

/** Clears the gzip header byte that names the operating system (RFC 1952, 2.3). The header's timestamp is already zero. */
export function clearGzipSystem(gzip: Uint8Array): Uint8Array {
  const unknown = 255
  return gzip.length < 10 ? gzip : Buffer.concat([gzip.subarray(0, 9), Buffer.from([unknown]), gzip.subarray(10)])
}

/** Returns the compressed variants of a text, shortest first. Empty if the text is short or does not shrink. */
export async function compressText(bytes: Uint8Array): Promise<readonly EncodedText[]> {
  if (bytes.length < MIN_SIZE) return []
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const quality = bytes.length > LARGE_SIZE ? 9 : 11
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [br, gz] = await Promise.all([brotli(bytes, { params }), deflate(bytes, { level: 9 })])
  const coded: readonly EncodedText[] = [
    { encoding: 'br', bytes: br },
    { encoding: 'gzip', bytes: clearGzipSystem(gz) },
  ]
  return coded.filter((each) => each.bytes.length <= bytes.length * (1 - MIN_GAIN))
}
