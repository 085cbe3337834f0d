/** Finds values that may be nil and are used without a check: results of functions, and the user on a public page. */
import { anonymousUser } from '../../rules/values/anonymous-user.ts'
import { nilResult } from '../../rules/values/nil-result.ts'
import type { Diagnostic } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { derived } from '../../../../core/model/derived.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { UnitFacts } from '../../walk/facts.ts'
import { namesOf, type TemplateNames } from './scan.ts'

/** Reports reads of parts of a function's result if the function returns nil on some path and no check comes before the read. */
export function checkNilResults({ site, siteTemplates, factsOf }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const siteTemplate of siteTemplates) {
    const { functions, parts, guarded } = namesOf(siteTemplate)
    for (const { variable, partial, span } of functions) {
      const assignments = functions.filter((each) => each.variable === variable)
      // Another tag may set the variable to a value.
      if ((siteTemplate.outline.writes.get(variable) ?? 0) > assignments.length) continue
      const next = assignments.find((each) => each.span.start > span.start)?.span.start ?? Number.POSITIVE_INFINITY
      const target = site.partials.get(partial)
      const facts = target === undefined ? undefined : factsOf(target.file.path)
      const nilReturn = facts?.returned == null ? null : facts.emptyAt
      const read = parts.find(
        (each) => each.variable === variable && each.span.start > span.end && each.span.start < next,
      )
      if (nilReturn == null || read === undefined) continue
      // A later check shows that the author expects nil. A policy of the page may have made the check already.
      const guards = guarded.get(variable)
      if (guards === undefined ? isGuardedPage(siteTemplate) : guards.some((at) => isBetween(at, span, read.span)))
        continue
      const diagnostic = nilResult(read.span, variable, partial, nilReturn)
      // The file never checks the variable: the author may be certain that the result is not nil.
      diagnostics.push(guards === undefined ? { ...diagnostic, severity: 'info' } : diagnostic)
    }
  }
  return diagnostics
}

/** Returns whether the check is between the call and the read, or concerns a part of the value (offset 0). */
function isBetween(at: number, call: Span, read: Span): boolean {
  return at === 0 || (at >= call.end && at <= read.start)
}

function isGuardedPage({ unit: { settings } }: SiteTemplate): boolean {
  return settings.kind === 'page' && settings.authorizationPolicies.length > 0
}

/** Matches calls that admit only users. */
const USER_CHECK = /authoriz|authenticat|can_do|signed|logged|sign_in|current_profile|require|guard|polic/i

const userReads = derived(({ context }: TemplateNames) => context.filter(({ path }) => path[0] === 'current_user'))

/**
 * Reports pages without a policy that use the user's id and never check that there is a user. A read in a partial is reported only if such
 * a page certainly calls the partial and all of its calls are known.
 */
export function checkAnonymous({ siteTemplates, factsOf }: CheckedSite): readonly Diagnostic[] {
  const byKey = new Map(siteTemplates.map((siteTemplate) => [siteTemplate.key, siteTemplate]))
  const diagnostics = new Map<string, Diagnostic>()
  for (const siteTemplate of siteTemplates) {
    if (
      siteTemplate.unit.file.kind !== 'page' ||
      siteTemplate.inner !== null ||
      isGuardedPage(siteTemplate) ||
      checksUser(siteTemplate)
    )
      continue
    const span = neededId(siteTemplate) ?? neededIdInCallees(siteTemplate, byKey, factsOf)
    if (span === null) continue
    const { file } = siteTemplate.unit
    const key = `${span.file}:${span.start}`
    const page = span.file === file.path ? null : { file: file.path, start: 0, end: 0 }
    if (!diagnostics.has(key)) diagnostics.set(key, anonymousUser(span, page))
  }
  return [...diagnostics.values()]
}

/** Returns whether a template checks who the visitor is. */
function checksUser(siteTemplate: SiteTemplate): boolean {
  return (
    USER_CHECK.test(siteTemplate.unit.file.text) || userReads(namesOf(siteTemplate)).some(({ isGuarded }) => isGuarded)
  )
}

/** Returns the first place where a template needs the user's id; null if there is none. */
function neededId(siteTemplate: SiteTemplate): Span | null {
  return userReads(namesOf(siteTemplate)).find(({ path, isNeeded }) => path[1] === 'id' && isNeeded)?.spans[1] ?? null
}

/**
 * Returns the first place that needs the user's id, in the page or in the files that it calls. Null if there is none, if a callee may check
 * the user, or if some call is unknown.
 */
function neededIdInCallees(
  page: SiteTemplate,
  pieces: ReadonlyMap<string, SiteTemplate>,
  factsOf: (key: string) => UnitFacts | undefined,
): Span | null {
  const keys = new Set([page.key])
  let needed: Span | null = null
  for (const key of keys) {
    const siteTemplate = pieces.get(key)
    if (siteTemplate === undefined || (siteTemplate !== page && checksUser(siteTemplate))) return null
    needed ??= neededId(siteTemplate)
    for (const { kind, open, targets } of factsOf(key)?.calls ?? []) {
      if (open || targets === null) return null
      if (kind !== 'background') for (const target of targets) keys.add(target)
    }
  }
  return needed
}
