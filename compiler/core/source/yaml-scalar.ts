/** Parses plain scalars with the rules of YAML 1.1 and of the platform. */

export type ScalarValue = string | number | bigint | boolean | null

const MAX_NUMBER_LENGTH = 400
const TRUE = /^(?:yes|true|on)$/i
const FALSE = /^(?:no|false|off)$/i
const NULL = /^(?:~|null)$/i
const INTEGER = /^[-+]?(?:0b[01_,]+|0[0-7_,]+|0x[0-9a-fA-F_,]+|0|[1-9](?:[0-9]|[,_][0-9])*)$/
const DECIMAL = /^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:e[-+][0-9]+)?$/i
const SEXAGESIMAL = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}(\.[0-9_]*)?$/

/**
 * Returns the value of a plain scalar with the rules of the platform: `yes` and `off` are booleans, `y` and `n` are text, `014` is 12,
 * `1:30` is 5400, `1_000` is a number, `1e3` and `08` are text. Dates and times stay text.
 */
export function resolveScalar(text: string): { readonly value: ScalarValue; readonly float: boolean } {
  const nonFloat = (value: ScalarValue) => ({ value, float: false })
  const float = (value: number) => ({ value, float: true })
  if (text === '' || NULL.test(text)) return nonFloat(null)
  // Longer numbers do not occur, and parsing takes quadratic time.
  if (text.length > MAX_NUMBER_LENGTH) return nonFloat(text)
  if (TRUE.test(text)) return nonFloat(true)
  if (FALSE.test(text)) return nonFloat(false)
  if (INTEGER.test(text)) return nonFloat(integer(text.replace(/[_,]/g, '')))
  if (DECIMAL.test(text)) {
    const value = Number(text.replace(/[_,]/g, ''))
    return Number.isNaN(value) ? nonFloat(text) : float(value)
  }
  const sexagesimal = SEXAGESIMAL.exec(text)
  if (sexagesimal !== null) {
    // The first unit is always the hour, even with only two units. A sign applies only to the first unit.
    const units = text.replaceAll('_', '').split(':').map(Number)
    const total = units.reduce((sum, unit, index) => sum + unit * 60 ** (2 - index), 0)
    return sexagesimal[1] === undefined ? nonFloat(total) : float(total)
  }
  if (/^\+?\.inf$/i.test(text)) return float(Number.POSITIVE_INFINITY)
  if (/^-\.inf$/i.test(text)) return float(Number.NEGATIVE_INFINITY)
  if (/^\.nan$/i.test(text)) return float(Number.NaN)
  return nonFloat(text)
}

function integer(text: string): number | bigint | string {
  const sign = text.startsWith('-') ? -1n : 1n
  const digits = text.replace(/^[-+]/, '')
  const octal = /^0[0-7]+$/.test(digits)
  if (/^0[xb]?$/.test(digits) && digits !== '0') return text
  const value = sign * BigInt(octal ? `0o${digits.slice(1)}` : digits)
  const asNumber = Number(value)
  return Number.isSafeInteger(asNumber) ? asNumber : value
}

/** A plain scalar that YAML 1.1 and 1.2 parse differently. `other` is the value in YAML 1.2 notation. */
export interface AmbiguousScalar {
  readonly read: Exclude<ScalarValue, null>
  /** A notation that both versions parse the same. */
  readonly writtenText: string
  readonly other: string
}

const CORE_BOOLEAN = /^(?:true|True|TRUE|false|False|FALSE)$/
const CORE_INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/
const CORE_FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/** Returns null if YAML 1.2 parses it the same. @param value the result of `resolveScalar` for the text */
export function ambiguityOf(
  text: string,
  { value, float }: { readonly value: ScalarValue; readonly float: boolean },
): AmbiguousScalar | null {
  if (value === null || text.length > MAX_NUMBER_LENGTH) return null
  if (typeof value === 'boolean')
    return CORE_BOOLEAN.test(text) ? null : { read: value, writtenText: `${value}`, other: text }
  const core = CORE_INTEGER.test(text) || CORE_FLOAT.test(text) ? Number(text) : null
  if (typeof value === 'string')
    return core === null ? null : { read: value, writtenText: `'${value}'`, other: String(core) }
  // Infinities and NaN are written the same in both.
  if (!Number.isFinite(Number(value)) || core === Number(value)) return null
  return { read: value, writtenText: numberText(value, float), other: core === null ? text : String(core) }
}

/** Returns a number in a notation for all YAML versions and Ruby. A float keeps its decimal point. */
export function numberText(value: number | bigint, float: boolean): string {
  const text = `${value}`
  return float && !text.includes('.') ? text.replace(/(?=e|$)/, '.0') : text
}
