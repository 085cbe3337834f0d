/** Checks literal inputs and arguments of filters: translation keys, assets, regular expressions and others. One rule per filter. */
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { dateFormat } from '../rules/syntax/date-format.ts'
import { filterArgumentType } from '../rules/tags-and-filters/filter-argument-type.ts'
import { invalidJson } from '../rules/values/invalid-json.ts'
import { invalidPattern } from '../rules/syntax/invalid-pattern.ts'
import { missingAsset } from '../rules/site/missing-asset.ts'
import { missingPlural } from '../rules/site/missing-plural.ts'
import { missingTranslation } from '../rules/site/missing-translation.ts'
import { missingTranslationArgument } from '../rules/site/missing-translation-argument.ts'
import { unusedTranslationArgument } from '../rules/site/unused-translation-argument.ts'
import { type Expression, type FilterCall, type NameNode, unfiltered } from '../../../core/tree/ast.ts'
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { regexProblem } from '../../../language/settings/option-values.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import { findNearest } from '../../../core/diagnostics/suggest.ts'
import { BUILT_IN, isPlural, placeholdersIn } from '../walk/translations.ts'
import { foreignPlace } from './placeholders.ts'
import { refusedBy } from '../walk/closed-arguments.ts'
import { checkComputedKey } from './computed-keys.ts'
import { jsonProblem } from './json-bodies.ts'
import type { TextPattern } from '../walk/state.ts'
import type { Walk } from '../walk/walk.ts'

/** `source` is the piped expression; null if it is the result of another filter. `texts` returns the patterns of the piped text. */
type FilterRule = (
  walk: Walk,
  call: FilterCall,
  source: Expression | null,
  texts: () => readonly TextPattern[] | null,
) => void

export const FILTER_RULES: ReadonlyMap<string, FilterRule> = new Map<string, FilterRule>([
  ['t', checkTranslation],
  ['t_escape', checkTranslation],
  ['asset_url', checkAsset],
  ['asset_path', checkAsset],
  ['asset_name_to_raw_url', checkAsset],
  ['matches', (walk, call) => checkPattern(walk, call, 1)],
  ['regex_matches', (walk, call) => checkPattern(walk, call, 1)],
  ['replace_regex', (walk, call) => checkPattern(walk, call, 2)],
  ['parse_json', checkJson],
  ...['date', 'strftime', 'l', 'localize'].map((name): [string, FilterRule] => [name, checkDate]),
  ...'plus minus times divided_by modulo at_least at_most round truncate truncatewords'
    .split(' ')
    .map((name): [string, FilterRule] => [name, checkNumber]),
])

/** Returns the text of a string literal; null for any other expression. */
function literalText(expression: Expression | null): { readonly text: string; readonly span: Span } | null {
  const bareExpression = expression === null ? null : unfiltered(expression)
  return bareExpression?.kind === 'literal' && bareExpression.value.type === 'string'
    ? { text: bareExpression.value.value, span: bareExpression.span }
    : null
}

/** Checks the pattern in the first argument. `options` is the index of the argument with the regex flags. */
function checkPattern(walk: Walk, call: FilterCall, options: number): void {
  const pattern = literalText(call.positional[0] ?? null)
  const argument = call.positional[options]
  const letters = argument === undefined ? { text: '' } : literalText(argument)
  if (pattern === null || pattern.text.trim() === '' || letters === null) return
  const problem = regexProblem(pattern.text, letters.text)
  if (problem !== null) walk.report(invalidPattern(pattern.span, call.name.name, pattern.text, problem))
}

/** Date letters of other languages, longest first, with the equivalent directives. */
const DATE_LETTERS: readonly (readonly [RegExp, string])[] = [
  [/Y{4}|y{4}/g, '%Y'],
  [/YY|yy/g, '%y'],
  [/M{4}/g, '%B'],
  [/MMM/g, '%b'],
  [/MM(?![a-z])/g, '%m'],
  [/DD|dd/g, '%d'],
  [/HH/g, '%H'],
  [/hh/g, '%I'],
  [/mm|MI/g, '%M'],
  [/ss/g, '%S'],
]

/** Reports a date format without `%`, which is printed unchanged. A word may be the name of a format and is not reported. */
function checkDate(walk: Walk, call: FilterCall): void {
  const format = literalText(call.positional[0] ?? null)
  if (format === null || format.text.includes('%') || !/Y{2}|y{2}|MM|DD|dd|HH/.test(format.text)) return
  if (!/^[YyMDdHhmsI\s.,:/-]+$/.test(format.text)) return
  const strftimeFormat = DATE_LETTERS.reduce(
    (text, [letters, directive]) => text.replace(letters, directive),
    format.text,
  )
  walk.report(dateFormat(format.span, format.text, strftimeFormat))
}

/** Checks the input and argument of arithmetic filters: a text that is not a number counts as zero, or fails. */
function checkNumber(walk: Walk, call: FilterCall, source: Expression | null): void {
  const inputText = call.name.name.startsWith('truncate') ? null : literalText(source)
  if (inputText !== null && isNotNumber(inputText.text))
    walk.report(
      filterArgumentType(inputText.span, call.name.name, 'input', 'number', `text ${JSON.stringify(inputText.text)}`),
    )
  checkDivisor(walk, call)
  const argument = literalText(call.positional[0] ?? null)
  if (argument === null || !isNotNumber(argument.text)) return
  walk.report(
    filterArgumentType(
      argument.span,
      call.name.name,
      'its argument',
      'number',
      `text ${JSON.stringify(argument.text)}`,
    ),
  )
}

/** Reports literal arguments that are not on the closed list of their filter. */
export function checkClosedLists(walk: Walk, call: FilterCall, filter: string): void {
  for (const [at, expression] of call.positional.entries()) {
    const argument = literalText(expression)
    const takes = argument === null ? null : refusedBy(filter, at, argument.text)
    if (argument === null || takes === null) continue
    const found = `text ${JSON.stringify(argument.text)}`
    walk.report(filterArgumentType(argument.span, call.name.name, 'its argument', takes, found))
  }
}

function isNotNumber(text: string): boolean {
  return !/^\s*[-+]?\.?\d/.test(text) && text.trim() !== ''
}

/** Checks a literal text that is parsed as JSON. */
function checkJson(walk: Walk, _call: FilterCall, source: Expression | null): void {
  const json = literalText(source)
  // A text with entities is not checked, because the filter decodes them first.
  const reason = json === null || json.text.trim() === '' || json.text.includes('&') ? null : jsonProblem(json.text)
  if (json === null || reason === null) return
  const diagnostic = invalidJson(json.span, reason)
  walk.report(walk.flow.inTry ? { ...diagnostic, severity: 'warning' } : diagnostic)
}

/** Reports an integer division by zero, which fails. */
function checkDivisor(walk: Walk, { name, positional: [divisor] }: FilterCall): void {
  if (divisor === undefined || walk.flow.inTry || !/^(?:divided_by|modulo)$/.test(name.name)) return
  const bareExpression = unfiltered(divisor)
  if (bareExpression.kind === 'literal' && bareExpression.value.type === 'integer' && bareExpression.value.value === 0)
    walk.report(filterArgumentType(divisor.span, name.name, 'its argument', 'number other than zero', 'zero'))
}

function checkAsset(walk: Walk, _call: FilterCall, source: Expression | null): void {
  const asset = literalText(source)
  if (asset === null || asset.text === '') return
  const path = asset.text.replace(/[?#].*$/s, '').replace(/^\//, '')
  const { assets, modules } = walk.env.site
  // A path of a folder is a prefix for other paths.
  if (path !== '' && !path.endsWith('/') && !assets.has(path))
    walk.report(withAbsentModule(modules, path, missingAsset(asset.span, asset.text, assets.keys())))
}

/** Named arguments of `t` that are not placeholders of the text. */
const RESERVED_ARGUMENTS: ReadonlySet<string> = new Set(['default', 'fallback', 'locale', 'scope', 'count'])

/** The locale that missing translations are looked up in. */
const FALLBACK_LOCALE = 'en'

function checkTranslation(
  walk: Walk,
  call: FilterCall,
  source: Expression | null,
  findTexts: () => readonly TextPattern[] | null,
): void {
  const key = literalText(source)
  if (key === null) return checkComputedKey(walk, call, source, findTexts())
  // With a hash of arguments, a scope or another locale, the placeholders or the full key are unknown.
  if (key.text === '' || call.positional.length > 0) return
  const argumentNames = new Set(call.named.map((each) => each.name.name))
  if (argumentNames.has('scope') || argumentNames.has('locale')) return
  const translation = findTranslation(walk.env.site, key.text)
  if (translation === null) {
    if (!argumentNames.has('default') && !BUILT_IN.test(key.text) && !mayBeInUnreadableFile(walk.env.site, key.text))
      walk.report(
        withAbsentModule(
          walk.env.site.modules,
          key.text,
          missingTranslation(key.span, key.text, knownKeys(walk.env.site, key.text)),
        ),
      )
    return
  }
  const texts = textsOf(translation)
  if (argumentNames.has('count') && translation.kind === 'map' && isPlural(translation)) {
    const missingNames = ['one', 'other'].filter((form) => !translation.entries.has(form))
    if (missingNames.length > 0) walk.report(missingPlural(key.span, key.text, missingNames, translation.keySpan))
  }
  if (texts === null) return
  const misread = new Set<string>()
  for (const { name } of call.named) if (reportForeignPlace(walk, key.text, name, texts)) misread.add(name.name)
  const places = texts.flatMap((each) => placeholdersIn(each.text)).filter((name) => !misread.has(name.trim()))
  const placeholders = new Set(places)
  const span = texts[0]?.span ?? null
  const missingNames = [...placeholders].filter((name) => !argumentNames.has(name))
  const unused = call.named
    .map(({ name }) => name)
    .filter(({ name }) => !RESERVED_ARGUMENTS.has(name) && !placeholders.has(name) && !misread.has(name))
  const [missingName] = missingNames
  const nearestName = findNearest(
    missingName ?? '',
    unused.map(({ name }) => name),
  )
  const unusedName = unused.find(({ name }) => unused.length === 1 || name === nearestName)
  // A missing argument and an unused one are reported as one mistake: a misspelled name.
  if (missingNames.length === 1 && missingName !== undefined && unusedName !== undefined) {
    walk.report(missingTranslationArgument(unusedName.span, key.text, missingNames, span, unusedName.name))
    return
  }
  if (missingNames.length > 0) walk.report(missingTranslationArgument(key.span, key.text, missingNames, span))
  // A call that passes every placeholder of this text may pass further arguments for the text in another language.
  const severity = missingNames.length === 0 && placeholders.size > 0 ? 'info' : 'warning'
  for (const { name, span: placeSpan } of unused)
    walk.report({ ...unusedTranslationArgument(placeSpan, key.text, name, span), severity })
}

interface PlacedText {
  readonly text: string
  readonly span: Span
}

/** Reports a text with a placeholder in another library's syntax, which is printed as is. Returns whether it reported one. */
function reportForeignPlace(walk: Walk, key: string, { name, span }: NameNode, texts: readonly PlacedText[]): boolean {
  const found = texts.find(({ text }) => !placeholdersIn(text).includes(name) && foreignPlace(text, name) !== null)
  if (found === undefined) return false
  const diagnostic = unusedTranslationArgument(found.span, key, name, found.span, foreignPlace(found.text, name))
  walk.report({ ...diagnostic, related: [{ span, message: `\`${name}\` is passed here` }] })
  return true
}

/** Returns whether a translation file that could not be parsed seems to contain the key. */
function mayBeInUnreadableFile({ units }: Site, key: string): boolean {
  const name = key.slice(key.lastIndexOf('.') + 1).replace(/[^\w-]/g, '')
  return units.some(
    ({ file, settings }) =>
      settings.kind === 'translation' &&
      settings.locales.every(({ tree }) => tree === null) &&
      new RegExp(`\\b${name}["']?\\s*:|^\\s*${name}\\b`, 'm').test(file.text),
  )
}

/** Returns the translation of a key in the fallback locale, or else in any locale; null if there is none. */
function findTranslation(site: Site, key: string): TranslationNode | null {
  const fallback = translationAt(site.translations.get(FALLBACK_LOCALE), key)
  if (fallback !== null) return fallback
  for (const tree of site.translations.values()) {
    const found = translationAt(tree, key)
    if (found !== null) return found
  }
  return null
}

/** Returns the text of a translation, or its plural forms; null if it is not a text. */
function textsOf(node: TranslationNode): readonly PlacedText[] | null {
  if (node.kind === 'value') return typeof node.value === 'string' ? [{ text: node.value, span: node.span }] : null
  if (!isPlural(node)) return null
  const forms = [...node.entries.values()].map(textsOf)
  return forms.some((form) => form === null) ? null : forms.flatMap((form) => form ?? [])
}

/** Returns the keys to suggest for a misspelled key: all keys outside of modules, and the keys of the same module. */
function knownKeys(site: Site, key: string): readonly string[] {
  const tree = site.translations.get(FALLBACK_LOCALE) ?? site.translations.values().next().value
  if (tree === undefined) return []
  const keys: string[] = []
  collectKeys(tree, key.startsWith('modules/') ? `${key.split('/', 2).join('/')}/` : '', '', keys)
  return keys
}

function collectKeys(map: TranslationMap, module: string, path: string, keys: string[]): void {
  for (const [name, node] of map.entries) {
    if (path === '' && name.startsWith('modules/')) {
      if (module === `${name}/` && node.kind === 'map') collectKeys(node, '', module, keys)
      continue
    }
    const full = path === '' || path.endsWith('/') ? path + name : `${path}.${name}`
    if (node.kind === 'map' && !isPlural(node)) collectKeys(node, '', full, keys)
    else keys.push(full)
  }
}
