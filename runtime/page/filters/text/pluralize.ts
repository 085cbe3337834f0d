/** `pluralize`: an English noun in its plural or singular form. */
import { str } from '../../values/text.ts'
import { integerArgument } from '../number-arguments.ts'
import type { Numeric, Textual } from '../types.ts'

export const dialect = 'platform'

/**
 * The singular when `count` is 1, otherwise the plural, by English rules.
 * @throws ArgumentFault for a count that is not an integer
 */
export function pluralize(input: Textual, count: Numeric = 2): string {
  const isSingular = integerArgument(count, 'pluralize', 'count') === 1
  return inflect(str(input), isSingular ? SINGULARS : PLURALS)
}

type InflectionRule = readonly [pattern: RegExp, ending: string]

const UNCOUNTABLE = /\b(?:equipment|information|rice|money|species|series|fish|sheep|jeans|police|news)$/i

const IRREGULAR: readonly (readonly [one: string, many: string])[] = [
  ['person', 'people'],
  ['man', 'men'],
  ['child', 'children'],
  ['sex', 'sexes'],
  ['move', 'moves'],
  ['zombie', 'zombies'],
]

/** Returns a rule that replaces a whole word at the end and keeps the case of its first letter. */
function irregularRule(from: string, to: string): InflectionRule {
  return [new RegExp(`(${from[0]})${from.slice(1)}$`, 'i'), `$1${to.slice(1)}`]
}

// The first matching rule applies.
const PLURALS: readonly InflectionRule[] = [
  ...IRREGULAR.flatMap(([one, many]) => [irregularRule(many, many), irregularRule(one, many)]),
  [/(quiz)$/i, '$1zes'],
  [/^(oxen)$/i, '$1'],
  [/^(ox)$/i, '$1en'],
  [/^(m|l)ice$/i, '$1ice'],
  [/^(m|l)ouse$/i, '$1ice'],
  [/(matr|vert|ind)(?:ix|ex)$/i, '$1ices'],
  [/(x|ch|ss|sh)$/i, '$1es'],
  [/([^aeiouy]|qu)y$/i, '$1ies'],
  [/(hive)$/i, '$1s'],
  [/([^f])fe$/i, '$1ves'],
  [/([lr])f$/i, '$1ves'],
  [/sis$/i, 'ses'],
  [/([ti])a$/i, '$1a'],
  [/([ti])um$/i, '$1a'],
  [/(buffal|tomat)o$/i, '$1oes'],
  [/(bu)s$/i, '$1ses'],
  [/(alias|status)$/i, '$1es'],
  [/(octop|vir)i$/i, '$1i'],
  [/(octop|vir)us$/i, '$1i'],
  [/^(ax|test)is$/i, '$1es'],
  [/s$/i, 's'],
  [/$/, 's'],
]

const SINGULARS: readonly InflectionRule[] = [
  ...IRREGULAR.flatMap(([one, many]) => [irregularRule(one, one), irregularRule(many, one)]),
  [/(database)s$/i, '$1'],
  [/(quiz)zes$/i, '$1'],
  [/(matr)ices$/i, '$1ix'],
  [/(vert|ind)ices$/i, '$1ex'],
  [/^(ox)en/i, '$1'],
  [/(alias|status)(?:es)?$/i, '$1'],
  [/(octop|vir)(?:us|i)$/i, '$1us'],
  [/^(a)x[ie]s$/i, '$1xis'],
  [/(cris|test)(?:is|es)$/i, '$1is'],
  [/(shoe)s$/i, '$1'],
  [/(o)es$/i, '$1'],
  [/(bus)(?:es)?$/i, '$1'],
  [/^(m|l)ice$/i, '$1ouse'],
  [/(x|ch|ss|sh)es$/i, '$1'],
  [/(m)ovies$/i, '$1ovie'],
  [/(s)eries$/i, '$1eries'],
  [/([^aeiouy]|qu)ies$/i, '$1y'],
  [/([lr])ves$/i, '$1f'],
  [/(tive)s$/i, '$1'],
  [/(hive)s$/i, '$1'],
  [/([^f])ves$/i, '$1fe'],
  [/(^analy)(?:sis|ses)$/i, '$1sis'],
  [/((?:a)naly|(?:b)a|(?:d)iagno|(?:p)arenthe|(?:p)rogno|(?:s)ynop|(?:t)he)(?:sis|ses)$/i, '$1sis'],
  [/([ti])a$/i, '$1um'],
  [/(n)ews$/i, '$1ews'],
  [/(ss)$/i, '$1'],
  [/s$/i, ''],
]

function inflect(text: string, rules: readonly InflectionRule[]): string {
  if (text === '') return text
  // Endings are short, so only the end of the text is searched.
  const start = Math.max(0, text.length - 40)
  const word = text.slice(start)
  if (UNCOUNTABLE.test(word)) return text
  for (const [pattern, ending] of rules) {
    if (pattern.test(word)) return text.slice(0, start) + word.replace(pattern, ending)
  }
  return text
}
