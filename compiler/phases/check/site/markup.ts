/** Scans the HTML of a site once for all rules about it: elements, links, forms and unclosed elements. */
import { type SiteRule, visitEach } from './site-rule.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { type Element, type HtmlScan, scanHtml } from '../walk/html.ts'
import { type Language, languageStamp } from '../../../language/language.ts'
import type { Link } from './links.ts'
import type { LinkedForm } from '../../../core/model/form.ts'
import { plain } from '../../../core/model/codec.ts'
import { type Memo, NO_SOURCES } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { unitStamp } from '../../../core/model/stamps.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { UnbalancedElement } from '../walk/element-balance.ts'
import { hasOwnPages } from './reach.ts'
import { shareList } from '../../../core/model/shared-values.ts'

/** The elements of a file whose start or end tag is missing in it. */
export interface FileBalance {
  readonly file: SourceFile
  readonly unbalanced: readonly UnbalancedElement[]
  /** Whether the scanner stopped matching elements before the end of the file. */
  readonly isLost: boolean
  /** Whether the file prints HTML from outside its source, which may open or close elements. */
  readonly opaque: boolean
}

const HTML_KINDS: ReadonlySet<string> = new Set(['page', 'layout', 'partial', 'form', 'email'])

/** The rules about the HTML of a site. They share one scan of the templates. */
interface MarkupRules {
  /** Rules about one file. They do not apply to other files, so their results are kept with the template. */
  readonly ofFile: readonly ((scan: HtmlScan, file: SourceFile) => readonly Diagnostic[])[]
  /** The rule about the elements in the template of a form. */
  readonly ofForm: (form: LinkedForm, elements: readonly Element[]) => readonly Diagnostic[]
  /** The rule about all unbalanced elements. `isWhole`: all files that may call a partial are known. */
  readonly ofBalances: (files: readonly FileBalance[], isWhole: boolean) => readonly Diagnostic[]
  /** The rule about the links and forms in all templates. */
  readonly ofLinks: (site: Site, links: readonly Link[], memo: Memo) => readonly Diagnostic[]
}

/** Returns the rule that consists of all rules about the HTML of a site. */
export function markupRule(rules: MarkupRules): SiteRule {
  return ({ site, siteTemplates, language, memo, lacksModule }) => {
    const links: Link[] = []
    const diagnostics: Diagnostic[] = []
    const balances: FileBalance[] = []
    return visitEach(siteTemplates, visit, finish)

    function visit(siteTemplate: SiteTemplate): void {
      const { unit, template } = siteTemplate
      if (siteTemplate.inner !== null || template.isBroken || !HTML_KINDS.has(unit.file.kind) || !isHtml(siteTemplate))
        return
      const markup = memo.query({
        name: 'markup',
        key: siteTemplate.key,
        inputs: () => [unitStamp(unit, site.config), languageStamp(language)],
        sources: NO_SOURCES,
        codec: plain<Markup>,
        make: () => markupOf(rules, siteTemplate, language.tags),
      })
      for (const diagnostic of markup.diagnostics) diagnostics.push(diagnostic)
      for (const each of markup.links) links.push(each)
      const form = site.formSchemas.get(unit.file.path)
      if (form !== undefined) diagnostics.push(...rules.ofForm(form, markup.elements))
      const { unbalanced, isLost } = markup
      balances.push({ file: unit.file, unbalanced, isLost, opaque: callsAbsentPartial(siteTemplate, site) })
    }

    function finish(): readonly Diagnostic[] {
      const ofElements = site.openEntries ? [] : [...diagnostics, ...rules.ofBalances(balances, hasOwnPages(site))]
      return lacksModule ? ofElements : [...ofElements, ...rules.ofLinks(site, links, memo)]
    }
  }
}

/** The results for one template that do not depend on other files. */
interface Markup extends Pick<FileBalance, 'unbalanced' | 'isLost'> {
  readonly diagnostics: readonly Diagnostic[]
  readonly links: readonly Link[]
  /** The elements of a form file; empty for other files. */
  readonly elements: readonly Element[]
}

function markupOf({ ofFile }: MarkupRules, { unit: { file }, template }: SiteTemplate, tags: Language['tags']): Markup {
  const scan = scanHtml(template.nodes, file.path, file.text, tags)
  const { elements, unbalanced, isLost } = scan
  return {
    diagnostics: shareList(ofFile.flatMap((check) => check(scan, file))),
    links: shareList(file.kind === 'email' ? [] : linksOf(elements)),
    unbalanced: shareList(unbalanced),
    isLost,
    elements: shareList(file.kind === 'form' ? elements : []),
  }
}

/** Returns the addresses of links and of forms. */
function linksOf(elements: readonly Element[]): readonly Link[] {
  const overridesMethod = elements.some((each) => each.name === 'input' && each.attributes.get('name') === '_method')
  return elements.flatMap((element): readonly Link[] => {
    const { name, attributes, dynamic } = element
    if (name === 'a') return linkIn(element, 'href', 'get')
    if (name !== 'form' || dynamic) return []
    const method = attributes.has('method') ? attributes.get('method')?.toLowerCase() : 'get'
    if (method === undefined || (overridesMethod && method === 'get')) return []
    return linkIn(element, 'action', method === 'get' ? 'get' : 'post')
  })
}

/** Returns the link in an attribute. Of a value that contains Liquid, only the literal beginning is known. */
function linkIn({ attributes, begins, span }: Element, attribute: string, method: Link['method']): readonly Link[] {
  const path = attributes.get(attribute)
  if (path != null) return [{ path: path.trim(), method, span }]
  const beginning = begins.get(attribute)
  return beginning === undefined ? [] : [{ path: beginning.trim(), method, span, isPrefix: true }]
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

/** Returns whether a file is HTML, according to its name and settings. */
function isHtml({ unit }: SiteTemplate): boolean {
  if (unit.settings.kind === 'page') {
    const { format, converter } = unit.settings
    return format === 'html' && converter === null
  }
  const converter = 'converter' in unit.settings ? unit.settings.converter : null
  return converter === null && (unit.file.format === null || unit.file.format === 'html')
}
