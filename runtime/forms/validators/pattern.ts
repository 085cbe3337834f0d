/**
 * Regular expressions as a site writes them, in Ruby's manner. RE2 runs them in linear time; only what it does not know (a look
 * around, a reference back) runs natively, on texts of bounded length.
 */

export type Pattern = (text: string) => boolean

/** Texts beyond this length match no native pattern: it might take for ever. */
const NATIVE_TEXT = 2_000

/** Patterns come from configurations; those with Liquid inside may be many. */
const KEPT = 500
const known = new Map<string, Pattern | null>()

/**
 * The pattern of a source: bare, or as `/…/imx`. Without `multiline`, `^` and `$` are the ends of the whole text. Null for what is none.
 */
export async function patternOf(source: string, multiline: boolean): Promise<Pattern | null> {
  const key = `${multiline ? 'm' : ' '}${source}`
  let pattern = known.get(key)
  if (pattern === undefined) {
    pattern = await compiled(source, multiline)
    if (known.size >= KEPT) known.clear()
    known.set(key, pattern)
  }
  return pattern
}

const DELIMITED = /^\/(.*)\/([imx]*)$/s

async function compiled(source: string, multiline: boolean): Promise<Pattern | null> {
  const found = DELIMITED.exec(source)
  const written = found?.[1] ?? source
  const letters = found?.[2] ?? ''
  const flags = { ignoreCase: letters.includes('i'), dotAll: letters.includes('m'), multiline }
  const text = letters.includes('x') ? withoutSpace(written) : written
  return (await linear(text, flags)) ?? native(text, flags)
}

interface Flags {
  readonly ignoreCase: boolean
  /** Ruby's `m`: a dot matches the end of a line too. */
  readonly dotAll: boolean
  readonly multiline: boolean
}

async function linear(source: string, flags: Flags): Promise<Pattern | null> {
  const { RE2JS } = await import('re2js')
  const bits =
    (flags.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.dotAll ? RE2JS.DOTALL : 0) |
    (flags.multiline ? RE2JS.MULTILINE : 0)
  try {
    const pattern = RE2JS.compile(translated(source, RE2_NAMES), bits)
    return (text) => pattern.test(text)
  } catch {
    return null
  }
}

function native(source: string, flags: Flags): Pattern | null {
  const letters = `${flags.ignoreCase ? 'i' : ''}${flags.dotAll ? 's' : ''}${flags.multiline ? 'm' : ''}`
  for (const unicode of ['u', '']) {
    try {
      const pattern = new RegExp(translated(source, NATIVE_NAMES), `${letters}${unicode}`)
      return (text) => text.length <= NATIVE_TEXT && pattern.test(text)
    } catch {
      // Ruby allows escapes that only the mode without `u` does.
    }
  }
  return null
}

/** Escapes of Ruby that the engine writes otherwise. */
type Names = Readonly<Record<string, string>>

const HEX = '0-9a-fA-F'
const RE2_NAMES: Names = { Z: '(?:\\n?\\z)', h: HEX, H: `^${HEX}`, '/': '/' }
const NATIVE_NAMES: Names = {
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
  h: HEX,
  H: `^${HEX}`,
}

function translated(source: string, names: Names): string {
  let out = ''
  let inClass = false
  for (let at = 0; at < source.length; at++) {
    const sign = source[at] as string
    if (sign === '[') inClass = true
    else if (sign === ']') inClass = false
    if (sign !== '\\' || at + 1 === source.length) {
      out += sign
      continue
    }
    const letter = source[++at] as string
    const unicode = letter === 'u' ? /^(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})/.exec(source.slice(at + 1)) : null
    if (unicode !== null && names === RE2_NAMES) {
      at += unicode[0].length
      out += `\\x{${unicode[1] ?? unicode[2]}}`
      continue
    }
    const other = Object.hasOwn(names, letter) ? names[letter] : undefined
    if (other === undefined) out += `\\${letter}`
    else out += letter === 'h' && inClass ? other : letter === 'h' || letter === 'H' ? `[${other}]` : other
  }
  return out
}

/** Ruby's `x`: white space and comments count for nothing. */
function withoutSpace(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\s+|#[^\n]*/gs, (part) => (/^[\s#]/.test(part) ? '' : part))
}
