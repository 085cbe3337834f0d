/** `anonymous-user`: a page uses the current user, but visitors who are not signed in can open it. */
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import { type TemplateNames, namesOf } from '../../site/template-names.ts'
import type { UnitFacts } from '../../walk/facts.ts'
import { derived } from '../../../../core/model/derived.ts'
import { isGuardedPage } from '../../site/reach.ts'

export const anonymousUser = message(
  'anonymous-user',
  'warning',
  'AnonymousUser',
  /** `page`: the page that calls this file, if this is a partial. */
  (page: Span | null) => ({
    text: `\`context.current_user\` is nil for visitors who are not signed in, and ${page === null ? 'this page' : 'a page that calls this file'} does not check for it.`,
    hint: 'Add a policy to the front matter (`authorization_policies: [signed_in]`), or check with `{% if context.current_user %}`.',
    related: relatedAt(page, 'this page is open to everyone'),
  }),
  {
    wrong: '{{ context.current_user.id | plus: 1 }}',
    right: '{% if context.current_user %}{{ context.current_user.id | plus: 1 }}{% endif %}',
  },
)

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
const checksUser = derived(
  (siteTemplate: SiteTemplate): boolean =>
    USER_CHECK.test(siteTemplate.unit.file.text) || userReads(namesOf(siteTemplate)).some(({ isGuarded }) => isGuarded),
)

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
