/** `html_to_text`: the visible text of a page without its markup. */
import { compile } from 'css-select'
import { DomHandler, Parser } from 'htmlparser2'
import { startCpuLimit } from '../../cpu-limit.ts'
import { ArgumentFault, LimitFault } from '../../fault.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { str } from '../../values/text.ts'
import { chargeText } from '../../values/meter.ts'
import { getOption } from '../arguments.ts'
import { textArgument } from '../text/pattern-argument.ts'
import type { NamedArguments, Textual } from '../types.ts'

export const dialect = 'platform'

/** Elements without visible text. */
const INVISIBLE = 'script, link, style'

/**
 * The text of the HTML, or of the first element that matches the selector `root_element`. Nodes that match
 * `remove_nodes` (by default `script, link, style`) are omitted. Line feeds are replaced by `replace_newline` (by
 * default a space).
 * @throws ArgumentFault for an input that is not text, and for invalid selectors
 * @throws LimitFault for a selector that takes too long
 */
export function html_to_text(
  input: Textual,
  options: NamedArguments<{ root_element?: Textual; remove_nodes?: Textual; replace_newline?: Textual }> = null,
): string {
  const html = textArgument(input, 'html_to_text')
  chargeText(32 * html.length)
  const removed = compileSelector(str(getOption(options, 'remove_nodes') ?? INVISIBLE))
  const root = compileSelector(str(getOption(options, 'root_element')))
  const newline = str(getOption(options, 'replace_newline') ?? ' ')
  const text = readText(parseHtml(html), root, removed)
  return checkTextLength(newline === '\n' ? text : text.split(/\r?\n/).join(newline))
}

type HtmlNode = DomHandler['root']['children'][number]
type HtmlElement = Extract<HtmlNode, { readonly attribs: unknown }>
type SelectorTest = (element: HtmlElement) => boolean

const MAX_SELECTOR = 1000

/** Compiles a selector; null for a blank one. @throws ArgumentFault for an invalid one */
function compileSelector(text: string): SelectorTest | null {
  if (text.trim() === '') return null
  if (text.length > MAX_SELECTOR)
    throw new ArgumentFault(`html_to_text filter - a selector is longer than ${MAX_SELECTOR} characters`)
  try {
    const selects = compile<HtmlNode, HtmlElement>(text)
    return (element) => selects(element)
  } catch {
    throw new ArgumentFault(`html_to_text filter - invalid selector: ${text.slice(0, 100)}`)
  }
}

/** Maximum nesting of elements, as in browsers. Deeper elements become siblings of their parent. */
const MAX_LEVELS = 500

class FlatHandler extends DomHandler {
  #levels = 0

  override onopentag(name: string, attributes: Record<string, string>): void {
    if (++this.#levels <= MAX_LEVELS) super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    if (this.#levels-- <= MAX_LEVELS) super.onclosetag()
  }
}

function parseHtml(html: string): readonly HtmlNode[] {
  const handler = new FlatHandler()
  new Parser(handler, { decodeEntities: true }).end(html)
  return handler.dom
}

/** Milliseconds after which the search with selectors ends. */
const MAX_MILLIS = 2000

/** Returns the text of the nodes in document order. */
function readText(nodes: readonly HtmlNode[], root: SelectorTest | null, removed: SelectorTest | null): string {
  const parts: string[] = []
  const stack = nodes.toReversed()
  const isLate = startCpuLimit(MAX_MILLIS)
  let isInsideRoot = root === null
  for (let count = 1; ; count++) {
    const node = stack.pop()
    if (node === undefined) return parts.join('')
    if (count % 64 === 0 && isLate()) throw new LimitFault('a selector took too long', 'time')
    if (node.type === 'text') {
      if (isInsideRoot) parts.push(node.data)
      continue
    }
    if (!('children' in node)) continue
    if ('attribs' in node) {
      if (removed?.(node)) continue
      if (!isInsideRoot && root?.(node)) {
        // Only the first match is used.
        isInsideRoot = true
        stack.length = 0
      }
    }
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child !== undefined) stack.push(child)
    }
  }
}
