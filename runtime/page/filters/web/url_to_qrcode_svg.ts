/** `url_to_qrcode_svg`: a QR code as SVG. */
import { encode } from 'uqr'
import { ArgumentFault } from '../../fault.ts'
import { entries, isHash } from '../../values/access.ts'
import { checkTextLength } from '../../values/value-limits.ts'
import { escapeHtml, Safe, str } from '../../values/text.ts'
import { isBlank, truthy } from '../../values/truth.ts'
import { positiveArgument } from '../number-arguments.ts'
import { getOption } from '../arguments.ts'
import type { Bool, Hash, NamedArguments, Numeric, Textual } from '../types.ts'

export const dialect = 'platform'

const FILTER = 'url_to_qrcode_svg'
/** Maximum size of a code with this level of error correction, in bytes. */
const MAX_BYTES = 1273
const MAX_MODULE = 1000

/**
 * The QR code of the URL as a whole `<svg>`, or with `standalone: false` as its `<path>`. `module_size` is the width
 * of a module (by default 11) and `color` its color (by default `000`). `viewbox` makes the image scale to its
 * container. `svg_attributes` are added.
 * @throws ArgumentFault for a URL that is too long and for invalid options
 */
export function url_to_qrcode_svg(
  url: Textual,
  options: NamedArguments<{
    shape_rendering?: Textual
    viewbox?: Bool
    standalone?: Bool
    svg_attributes?: Hash
    color?: Textual
    module_size?: Numeric
  }> = null,
): Safe {
  const size = getOption(options, 'module_size')
  const module = size === null ? 11 : positiveArgument(size, FILTER, 'module_size')
  if (module > MAX_MODULE) throw new ArgumentFault(`${FILTER} filter - module_size must be at most ${MAX_MODULE}`)
  const rows = encodeModules(str(url))
  const path = `<path d="${drawModules(rows, module)}" fill="${readColor(getOption(options, 'color'))}"/>`
  if (getOption(options, 'standalone') === false) return new Safe(path)
  const width = rows.length * module
  // A given attribute replaces the default one.
  const attributes = new Map<string, string>([
    ['version', '1.1'],
    ['xmlns', 'http://www.w3.org/2000/svg'],
    ...sizeAttributes(width, truthy(getOption(options, 'viewbox'))),
    ['shape-rendering', str(getOption(options, 'shape_rendering') ?? 'crispEdges')],
    ...readAttributes(getOption(options, 'svg_attributes')),
  ])
  const text = Array.from(attributes, ([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')
  return new Safe(checkTextLength(`<?xml version="1.0" standalone="yes"?><svg${text}>${path}</svg>`))
}

function sizeAttributes(width: number, scales: boolean): readonly (readonly [string, string])[] {
  const boxed = [['viewBox', `0 0 ${width} ${width}`]] as const
  const fixed = [
    ['width', `${width}`],
    ['height', `${width}`],
  ] as const
  return scales ? boxed : fixed
}

function encodeModules(text: string): readonly (readonly boolean[])[] {
  // Longer texts are rejected first, because the library reads the whole text before it rejects it.
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES) throw tooLarge()
  try {
    return encode(text.toWellFormed(), { ecc: 'H', border: 0 }).data
  } catch {
    throw tooLarge()
  }
}

function tooLarge(): ArgumentFault {
  return new ArgumentFault(`${FILTER} filter - the URL is too long for a QR code`)
}

/** Draws one rectangle for each run of dark modules. */
function drawModules(rows: readonly (readonly boolean[])[], module: number): string {
  let path = ''
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue
      const from = x
      while (row[x + 1] === true) x++
      path += `M${from * module} ${y * module}h${(x + 1 - from) * module}v${module}h${(from - x - 1) * module}z`
    }
  }
  return path
}

function readColor(value: unknown): string {
  const text = isBlank(value) ? '000' : str(value).trim()
  if (/^(?:[0-9a-f]{3,4}){1,2}$/i.test(text)) return `#${text}`
  if (/^#?[\w(),.% -]{1,60}$/.test(text)) return text
  throw new ArgumentFault(`${FILTER} filter - color must be a CSS color`)
}

/** Returns the given attributes. @throws ArgumentFault for those that would run a script */
function readAttributes(operand: unknown): readonly (readonly [string, string])[] {
  if (operand === null) return []
  if (!isHash(operand)) throw new ArgumentFault(`${FILTER} filter - svg_attributes must be a hash`)
  return entries(operand).map(([name, value]): [string, string] => {
    if (!/^[A-Za-z][\w-]{0,60}$/.test(name) || /^on/i.test(name))
      throw new ArgumentFault(`${FILTER} filter - svg_attributes cannot have '${name.slice(0, 30)}'`)
    return [name, str(value)]
  })
}
