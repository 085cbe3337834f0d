/** Computes the weak ETags of bodies. */
import { hash } from 'node:crypto'

interface BodyTag {
  /** A weak ETag. */
  readonly etag: string
  /** Size of the body in bytes. */
  readonly length: number
}

/** Maximum number of characters of a remembered body, and of all remembered bodies. */
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
const lastBodies = new Map<string, KeptBody>()
let keptCharacters = 0

/** Bytes in which a printed PDF has the time of its creation. */
const PDF_HEAD = 1_000

/** Returns what identifies a body. A PDF page that is printed again differs in the time of its creation only. */
function withoutTime(body: string | Uint8Array): string | Uint8Array {
  if (typeof body === 'string') return body
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const head = bytes.toString('latin1', 0, PDF_HEAD)
  if (!head.startsWith('%PDF-')) return body
  const timeless = head.replace(/\/(?:Creation|Mod)Date \([^)]*\)/g, '')
  return Buffer.concat([Buffer.from(timeless, 'latin1'), bytes.subarray(PDF_HEAD)])
}

/**
 * Returns the ETag and the length of a body.
 * @param template the file that printed the body; undefined for none
 */
export function tagBody(body: string | Uint8Array, template: string | undefined): BodyTag {
  const isKept = typeof body === 'string' && template !== undefined && body.length <= MAX_KEPT
  const cached = isKept ? lastBodies.get(template) : undefined
  if (cached !== undefined && cached.body === body) return cached.tag
  const tag = { etag: `W/"${hash('sha1', withoutTime(body), 'base64url')}"`, length: Buffer.byteLength(body) }
  if (isKept) {
    keptCharacters += body.length - (cached?.body.length ?? 0)
    if (keptCharacters > MAX_TOTAL) {
      lastBodies.clear()
      keptCharacters = body.length
    }
    lastBodies.set(template, { body, tag })
  }
  return tag
}
