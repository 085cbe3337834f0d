/** Compares the translations of a site: the texts of each language, and the keys that two languages share. */
import { BUILT_IN, FALLBACK_LOCALE, isPlural } from '../walk/translations.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SiteRule } from './site-rule.ts'
import type { TranslationMap, TranslationNode } from '../../../core/model/settings.ts'

/** A text of a translation. */
type Text = Extract<TranslationNode, { readonly kind: 'value' }>

/** Two nodes with the same key in the default language and in another language. */
export type Twins = TwinGroups | TwinTexts

interface Twin {
  /** The key; empty for the outermost groups. */
  readonly key: string
  /** The default language. */
  readonly from: string
  readonly to: string
}

/** Two groups of keys. */
interface TwinGroups extends Twin {
  readonly kind: 'groups'
  readonly one: TranslationMap
  readonly other: TranslationMap
  /** Whether they belong to a module, whose languages may have other keys than those of the site. */
  readonly isOfModule: boolean
}

/** Two texts, or their plural forms. */
export interface TwinTexts extends Twin {
  readonly kind: 'texts'
  readonly one: TranslationNode
  readonly other: TranslationNode
}

/** Returns a rule about the translations of a site that is checked only if a translation file has changed. */
export function ofTranslations(name: string, check: (site: Site) => readonly Diagnostic[]): SiteRule {
  return ({ site, memo }) => {
    const translations = site.units.filter((unit) => unit.file.kind === 'translation')
    return memo.once('check translations', name, translations, () => check(site))
  }
}

/** Returns the texts of all languages, each with its key. */
export function* translationTexts({ translations }: Pick<Site, 'translations'>): Generator<readonly [string, Text]> {
  for (const tree of translations.values()) yield* textsBelow(tree, '')
}

/** @param path ends with the separator before the next key */
function* textsBelow(node: TranslationNode, path: string): Generator<readonly [string, Text]> {
  if (node.kind === 'value') return yield [path, node]
  for (const [name, each] of node.entries) {
    const separator = each.kind === 'value' ? '' : path === '' && name.startsWith('modules/') ? '/' : '.'
    yield* textsBelow(each, path + name + separator)
  }
}

/** Returns the groups and texts that another language shares with the default one, outer groups first. */
export function* twins(site: Site): Generator<Twins> {
  const one = site.translations.get(FALLBACK_LOCALE)
  if (one === undefined) return
  for (const [to, other] of site.translations)
    if (other !== one)
      yield* twinsIn({ kind: 'groups', key: '', from: FALLBACK_LOCALE, to, one, other, isOfModule: false })
}

function* twinsIn(groups: TwinGroups): Generator<Twins> {
  yield groups
  const { key: path, from, to } = groups
  for (const [name, one] of groups.one.entries) {
    const other = groups.other.entries.get(name)
    if (other === undefined) continue
    const key = path === '' ? name : `${path}.${name}`
    const isModule = isModuleKey(name, path)
    if (one.kind === 'map' && other.kind === 'map' && (isModule || !(isPlural(one) && isPlural(other))))
      yield* twinsIn({ ...groups, key, one, other, isOfModule: groups.isOfModule || isModule })
    else if (!isModule) yield { kind: 'texts', key, from, to, one, other }
  }
}

/** Returns whether a key belongs to a module, which may lack languages of the site, or is built in. */
export function isModuleKey(name: string, path: string): boolean {
  return path === '' && (name.startsWith('modules/') || BUILT_IN.test(name))
}
