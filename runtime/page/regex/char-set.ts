/** Sets of characters in regular expressions: ranges of code points and Unicode properties. */
import { ArgumentFault } from '../fault.ts'

/** The first and the last code point of a range. */
export type Range = readonly [from: number, to: number]

/** A Unicode property with its names in RE2 and in ECMAScript: `Greek`, `Script=Greek`. */
interface Property {
  readonly linear: string
  readonly native: string
  readonly negated: boolean
}

export interface CharSet {
  readonly negated: boolean
  readonly ranges: readonly Range[]
  readonly properties: readonly Property[]
}

export const MAX_CODE_POINT = 0x10ffff

export function createSet(ranges: readonly Range[], negated = false): CharSet {
  return { negated, ranges, properties: [] }
}

const range = (from: string, to = from): Range => [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]

const DIGIT = [range('0', '9')]
const WORD = [range('0', '9'), range('A', 'Z'), range('_'), range('a', 'z')]
// Ruby includes the vertical tab.
const SPACE: readonly Range[] = [
  [9, 13],
  [32, 32],
]
const HEX = [range('0', '9'), range('A', 'F'), range('a', 'f')]

const unicodeProperty = (linear: string, native = linear): Property => ({ linear, native, negated: false })
const ALPHA = unicodeProperty('Alphabetic')
const MARK = unicodeProperty('M')
const DECIMAL = unicodeProperty('Nd')
const CONNECTOR = unicodeProperty('Pc')
const BLANK: CharSet = { negated: false, ranges: [[9, 9]], properties: [unicodeProperty('Zs')] }

function propertiesSet(properties: readonly Property[], ranges: readonly Range[] = [], negated = false): CharSet {
  return { negated, ranges, properties }
}

/** Word characters in all of Unicode. */
const WORDS = propertiesSet([ALPHA, MARK, DECIMAL, CONNECTOR])
const SPACES = propertiesSet([unicodeProperty('White_Space')])

/** Returns the set of `\d`, `\w`, `\s` or `\h`. It contains only ASCII characters, unless `(?u)` is set. Returns null for other letters. */
export function letterClass(letter: string, wide: boolean): CharSet | null {
  const lower = letter.toLowerCase()
  const set =
    lower === 'd'
      ? wide
        ? propertiesSet([DECIMAL])
        : createSet(DIGIT)
      : lower === 'w'
        ? wide
          ? WORDS
          : createSet(WORD)
        : lower === 's'
          ? wide
            ? SPACES
            : createSet(SPACE)
          : lower === 'h'
            ? createSet(HEX)
            : null
  return set === null || letter === lower ? set : { ...set, negated: true }
}

/** The POSIX classes, such as `[:alpha:]`. `\p{…}` accepts the same names. */
const POSIX: ReadonlyMap<string, CharSet> = new Map([
  ['alnum', propertiesSet([ALPHA, DECIMAL])],
  ['alpha', propertiesSet([ALPHA])],
  ['ascii', createSet([[0, 127]])],
  ['blank', BLANK],
  ['cntrl', propertiesSet([unicodeProperty('Cc')])],
  ['digit', propertiesSet([DECIMAL])],
  [
    'graph',
    propertiesSet(
      [unicodeProperty('White_Space'), unicodeProperty('Cc'), unicodeProperty('Cn'), unicodeProperty('Cs')],
      [],
      true,
    ),
  ],
  ['lower', propertiesSet([unicodeProperty('Lowercase')])],
  // Ruby also treats ASCII symbols as punctuation.
  [
    'punct',
    propertiesSet(
      [unicodeProperty('P')],
      [...'$+<=>^`|~'].map((character) => range(character)),
    ),
  ],
  ['space', SPACES],
  ['upper', propertiesSet([unicodeProperty('Uppercase')])],
  ['word', WORDS],
  ['xdigit', createSet(HEX)],
])

const ASCII: ReadonlyMap<string, readonly Range[]> = new Map([
  ['alnum', [range('0', '9'), range('A', 'Z'), range('a', 'z')]],
  ['alpha', [range('A', 'Z'), range('a', 'z')]],
  ['blank', [range('\t'), range(' ')]],
  [
    'cntrl',
    [
      [0, 31],
      [127, 127],
    ],
  ],
  ['digit', DIGIT],
  ['graph', [range('!', '~')]],
  ['lower', [range('a', 'z')]],
  ['print', [range(' ', '~')]],
  ['punct', [range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~')]],
  ['space', SPACE],
  ['upper', [range('A', 'Z')]],
  ['word', WORD],
])

/**
 * Returns a POSIX class by its name; null when it is unknown.
 * @param narrow whether it is limited to ASCII, as after `(?a)`
 */
export function posixClass(name: string, narrow: boolean): CharSet | null {
  const ranges = narrow ? ASCII.get(name) : undefined
  if (ranges !== undefined) return createSet(ranges)
  if (name === 'print') return printable()
  return POSIX.get(name) ?? null
}

function printable(): CharSet {
  const unseen = ['Cc', 'Cn', 'Cs', 'Zl', 'Zp'].map((each) => unicodeProperty(each))
  return propertiesSet(unseen, [], true)
}

/** The long names of the general categories of Unicode. */
const CATEGORIES: ReadonlyMap<string, string> = new Map(
  `other C, control Cc, format Cf, unassigned Cn, privateuse Co, surrogate Cs, letter L, casedletter LC, lowercaseletter Ll,
  modifierletter Lm, otherletter Lo, titlecaseletter Lt, uppercaseletter Lu, mark M, spacingmark Mc, enclosingmark Me,
  nonspacingmark Mn, number N, decimalnumber Nd, letternumber Nl, othernumber No, punctuation P, connectorpunctuation Pc,
  dashpunctuation Pd, closepunctuation Pe, finalpunctuation Pf, initialpunctuation Pi, otherpunctuation Po,
  openpunctuation Ps, symbol S, currencysymbol Sc, modifiersymbol Sk, mathsymbol Sm, othersymbol So, separator Z,
  lineseparator Zl, paragraphseparator Zp, spaceseparator Zs`
    .split(',')
    .map((pair): [string, string] => {
      const [name = '', short = ''] = pair.trim().split(' ')
      return [name, short]
    }),
)

/** Returns the set of `\p{name}`; null for an unknown name. */
export function propertySet(writtenName: string): CharSet | null {
  const name = writtenName.toLowerCase().replace(/[\s_-]/g, '')
  const posix = posixClass(name, false)
  if (posix !== null) return posix
  if (name === 'any') return createSet([[0, MAX_CODE_POINT]])
  if (name === 'assigned') return propertiesSet([unicodeProperty('Cn')], [], true)
  const category = CATEGORIES.get(name)
  if (category !== undefined) return propertiesSet([unicodeProperty(category)])
  const short = name.length <= 2 ? name.slice(0, 1).toUpperCase() + name.slice(1) : null
  if (short !== null && [...CATEGORIES.values()].includes(short)) return propertiesSet([unicodeProperty(short)])
  const spelled = writtenName.replace(/(?:^|[_\s-])[a-z]/gi, (start) => start.toUpperCase()).replace(/[\s-]/g, '_')
  for (const native of [`Script=${spelled}`, spelled]) {
    if (isNative(native)) return propertiesSet([unicodeProperty(spelled, native)])
  }
  return null
}

function isNative(name: string): boolean {
  if (!/^[\w=]+$/.test(name)) return false
  try {
    new RegExp(`\\p{${name}}`, 'u')
    return true
  } catch {
    return false
  }
}

/** Returns the union of sets. It is symbolic if possible, and otherwise a list of ranges. */
export function union(sets: readonly CharSet[]): CharSet {
  if (sets.length === 1 && sets[0] !== undefined) return sets[0]
  const flat: { ranges: Range[]; properties: Property[] } = { ranges: [], properties: [] }
  for (const set of sets) {
    const only = set.properties[0]
    if (!set.negated) {
      flat.ranges.push(...set.ranges)
      flat.properties.push(...set.properties)
    } else if (set.properties.length === 0) flat.ranges.push(...complement(set.ranges))
    else if (set.ranges.length === 0 && set.properties.length === 1 && only !== undefined)
      flat.properties.push({ ...only, negated: !only.negated })
    else flat.ranges.push(...toRanges(set))
  }
  return { negated: false, ranges: flat.ranges, properties: flat.properties }
}

/** Returns the intersection of two sets. */
export function intersection(a: CharSet, b: CharSet): CharSet {
  return createSet(complement(mergeRanges([...complement(toRanges(a)), ...complement(toRanges(b))])))
}

export function invert(set: CharSet): CharSet {
  return { ...set, negated: !set.negated }
}

/** Checks whether two sets have no character in common. */
export function areDisjoint(a: CharSet, b: CharSet): boolean {
  return intersection(a, b).ranges.length === 0
}

/** Returns the ranges of a set, sorted and merged. */
export function toRanges(set: CharSet): readonly Range[] {
  const allRanges = mergeRanges([
    ...set.ranges,
    ...set.properties.flatMap((each) =>
      each.negated ? complement(propertyRanges(each.native)) : propertyRanges(each.native),
    ),
  ])
  return set.negated ? complement(allRanges) : allRanges
}

/** The ranges of properties, which are computed once. There are only a few hundred properties. */
const propertyRangesCache = new Map<string, readonly Range[]>()

function propertyRanges(native: string): readonly Range[] {
  const cachedRanges = propertyRangesCache.get(native)
  if (cachedRanges !== undefined) return cachedRanges
  const pattern = new RegExp(`\\p{${native}}`, 'u')
  const foundRanges: [number, number][] = []
  for (let code = 0; code <= MAX_CODE_POINT; code++) {
    if (!pattern.test(String.fromCodePoint(code))) continue
    const lastRange = foundRanges.at(-1)
    if (lastRange !== undefined && lastRange[1] === code - 1) lastRange[1] = code
    else foundRanges.push([code, code])
  }
  propertyRangesCache.set(native, foundRanges)
  return foundRanges
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const out: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const lastRange = out.at(-1)
    if (lastRange !== undefined && from <= lastRange[1] + 1) lastRange[1] = Math.max(lastRange[1], to)
    else out.push([from, to])
  }
  return out
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const out: Range[] = []
  let nextCode = 0
  for (const [from, to] of mergeRanges(ranges)) {
    if (from > nextCode) out.push([nextCode, from - 1])
    nextCode = to + 1
  }
  if (nextCode <= MAX_CODE_POINT) out.push([nextCode, MAX_CODE_POINT])
  return out
}

/**
 * Returns a range of code points.
 * @throws ArgumentFault when the range is reversed
 */
export function createRange(from: number, to: number): Range {
  if (from > to) throw new ArgumentFault('empty range in char class')
  return [from, to]
}
