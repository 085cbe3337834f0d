/** Determines what a quoted text names: a partial, a query, a form, a translation, an asset, or a page. */
import type { Site } from '../../../core/model/site.ts'
import type { TranslationMap } from '../../../core/model/settings.ts'
import type { Markup, QuotedText } from './cursor.ts'
import type { Suggestion } from './suggestion.ts'

type NameKind = 'partial' | 'query' | 'form' | 'translation' | 'asset' | 'page'

const KIND_BY_TAG: Readonly<Record<string, NameKind>> = {
  render: 'partial',
  include: 'partial',
  function: 'partial',
  background: 'partial',
  theme_render_rc: 'partial',
  graphql: 'query',
  include_form: 'form',
  redirect_to: 'page',
}

/** Returns what the first text of a tag, or the text before a filter, names. */
export function nameKindOf(
  text: string,
  { tag, start }: Pick<Markup, 'tag' | 'start'>,
  quoted: QuotedText,
): NameKind | null {
  const filterName = /^['"]?\s*\|\s*(\w+)/.exec(text.slice(quoted.end))?.[1] ?? ''
  if (/^(?:t|translate|t_escape|translate_escape)$/.test(filterName)) return 'translation'
  if (/^asset_(?:url|path)$/.test(filterName)) return 'asset'
  const isFirst = !/['"]/.test(text.slice(start, quoted.start - 1))
  return isFirst && tag !== null ? (KIND_BY_TAG[tag] ?? null) : null
}

/** Returns all names of that kind in the site. */
export function listNames(site: Site, nameKind: NameKind): readonly Suggestion[] {
  switch (nameKind) {
    case 'partial':
      return [...site.partials].map(([label, { file }]) => ({ label, kind: 'file', detail: file.path }))
    case 'query':
      return [...site.graphql].map(([label, { file }]) => ({ label, kind: 'query', detail: file.path }))
    case 'form':
      return [...site.forms].map(([label, { file }]) => ({ label, kind: 'form', detail: file.path }))
    case 'asset':
      return [...site.assets].map(([label, detail]) => ({ label, kind: 'file', detail }))
    case 'page':
      return pageLinks(site)
    case 'translation':
      return translationKeys(site)
  }
}

/** Returns the names of partials below the search paths of themes, without these paths. */
export function themeNames({ config, partials }: Site): readonly Suggestion[] {
  const paths = config.themeSearchPaths.map(({ text }) => `${text.replace(/\/$/, '')}/`).filter((path) => path !== '/')
  return [...partials].flatMap(([name, { file }]): Suggestion[] => {
    const path = paths.find((each) => name.startsWith(each))
    return path === undefined ? [] : [{ label: name.slice(path.length), kind: 'file', detail: file.path }]
  })
}

/** Returns the addresses of pages in the form that links use. */
export function pageLinks(site: Site): readonly Suggestion[] {
  const gets = site.pages.filter(({ settings }) => settings.method === 'get')
  const links = gets.map(({ file, settings }): Suggestion => {
    const { slug } = settings.route
    return { label: slug === '/' ? '/' : `/${slug}`, kind: 'page', detail: file.path }
  })
  return [...new Map(links.map((link) => [link.label, link])).values()]
}

function translationKeys({ translations }: Site): readonly Suggestion[] {
  const keys = new Map<string, string>()
  for (const [locale, tree] of translations)
    for (const [key, value] of valuesOf(tree, '')) if (!keys.has(key)) keys.set(key, `${locale}: ${String(value)}`)
  return [...keys].map(([label, detail]) => ({ label, kind: 'translation', detail }))
}

function* valuesOf({ entries }: TranslationMap, above: string): Generator<readonly [key: string, value: unknown]> {
  for (const [name, node] of entries) {
    if (node.kind === 'value') yield [above + name, node.value]
    else yield* valuesOf(node, `${above}${name}${name.startsWith('modules/') ? '/' : '.'}`)
  }
}
