/** Computes the weak ETags of bodies. */
import { hash } from 'node:crypto'

interface BodyTag {
  /** A weak ETag. */
  readonly etag: string
  /** Bytes of the body. */
  readonly length: number
}

/** Most characters of a body that is kept, and of all kept bodies. */
const MAX_KEPT = 64 * 1024
const MAX_TOTAL = 8 * 1024 * 1024

interface KeptBody {
  readonly body: string
  readonly tag: BodyTag
}

/**
 * The last body of each template with its tag. Most pages are the same for consecutive visitors, and comparing two
 * texts is much faster than hashing one.
 */
const kept = new Map<string, KeptBody>()
let keptCharacters = 0

/**
 * Returns the ETag and the length of a body.
 * @param template the file that printed the body; undefined for none
 */
export function tagBody(body: string | Uint8Array, template: string | undefined): BodyTag {
  const isKept = typeof body === 'string' && template !== undefined && body.length <= MAX_KEPT
  const known = isKept ? kept.get(template) : undefined
  if (known !== undefined && known.body === body) return known.tag
  const tag = { etag: `W/"${hash('sha1', body, 'base64url')}"`, length: Buffer.byteLength(body) }
  if (isKept) {
    keptCharacters += body.length - (known?.body.length ?? 0)
    if (keptCharacters > MAX_TOTAL) {
      kept.clear()
      keptCharacters = body.length
    }
    kept.set(template, { body, tag })
  }
  return tag
}
