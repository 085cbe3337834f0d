/** The output of a page, with what its layout and its answer need. */
import type { Render } from '../../../runtime/page/render.ts'

export interface RenderedBody {
  readonly text: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Texts of `content_for` by name. */
  readonly blocks: ReadonlyMap<string, string>
}

/** The headers of a body that sets none. */
export const NO_HEADERS: RenderedBody['headers'] = {}
const NO_BLOCKS: RenderedBody['blocks'] = new Map()

/**
 * Returns the output of a render.
 * @param content the body that a layout has printed; null for the body of a page itself
 * @throws LimitFault when the text is too long
 */
export function renderedBody(r: Render, text: string, content: RenderedBody | null): RenderedBody {
  r.wrote(text.length)
  const { status, headers: own } = r.response
  let headers = content === null ? NO_HEADERS : content.headers
  for (const _ in own) {
    headers = { ...headers, ...own }
    break
  }
  if (content !== null) return { text, status, headers, blocks: content.blocks }
  return { text, status, headers, blocks: r.blocks.size === 0 ? NO_BLOCKS : new Map(r.blocks) }
}
