/** Reads of the visitor's request in code that runs only outside of requests. */
import { absentInJobs } from '../../../core/diagnostics/codes/calls/absent-in-jobs.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived } from '../../../core/model/derived.ts'
import { shareList } from '../../../core/model/shared-values.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { isBlock } from '../../../core/model/unit.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { absentKinds } from '../../../language/types/context.ts'
import type { OutgoingCall, UnitFacts } from './facts.ts'
import type { Piece } from '../piece.ts'

export interface JobRules {
  readonly site: Site
  readonly pieces: readonly Piece[]
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly reach: { readonly reached: ReadonlySet<string> }
  readonly factsOf: (piece: Piece) => UnitFacts | null
}

type Nodes = Readonly<Record<EntryPoint, ReadonlySet<string>>>
type EntryPoint = 'request' | 'job' | 'notification' | 'migration'

const OUTSIDE_REQUEST = ['job', 'notification', 'migration'] as const satisfies readonly EntryPoint[]

const NOTIFICATIONS: ReadonlySet<FileKind> = new Set(['email', 'sms', 'api_call'])

/** By what can be reached in a site. */
const known = new WeakMap<ReadonlySet<string>, Nodes>()

/** Files that may also run in a request are not reported: there the value exists. */
export function* checkRequestReads(rules: JobRules): Steps<readonly Diagnostic[]> {
  const { site, pieces, reach, factsOf } = rules
  if (site.dialect !== 'platform' || site.openEntries) return []
  // Found once for as long as no template calls anything else: it is reached by the same calls then.
  const nodes = known.get(reach.reached) ?? (yield* nodesByEntryPoint(rules))
  known.set(reach.reached, nodes)
  const diagnostics: Diagnostic[] = []
  yield* forEachInSteps(pieces, (piece) => {
    const facts = factsOf(piece)
    const node = nodeOf(piece)
    if (facts === null || !reach.reached.has(piece.unit.file.path) || nodes.request.has(node)) return
    const outside = OUTSIDE_REQUEST.filter((entryPoint) => nodes[entryPoint].has(node))
    const [first] = outside
    if (first === undefined) return
    const toldEntryPoint = isCallback(piece) ? 'callback' : first
    for (const [part, span] of facts.requestReads) {
      const absent = absentKinds(part)
      // An included file reads it by an old name: one that runs also where the value is.
      const isShared = span.file !== piece.unit.file.path && nodes.request.has(span.file)
      if (outside.every((entryPoint) => absent.includes(entryPoint)) && !isShared)
        diagnostics.push(absentInJobs(span, part, toldEntryPoint))
    }
    const session = facts.ports.get('sessions')
    if (session !== undefined) diagnostics.push(absentInJobs(session, null, toldEntryPoint))
  })
  return diagnostics
}

/** Whether the template is a form's asynchronous callback, to which nothing can be passed. */
function isCallback({ unit, inner }: Piece): boolean {
  return unit.file.kind === 'form' && inner?.startsWith('asyncCallbackActions') === true && !isBlock(inner)
}

/** Templates that run together have one node: those of a file and of its settings. What runs later has a node of its own. */
function nodeOf(piece: Piece): string {
  return isBlock(piece.inner) || isCallback(piece) ? piece.key : piece.unit.file.path
}

/** Files that a template calls. */
interface Called {
  /** There and then; null for any partial. */
  readonly now: readonly string[] | null
  /** Those that the call means for certain. */
  readonly surelyNow: readonly string[]
  /** The same of jobs. */
  readonly surelyLater: readonly string[]
}

const calledBy = derived(({ calls }: UnitFacts): Called => {
  const [later, now] = [true, false].map((each) => calls.filter(({ kind }) => (kind === 'background') === each))
  const sure = (some: readonly OutgoingCall[] = []) =>
    some.flatMap(({ open, targets }) => (open ? [] : (targets ?? [])))
  const isAny = now?.some(({ targets }) => targets === null) === true
  return {
    now: isAny ? null : shareList(now?.flatMap(({ targets }) => targets ?? []) ?? []),
    surelyNow: shareList(sure(now)),
    surelyLater: shareList(sure(later)),
  }
})

const NONE: readonly never[] = []

/** The nodes that may run in a request, and those that surely run elsewhere. A computed name may mean any partial. */
function* nodesByEntryPoint({ site, pieces, roots, reach, factsOf }: JobRules): Steps<Nodes> {
  const partials = [...new Set([...site.partials.values()].map((unit) => unit.file.path))]
  const byNode = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const node = nodeOf(piece)
    const own = byNode.get(node)
    if (own === undefined) byNode.set(node, [piece])
    else own.push(piece)
  }
  yield
  const called = (piece: Piece, which: keyof Called): readonly string[] => {
    const facts = factsOf(piece)
    return facts === null ? NONE : (calledBy(facts)[which] ?? partials)
  }

  const byEntryPoint: Readonly<Record<EntryPoint, Set<string>>> = {
    request: new Set(),
    job: new Set(),
    notification: new Set(),
    migration: new Set(),
  }
  const ofPages = site.computedLayouts.size > 0 ? site.layoutKeys : site.pageLayouts
  const layouts = new Set([...ofPages.values()].map(({ file }) => file.path))
  for (const root of roots) {
    const kind = site.byFile.get(root)?.file.kind
    // A layout that only mails have is none of a page.
    const isSent = kind !== undefined && (NOTIFICATIONS.has(kind) || (kind === 'layout' && !layouts.has(root)))
    byEntryPoint[kind === 'migration' ? 'migration' : isSent ? 'notification' : 'request'].add(root)
  }
  yield* forEachInSteps(pieces, (piece) => {
    if (!reach.reached.has(piece.unit.file.path)) return
    if (isCallback(piece)) byEntryPoint.job.add(piece.key)
    for (const target of called(piece, 'surelyLater')) byEntryPoint.job.add(target)
  })
  for (const nodes of Object.values(byEntryPoint)) {
    const which = nodes === byEntryPoint.request ? 'now' : 'surelyNow'
    yield* forEachInSteps(nodes, (node) => {
      for (const piece of byNode.get(node) ?? NONE) for (const target of called(piece, which)) nodes.add(target)
    })
  }
  return byEntryPoint
}
