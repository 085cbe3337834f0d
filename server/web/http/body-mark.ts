/** What is sent of a body beside its bytes: its weak ETag and its length. */
import { hash } from 'node:crypto'

export interface BodyMark {
  /** A weak ETag. */
  readonly etag: string
  /** In bytes. */
  readonly length: number
}

/** Most characters of a body that is kept, and most that are kept together. */
const LONGEST = 64 * 1024
const TOGETHER = 8 * 1024 * 1024

interface KeptBody {
  readonly body: string
  readonly mark: BodyMark
}

/**
 * The marks of bodies. The last body of each template is kept with its mark: most pages are the same for one visitor after the
 * other, and comparing two texts takes a fraction of the time in which one is digested.
 */
export class BodyMarks {
  readonly #kept = new Map<string, KeptBody>()
  #characters = 0

  /** @param template the file that has printed the body, undefined for none */
  of(body: string | Uint8Array, template: string | undefined): BodyMark {
    if (typeof body !== 'string' || template === undefined || body.length > LONGEST) return markOf(body)
    const known = this.#kept.get(template)
    if (known !== undefined && known.body === body) return known.mark
    const mark = markOf(body)
    this.#keep(template, { body, mark })
    return mark
  }

  #keep(template: string, kept: KeptBody): void {
    this.#characters += kept.body.length - (this.#kept.get(template)?.body.length ?? 0)
    if (this.#characters > TOGETHER) {
      this.#kept.clear()
      this.#characters = kept.body.length
    }
    this.#kept.set(template, kept)
  }
}

function markOf(body: string | Uint8Array): BodyMark {
  return { etag: `W/"${hash('sha1', body, 'base64url')}"`, length: Buffer.byteLength(body) }
}
