/** Merges the translation files of a site into one tree per language. */
import { duplicateTranslation } from '../../core/diagnostics/codes/site/duplicate-translation.ts'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type {
  TranslationMap,
  TranslationNode,
  TranslationSettings,
  TranslationTree,
} from '../../core/model/settings.ts'
import type { SourceFile } from '../../core/source/file.ts'
import type { Span } from '../../core/source/span.ts'
import { toValue, type YamlNode } from '../../core/source/yaml.ts'
import type { Reporter } from './setting.ts'
import { getOrMake } from '../../core/source/maps.ts'

export interface TranslationFile {
  readonly file: SourceFile
  readonly settings: TranslationSettings
}

interface TranslationMapDraft {
  readonly kind: 'map'
  readonly entries: Map<string, TranslationMapDraft | TranslationValue>
  readonly keySpan: Span
}

type TranslationValue = Extract<TranslationNode, { readonly kind: 'value' }>

/**
 * Merges the trees of translation files deeply. The keys of a module are below `modules/<name>`. It is an error if two files of one
 * language define the same key. An
 * override of a module file in the application is allowed and wins.
 */
export function mergeTranslations(files: Iterable<TranslationFile>, report: Reporter): TranslationTree {
  const tree = new Map<string, TranslationMapDraft>()
  const filesInOrder = [...files].sort((a, b) => Number(a.file.override) - Number(b.file.override))
  for (const { file, settings } of filesInOrder) {
    for (const { locale, localeSpan, tree: keys } of settings.locales) {
      const map = getOrMake(tree, locale, () => emptyMap(localeSpan))
      const context: MergeContext = { locale, override: file.override, report }
      if (file.module === null) addKeys(map, keys, '', context)
      else addKeys(mapBelow(map, `modules/${file.module}`, localeSpan), keys, `modules/${file.module}/`, context)
    }
  }
  return tree
}

interface MergeContext {
  readonly locale: string
  readonly override: boolean
  readonly report: Reporter
}

function addKeys(target: TranslationMapDraft, from: YamlNode | null, path: string, context: MergeContext): void {
  if (from?.kind !== 'map') return
  for (const { key, keySpan, value } of from.entries) {
    const existing = target.entries.get(key)
    if (value.kind === 'map' && existing?.kind === 'map') {
      addKeys(existing, value, `${path}${key}.`, context)
      continue
    }
    if (existing !== undefined && !context.override) {
      context.report.add(duplicateTranslation(keySpan, path + key, context.locale, existing.keySpan))
      continue
    }
    if (value.kind === 'map') {
      const map = emptyMap(keySpan)
      target.entries.set(key, map)
      addKeys(map, value, `${path}${key}.`, context)
    } else {
      if (value.kind === 'scalar' && value.value === null && value.text === '')
        context.report.add(settingValue(keySpan, path + key, 'a text', '', { hint: 'Write the text after the colon.' }))
      target.entries.set(key, { kind: 'value', value: toValue(value), span: value.span, keySpan })
    }
  }
}

function emptyMap(keySpan: Span): TranslationMapDraft {
  return { kind: 'map', entries: new Map(), keySpan }
}

function mapBelow(tree: TranslationMapDraft, key: string, keySpan: Span): TranslationMapDraft {
  const existing = tree.entries.get(key)
  if (existing?.kind === 'map') return existing
  const map = emptyMap(keySpan)
  tree.entries.set(key, map)
  return map
}

/** Returns the node of a dotted key in one language: `cart.title`, `modules/shop/cart.title`. Returns null if there is none. */
export function translationAt(tree: TranslationMap | undefined, key: string): TranslationNode | null {
  if (tree === undefined) return null
  const inModule = /^(modules\/[^/]+)\/(.*)$/s.exec(key)
  const steps = inModule === null ? key.split('.') : [inModule[1] ?? '', ...(inModule[2] ?? '').split('.')]
  let node: TranslationNode = tree
  for (const step of steps) {
    const next: TranslationNode | undefined = node.kind === 'map' ? node.entries.get(step) : undefined
    if (next === undefined) return null
    node = next
  }
  return node
}
