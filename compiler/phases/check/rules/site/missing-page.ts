/** `missing-page`: a link or form whose address no page handles. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { type Link, isHandled, isServedWithoutPage, linkOf, linksOfSettings, plainPathOf } from '../../site/links.ts'
import type { Memo } from '../../../../core/model/memo.ts'
import type { Site } from '../../../../core/model/site.ts'
import { derivedFromFrame } from '../../../../core/model/derived.ts'
import { distance } from '../../../../core/diagnostics/suggest.ts'
import { hasOwnPages } from '../../site/reach.ts'

export const missingPage = message(
  'missing-page',
  'warning',
  'MissingPage',
  /** `any`: whether a page matches through a parameter in its slug. */
  (method: string, path: string, knownNames: Iterable<string>, any = false) => ({
    subject: { kind: 'route', name: `${method.toUpperCase()} ${path}` },
    text: any
      ? `${quote(`${method.toUpperCase()} ${path}`)} only matches a page through a parameter in its slug.`
      : `No page handles ${quote(`${method.toUpperCase()} ${path}`)}.`,
    ...(suggestName(path, knownNames) ?? { hint: `Add a page with \`slug: ${path.replace(/^\/(?=.)/, '')}\`.` }),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<a href="/nowhere">x</a>' },
    right: { 'app/views/pages/index.liquid': '<a href="/about">x</a>', 'app/views/pages/about.liquid': 'y' },
  },
)

const linksInSettings = derivedFromFrame(({ units }) => linksOfSettings(units))

/** Reports redirects to addresses that no page handles, in settings and in templates. */
export function checkRedirects({ site, siteTemplates, factsOf, memo }: CheckedSite): readonly Diagnostic[] {
  const links: Link[] = [...linksInSettings(site)]
  for (const { key } of siteTemplates) {
    for (const { note } of factsOf(key)?.notes ?? []) {
      const link = note.kind === 'link' ? linkOf(note.path) : null
      if (note.kind === 'link' && link !== null)
        links.push({ ...link, method: 'get', span: note.path.span, sent: true })
    }
  }
  return checkLinks(site, links, memo)
}

/** Returns the paths of all pages for GET requests. */
const pagePathsOf = derivedFromFrame(({ pages }) =>
  pages
    .filter((page) => page.settings.method === 'get')
    .map((page) => `/${page.settings.route.slug.replace(/^\//, '')}`),
)

/**
 * Reports links that no page handles, and links that only match a parameter but are spelled nearly like a page. Skips sites without pages,
 * because they are parts of other sites.
 */
export function checkLinks(site: Site, links: readonly Link[], memo: Memo): readonly Diagnostic[] {
  if (!hasOwnPages(site) || links.length === 0) return []
  const diagnostics: Diagnostic[] = []
  const currentPaths = pagePathsOf(site)
  // Keeps the same array while the routes are unchanged. Suggestions are cached by this array, so they are computed only once.
  const paths = memo.once('paths of pages', '', currentPaths, () => currentPaths)
  for (const link of links) {
    const { method, span, sent } = link
    const { plainPath, isWhole } = plainPathOf(link)
    if (!/^\/(?!\/)/.test(plainPath) || isServedWithoutPage(plainPath)) continue
    if (isHandled(site, method, plainPath, isWhole)) {
      const similarPath = method === 'get' && isWhole ? findSimilarPath(plainPath, paths) : null
      if (similarPath !== null) diagnostics.push(missingPage(span, method, plainPath, [similarPath], true))
      continue
    }
    const diagnostic = missingPage(span, method, isWhole ? plainPath : `${plainPath}…`, paths)
    // A server in front of the site often handles the root path itself.
    const isCertain = sent === true && isWhole && plainPath !== '/'
    diagnostics.push(isCertain ? { ...diagnostic, severity: 'error' } : diagnostic)
  }
  return diagnostics
}

const LAST_SEGMENT = /^(.*\/)([a-z]+)$/

/** Returns the path of a page whose last segment differs in one character; null if there is none, or if a page has this path. */
function findSimilarPath(path: string, paths: readonly string[]): string | null {
  const [, folder = '', word = ''] = LAST_SEGMENT.exec(path) ?? []
  if (word === '' || paths.includes(path)) return null
  return (
    paths.find((each) => {
      const [, otherFolder = '', otherWord = ''] = each.startsWith(folder) ? (LAST_SEGMENT.exec(each) ?? []) : []
      return (
        otherFolder === folder &&
        otherWord.length > 2 &&
        !isPlural(word, otherWord) &&
        distance(word, otherWord, 1) <= 1
      )
    }) ?? null
  )
}

function isPlural(one: string, other: string): boolean {
  return `${one}s` === other || `${other}s` === one
}
