/** Finds edits of templates that change nothing for other templates, so that the findings for those remain valid. */
import type { Memo } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { EDITABLE, type Template, type Unit } from '../../core/model/unit.ts'
import { headOf } from '../../core/source/front-matter.ts'
import { markedSpan } from '../../core/source/mark.ts'
import { type Span, spanKey } from '../../core/source/span.ts'
import { writtenKeysOf } from '../analyze/any-partial.ts'
import { namesForForm } from '../analyze/misspelt-locals.ts'
import { typeKey, typesKey } from '../../language/types/type-key.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { callersKey } from './site/dependencies.ts'
import { hasOutput } from './walk/output.ts'
import { optionalInComments } from './walk/comment-params.ts'
import type { UnitFacts } from './walk/facts.ts'
import { requestValues } from './walk/request-values.ts'

/** A template before and after its file was edited. */
export interface Edit {
  readonly oldTemplate: SiteTemplate
  readonly newTemplate: SiteTemplate
}

/** Maximum number of edited files. If more differ, they were moved or replaced by another version. */
const MAX_EDITED_FILES = 20

interface CheckedSite {
  readonly site: Site
  readonly siteTemplates: readonly SiteTemplate[]
}

/**
 * Returns the templates that differ between two versions of a site. Returns null if anything else differs, or if an edited template differs
 * in the names that it uses or in what it offers to its callers.
 */
export function editsBetween(before: CheckedSite, after: CheckedSite, memo: Memo): readonly Edit[] | null {
  const files = editedFiles(before.site, after.site)
  if (files === null || before.siteTemplates.length !== after.siteTemplates.length) return null
  const edits: Edit[] = []
  for (const [at, siteTemplate] of after.siteTemplates.entries()) {
    const oldTemplate = before.siteTemplates[at]
    if (oldTemplate === siteTemplate) continue
    if (oldTemplate === undefined || oldTemplate.key !== siteTemplate.key) return null
    if (!files.has(siteTemplate.unit.file.path)) {
      if (oldTemplate.template !== siteTemplate.template || oldTemplate.outline !== siteTemplate.outline) return null
    } else if (outlineOf(oldTemplate, memo) === outlineOf(siteTemplate, memo))
      edits.push({ oldTemplate, newTemplate: siteTemplate })
    else return null
  }
  return edits
}

function editedFiles(before: Site, after: Site): ReadonlySet<string> | null {
  if (before.units.length !== after.units.length || before.config !== after.config) return null
  const files = new Set<string>()
  for (const [at, unit] of after.units.entries()) {
    const oldUnit = before.units[at]
    if (oldUnit === unit) continue
    if (oldUnit === undefined || files.size === MAX_EDITED_FILES || !isSameBesidesBody(oldUnit, unit)) return null
    files.add(unit.file.path)
  }
  return files
}

function isSameBesidesBody(a: Unit, b: Unit): boolean {
  const isKnown = a.file.path === b.file.path && EDITABLE.has(b.file.kind) && a.refused === b.refused
  return isKnown && headOf(a.file.text) === headOf(b.file.text)
}

/** Returns a text that describes what a template offers to others before it is checked. Equal texts mean no difference for others. */
function outlineOf({ key, unit, template, inner, outline }: SiteTemplate, memo: Memo): string {
  return JSON.stringify([
    [template.isBroken, docKey(template, unit.file.text), template.block?.passed],
    // The diagnostics of callers depend on these.
    [[...optionalInComments(unit)], hasOutput(template.nodes)],
    [[...outline.reads.keys()], [...outline.writes.keys()], [...outline.counters], outline.readsSelf],
    outline.calls.map(({ kind, literal, patterns, passedNames, hidden, boundBefore }) => [
      [kind, literal, patterns],
      [...passedNames],
      [...hidden],
      kind === 'include' ? [...boundBefore] : [],
    ]),
    inner === null ? namesForForm(unit.file.text) : [],
    [...(writtenKeysOf(key, template, memo) ?? ['*'])],
  ])
}

/** Returns a text that describes the documentation of a template, with places that edits elsewhere do not change. */
function docKey({ doc }: Template, text: string): string {
  const place = (span: Span | null) => (span === null ? '' : spanKey(markedSpan(span, text)))
  return JSON.stringify([
    doc?.description,
    doc?.examples,
    doc === null ? '' : place(doc.span),
    doc?.params.map(({ span, typeSpan, ...param }) => [param, place(span), place(typeSpan)]),
    doc?.mistakes.map(({ span, corrected }) => [corrected, place(span)]),
  ])
}

/**
 * Returns a text that describes the facts of a checked template that others depend on. Equal texts mean no difference for others. `callers`:
 * what callers see, with or without the places in the template's text; null if the template has no callers.
 */
export function sharedFactsOf(facts: UnitFacts, callers: 'placed' | 'unplaced' | null): string {
  const calls = facts.calls.map(
    ({ kind, targets, open, passedTypes, visible }) =>
      `${kind} ${open} ${targets?.join(' ') ?? '*'}\n${typesKey(passedTypes)}\n${typesKey(visible)}`,
  )
  const values = requestValues([facts])
  const request = values === null ? [] : [typeKey(values.exports), typeKey(values.session)]
  const toCallers = callers === null ? [] : [callersKey(facts, callers === 'placed')]
  return [...toCallers, facts.readsRequest, ...request, ...calls].join('\n\n')
}
