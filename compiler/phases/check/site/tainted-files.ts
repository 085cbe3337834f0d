/** Finds the files that untrusted text or a secret may reach, so that only these are followed. */
import { addTo } from '../../../core/source/groups.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import { NOTHING } from '../../analyze/domains/taint/flow.ts'
import { contextFlow } from '../../analyze/domains/taint/sources.ts'
import type { CheckedSite } from './site-rule.ts'
import { namesOf } from './template-names.ts'

/** Kinds of files that receive values which users sent, or which a query passes. */
const RECEIVING_KINDS: ReadonlySet<FileKind> = new Set(['form', 'email', 'api_call'])

/** Returns the files with a source, the files that call them, and the files that any of these call. */
export function taintedFiles(input: CheckedSite): ReadonlySet<string> {
  const { site, siteTemplates } = input
  const callers = new Map<string, string[]>()
  const callees = new Map<string, string[]>()
  const sources: string[] = []
  for (const siteTemplate of siteTemplates) {
    const { path } = siteTemplate.unit.file
    if (hasSource(siteTemplate, input)) sources.push(path)
    for (const { literal } of siteTemplate.outline.calls) {
      const callee = literal === null ? undefined : site.partials.get(literal)?.file.path
      if (callee === undefined) continue
      addTo(callers, callee, path)
      addTo(callees, path, callee)
    }
  }
  return closure(closure(sources, callers), callees)
}

/** Returns whether a template reads a value that may be tainted, apart from the values that its callers pass. */
function hasSource(siteTemplate: SiteTemplate, { site, reach }: CheckedSite): boolean {
  const { unit, outline } = siteTemplate
  const { kind, path } = unit.file
  if (RECEIVING_KINDS.has(kind) || outline.queries.length > 0 || outline.writes.has('context')) return true
  // A partial with its own scope has no older names.
  const mayHaveOldNames = kind !== 'partial' || reach.included.has(path)
  for (const name of outline.reads.keys())
    if (name === 'platform_context' || (mayHaveOldNames && oldVariableOf(site, name) !== null)) return true
  const { context, aliased } = namesOf(siteTemplate)
  return context.some(({ path: keys }) => isSource(keys)) || aliased.some(isSource)
}

function isSource(path: readonly (string | null)[]): boolean {
  return contextFlow(path, '', { file: '', start: 0, end: 0 }) !== NOTHING
}

/** Returns the items and everything that can be reached from them. */
function closure(items: Iterable<string>, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const all = new Set(items)
  // The loop also visits the items that it adds.
  for (const item of all) for (const each of next.get(item) ?? []) all.add(each)
  return all
}
