/** `hash_diff`: the differences between two hashes. */
import { entries, type HashValue, isHash } from '../../values/access.ts'
import { eq } from '../../values/compare.ts'
import { items } from '../../values/items.ts'
import { MAX_DEPTH, tooDeep } from '../../values/value-limits.ts'
import { isNumber, toNumeral, toNumber } from '../../values/number.ts'
import { BoxedText } from '../../values/boxed.ts'
import { str } from '../../values/text.ts'
import { truthy } from '../../values/truth.ts'
import { getOption, optionalHashArgument } from '../arguments.ts'
import type { Hash, NamedArguments, Value } from '../types.ts'

export const dialect = 'platform'

/** Options for comparing values and for the format of paths. */
interface DiffOptions {
  readonly strict: boolean
  readonly strip: boolean
  readonly foldCase: boolean
  readonly tolerance: number
  readonly delimiter: string
  readonly ignored: ReadonlySet<string>
  readonly arrayPath: boolean
}

type Path = readonly (string | number)[]

/**
 * The list of changes: `["-", path, old]`, `["~", path, old, new]`, `["+", path, new]`. The keys of a path are
 * joined by `.`.
 * @throws ArgumentFault when one of the inputs is neither a hash nor nil
 */
export function hash_diff(
  input: Hash,
  other: Hash,
  options: NamedArguments<{
    similarity?: Value
    strict?: Value
    indifferent?: Value
    strip?: Value
    case_insensitive?: Value
    numeric_tolerance?: Value
    delimiter?: Value
    ignore_keys?: Value
    array_path?: Value
    use_lcs?: Value
    [name: string]: Value
  }> = null,
): readonly unknown[] {
  const rules: DiffOptions = {
    strict: getOption(options, 'strict') !== false,
    strip: truthy(getOption(options, 'strip')),
    foldCase: truthy(getOption(options, 'case_insensitive')),
    tolerance: toNumber(toNumeral(getOption(options, 'numeric_tolerance'))),
    delimiter: str(getOption(options, 'delimiter') ?? '.'),
    ignored: new Set(items(getOption(options, 'ignore_keys')).map(str)),
    arrayPath: truthy(getOption(options, 'array_path')),
  }
  return diffHashes(optionalHashArgument(input, 'hash_diff'), optionalHashArgument(other, 'hash_diff'), [], rules)
}

function diffHashes(a: HashValue, b: HashValue, path: Path, rules: DiffOptions): unknown[] {
  if (path.length > MAX_DEPTH) throw tooDeep()
  const changes: unknown[] = []
  const added: unknown[] = []
  // Keys are in alphabetical order: first those of `a`, then those that only `b` has.
  for (const [key, oldValue] of entries(a).sort(compareKeys)) {
    if (rules.ignored.has(key)) continue
    if (!Object.hasOwn(b, key)) changes.push(['-', printPath([...path, key], rules), oldValue])
    else changes.push(...diffValues(oldValue, b[key], [...path, key], rules))
  }
  for (const [key, value] of entries(b).sort(compareKeys)) {
    if (!rules.ignored.has(key) && !Object.hasOwn(a, key)) added.push(['+', printPath([...path, key], rules), value])
  }
  return [...changes, ...added]
}

function compareKeys([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function diffValues(a: unknown, b: unknown, path: Path, rules: DiffOptions): unknown[] {
  if (isHash(a) && isHash(b)) return diffHashes(a, b, path, rules)
  if (Array.isArray(a) && Array.isArray(b)) return diffArrays(a, b, path, rules)
  return areEqual(a, b, rules) ? [] : [['~', printPath(path, rules), a, b]]
}

function diffArrays(a: readonly unknown[], b: readonly unknown[], path: Path, rules: DiffOptions): unknown[] {
  const changes: unknown[] = []
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) changes.push(...diffValues(a[index], b[index], [...path, index], rules))
  for (let index = a.length - 1; index >= shared; index--)
    changes.push(['-', printPath([...path, index], rules), a[index]])
  for (let index = shared; index < b.length; index++) changes.push(['+', printPath([...path, index], rules), b[index]])
  return changes
}

function areEqual(a: unknown, b: unknown, rules: DiffOptions): boolean {
  if (isNumber(a) && isNumber(b)) {
    return rules.tolerance > 0 ? Math.abs(toNumber(a) - toNumber(b)) <= rules.tolerance : eq(a, b)
  }
  return eq(normalizeText(a, rules), normalizeText(b, rules))
}

function normalizeText(value: unknown, rules: DiffOptions): unknown {
  if (typeof value !== 'string' && !(value instanceof BoxedText)) return value
  const text = rules.strip ? str(value).trim() : str(value)
  return rules.foldCase ? text.toLowerCase() : text
}

function printPath(path: Path, rules: DiffOptions): unknown {
  if (rules.arrayPath) return path
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : text + rules.delimiter + part
  }, '')
}
