/** Reports reads of the visitor's request in code that runs only outside of requests. */
import { absentInJobs } from '../rules/calls/absent-in-jobs.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived } from '../../../core/model/derived.ts'
import { shareList } from '../../../core/model/shared-values.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { isBlock } from '../../../core/model/unit.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { absentKinds } from '../../../language/types/context.ts'
import type { OutgoingCall, UnitFacts } from '../walk/facts.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

export interface JobRules {
  readonly site: Site
  readonly siteTemplates: readonly SiteTemplate[]
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly reach: { readonly reached: ReadonlySet<string> }
  readonly factsOf: (key: string) => UnitFacts | undefined
}

type NodesByEntryPoint = Readonly<Record<EntryPoint, ReadonlySet<string>>>
type EntryPoint = 'request' | 'job' | 'notification' | 'migration'

const OUTSIDE_REQUEST = ['job', 'notification', 'migration'] as const satisfies readonly EntryPoint[]

const NOTIFICATIONS: ReadonlySet<FileKind> = new Set(['email', 'sms', 'api_call'])

/** The cached nodes, by the set of reachable files of a site. */
const nodesCache = new WeakMap<ReadonlySet<string>, NodesByEntryPoint>()

/** Reports reads of request values in files that never run in a request, where the values do not exist. */
export function* checkRequestReads(rules: JobRules): Steps<readonly Diagnostic[]> {
  const { site, siteTemplates, reach, factsOf } = rules
  if (site.dialect !== 'platform' || site.openEntries) return []
  // Cached until the reachable files change, because they and the nodes follow from the same calls.
  const nodes = nodesCache.get(reach.reached) ?? (yield* nodesByEntryPoint(rules))
  nodesCache.set(reach.reached, nodes)
  const diagnostics: Diagnostic[] = []
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    const facts = factsOf(siteTemplate.key)
    const node = nodeOf(siteTemplate)
    if (facts === undefined || !reach.reached.has(siteTemplate.unit.file.path) || nodes.request.has(node)) return
    const entryPoints = OUTSIDE_REQUEST.filter((entryPoint) => nodes[entryPoint].has(node))
    const [first] = entryPoints
    if (first === undefined) return
    const reportedEntryPoint = isCallback(siteTemplate) ? 'callback' : first
    for (const [part, span] of facts.requestReads) {
      const absent = absentKinds(part)
      // The read is in an included file, which may also run in a request.
      const isShared = span.file !== siteTemplate.unit.file.path && nodes.request.has(span.file)
      if (entryPoints.every((entryPoint) => absent.includes(entryPoint)) && !isShared)
        diagnostics.push(absentInJobs(span, part, reportedEntryPoint))
    }
    const session = facts.ports.get('sessions')
    if (session !== undefined) diagnostics.push(absentInJobs(session, null, reportedEntryPoint))
  })
  return diagnostics
}

/** Returns whether the template is an asynchronous callback of a form, which takes no arguments. */
function isCallback({ unit, inner }: SiteTemplate): boolean {
  return unit.file.kind === 'form' && inner?.startsWith('asyncCallbackActions') === true && !isBlock(inner)
}

/** Returns the node of a template. A file and its settings share a node, because they run together. Each job has its own node. */
function nodeOf(siteTemplate: SiteTemplate): string {
  return isBlock(siteTemplate.inner) || isCallback(siteTemplate) ? siteTemplate.key : siteTemplate.unit.file.path
}

/** The files that a template calls. */
interface CallTargets {
  /** Targets of immediate calls; null if a call may run any partial. */
  readonly now: readonly string[] | null
  /** Definite targets of immediate calls. */
  readonly surelyNow: readonly string[]
  /** Definite targets of jobs. */
  readonly surelyLater: readonly string[]
}

const callTargets = derived(({ calls }: UnitFacts): CallTargets => {
  const [later, now] = [true, false].map((each) => calls.filter(({ kind }) => (kind === 'background') === each))
  const definiteTargets = (some: readonly OutgoingCall[] = []) =>
    some.flatMap(({ open, targets }) => (open ? [] : (targets ?? [])))
  const isAny = now?.some(({ targets }) => targets === null) === true
  return {
    now: isAny ? null : shareList(now?.flatMap(({ targets }) => targets ?? []) ?? []),
    surelyNow: shareList(definiteTargets(now)),
    surelyLater: shareList(definiteTargets(later)),
  }
})

const NONE: readonly never[] = []

/**
 * Collects the nodes that may run in a request, and those that definitely run elsewhere. A call with a computed name may run any partial.
 */
function* nodesByEntryPoint({ site, siteTemplates, roots, reach, factsOf }: JobRules): Steps<NodesByEntryPoint> {
  const partials = [...new Set([...site.partials.values()].map((unit) => unit.file.path))]
  const byNode = new Map<string, SiteTemplate[]>()
  for (const siteTemplate of siteTemplates) {
    const node = nodeOf(siteTemplate)
    const own = byNode.get(node)
    if (own === undefined) byNode.set(node, [siteTemplate])
    else own.push(siteTemplate)
  }
  yield
  const findTargets = (siteTemplate: SiteTemplate, which: keyof CallTargets): readonly string[] => {
    const facts = factsOf(siteTemplate.key)
    return facts === undefined ? NONE : (callTargets(facts)[which] ?? partials)
  }

  const byEntryPoint: Readonly<Record<EntryPoint, Set<string>>> = {
    request: new Set(),
    job: new Set(),
    notification: new Set(),
    migration: new Set(),
  }
  const pageLayouts = site.computedLayouts.size > 0 ? site.layoutKeys : site.pageLayouts
  const layouts = new Set([...pageLayouts.values()].map(({ file }) => file.path))
  for (const root of roots) {
    const kind = site.byFile.get(root)?.file.kind
    // A layout that only emails use does not run in a request.
    const isNotification = kind !== undefined && (NOTIFICATIONS.has(kind) || (kind === 'layout' && !layouts.has(root)))
    byEntryPoint[kind === 'migration' ? 'migration' : isNotification ? 'notification' : 'request'].add(root)
  }
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    if (!reach.reached.has(siteTemplate.unit.file.path)) return
    if (isCallback(siteTemplate)) byEntryPoint.job.add(siteTemplate.key)
    for (const target of findTargets(siteTemplate, 'surelyLater')) byEntryPoint.job.add(target)
  })
  for (const nodes of Object.values(byEntryPoint)) {
    const which = nodes === byEntryPoint.request ? 'now' : 'surelyNow'
    yield* forEachInSteps(nodes, (node) => {
      for (const siteTemplate of byNode.get(node) ?? NONE)
        for (const target of findTargets(siteTemplate, which)) nodes.add(target)
    })
  }
  return byEntryPoint
}
