/** Checks the HTML of a site: images, scripts, forms, links and unclosed elements. */
import { imageWithoutSize } from '../rules/html/image-without-size.ts'
import { parserBlockingScript } from '../rules/html/parser-blocking-script.ts'
import { spacedEndTag } from '../rules/html/spaced-end-tag.ts'
import { unclosedAttribute } from '../rules/html/unclosed-attribute.ts'
import { unclosedStartTag } from '../rules/html/unclosed-start-tag.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { attached } from '../../../core/model/attached.ts'
import { shareList } from '../../../core/model/shared-values.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Steps } from '../../../core/model/steps.ts'
import type { Template } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Language } from '../../../language/language.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { checkBalance, type FileBalance } from './balance.ts'
import { checkInputs } from './form-inputs.ts'
import { type Element, scanHtml } from '../walk/html.ts'
import { checkLinks, type Link } from './links.ts'
import { hasOwnPages } from '../site/reach.ts'

interface MarkupInput {
  readonly site: Site
  readonly language: Pick<Language, 'tags'>
  readonly siteTemplates: readonly SiteTemplate[]
  readonly memo: Memo
  readonly lacksModule: boolean
}

/** The number of templates that are checked in one step. */
const TEMPLATES_PER_STEP = 50

const HTML_KINDS: ReadonlySet<string> = new Set(['page', 'layout', 'partial', 'form', 'email'])

/** Reports problems with the HTML elements of a site, and links and forms with an address that no page handles. */
export function* checkMarkup(input: MarkupInput): Steps<readonly Diagnostic[]> {
  const { site, lacksModule, memo } = input
  const links: Link[] = []
  const diagnostics = yield* elementSteps(input, links)
  return lacksModule ? diagnostics : [...diagnostics, ...checkLinks(site, links, memo)]
}

/** @param links receives the links and forms of the site */
function* elementSteps({ site, language, siteTemplates }: MarkupInput, links: Link[]): Steps<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  const balances: FileBalance[] = []
  for (const siteTemplate of siteTemplates) {
    const { unit, template } = siteTemplate
    if (siteTemplate.inner !== null || template.isBroken || !HTML_KINDS.has(unit.file.kind) || !isHtml(siteTemplate))
      continue
    let markup = markupCache.get(template)
    if (markup === undefined) markupCache.set(template, (markup = markupOf(siteTemplate, language.tags)))
    for (const diagnostic of markup.diagnostics) diagnostics.push(diagnostic)
    for (const each of markup.links) links.push(each)
    const form = site.formSchemas.get(unit.file.path)
    if (form !== undefined) diagnostics.push(...checkInputs(form, markup.elements))
    const { unbalanced, isLost } = markup
    balances.push({ file: unit.file, unbalanced, isLost, opaque: callsAbsentPartial(siteTemplate, site) })
    if (balances.length % TEMPLATES_PER_STEP === 0) yield
  }
  if (site.openEntries) return []
  return [...diagnostics, ...checkBalance(balances, hasOwnPages(site))]
}

/** The results for one template that do not depend on other files. */
interface Markup extends Pick<FileBalance, 'unbalanced' | 'isLost'> {
  readonly diagnostics: readonly Diagnostic[]
  readonly links: readonly Link[]
  /** The elements of a form file; empty for other files. */
  readonly elements: readonly Element[]
}

const markupCache = attached<Template, Markup>()

function markupOf({ unit: { file }, template }: SiteTemplate, tags: Language['tags']): Markup {
  const diagnostics: Diagnostic[] = []
  const links: Link[] = []
  const scan = scanHtml(template.nodes, file.path, file.text, tags)
  const { elements, unbalanced, unclosed, surplus, unended, spaced, isLost } = scan
  for (const span of unclosed) diagnostics.push(unclosedAttribute(span))
  for (const span of surplus) diagnostics.push(unclosedAttribute(span, true))
  for (const span of spaced) diagnostics.push(spacedEndTag(span, file.text.slice(span.start, span.end)))
  for (const span of unended) diagnostics.push(unclosedStartTag(span, file.text.slice(span.start, span.end)))
  const overridesMethod = elements.some((each) => each.name === 'input' && each.attributes.get('name') === '_method')
  // The elements of emails are not checked, because mail programs have other requirements than browsers.
  for (const { name, attributes, begins, dynamic, span } of file.kind === 'email' ? [] : elements) {
    if (name === 'img' && !dynamic) {
      const missingNames = ['width', 'height'].filter((each) => !attributes.has(each))
      if (missingNames.length > 0) diagnostics.push(imageWithoutSize(span, missingNames))
    } else if (name === 'script' && !dynamic && attributes.has('src')) {
      const isNonBlocking = attributes.has('defer') || attributes.has('async') || attributes.get('type') === 'module'
      if (!isNonBlocking) diagnostics.push(parserBlockingScript(span))
    } else if (name === 'a') addLink(links, attributes.get('href'), 'get', span, begins.get('href'))
    else if (name === 'form' && !dynamic) {
      const method = attributes.has('method') ? attributes.get('method') : 'get'
      if (method != null && !(overridesMethod && method.toLowerCase() === 'get'))
        addLink(
          links,
          attributes.get('action'),
          method.toLowerCase() === 'get' ? 'get' : 'post',
          span,
          begins.get('action'),
        )
    }
  }
  return {
    diagnostics: shareList(diagnostics),
    links: shareList(links),
    unbalanced: shareList(unbalanced),
    isLost,
    elements: shareList(file.kind === 'form' ? elements : []),
  }
}

/** Returns whether a template calls a partial that does not exist. */
function callsAbsentPartial({ outline }: SiteTemplate, { partials }: Site): boolean {
  return outline.calls.some(
    ({ kind, literal }) =>
      kind !== 'function' &&
      literal !== null &&
      !partials.has(literal) &&
      !(kind === 'theme' && [...partials.keys()].some((name) => name.endsWith(`/${literal}`))),
  )
}

/** @param beginning the literal beginning of a path that contains Liquid */
function addLink(
  links: Link[],
  path: string | null | undefined,
  method: Link['method'],
  span: Span,
  beginning: string | undefined,
): void {
  if (path != null) links.push({ path: path.trim(), method, span })
  else if (beginning !== undefined) links.push({ path: beginning.trim(), method, span, isPrefix: true })
}

/** Returns whether a file is HTML, according to its name and settings. */
function isHtml({ unit }: SiteTemplate): boolean {
  if (unit.settings.kind === 'page') {
    const { format, converter } = unit.settings
    return format === 'html' && converter === null
  }
  const converter = 'converter' in unit.settings ? unit.settings.converter : null
  return converter === null && (unit.file.format === null || unit.file.format === 'html')
}
