/** Follows the response that a template sets: its redirect and its status, on each path. */
import type { Node, TagNode } from '../../../core/tree/ast.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Span } from '../../../core/source/span.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { derived } from '../../../core/model/derived.ts'

/** The state of the response at a place in the template. */
interface AnswerState {
  /** The last tag that set the response; null for none. */
  readonly answer: TagNode | null
  readonly redirect: Span | null
  /** The response was set before an enclosing block, whose condition may exclude that case. */
  readonly isOuter: boolean
  /** The place is unreachable. */
  readonly isDead: boolean
}

type Visit = (node: TagNode, state: AnswerState) => void

const NONE: AnswerState = { answer: null, redirect: null, isOuter: false, isDead: false }
/** Tags of which exactly one branch runs if they have an `else`. */
const CHOICE_TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'case'])
const END_TAGS: ReadonlySet<string> = new Set(['break', 'return', 'continue'])

const hasAnswer = derived(({ text }: SourceFile) => /redirect_to|response_status/.test(text))

/**
 * Calls `visit` for each reachable tag of the templates that set the response, with the state before the tag. `visit` is made for each
 * template. Skips settings and `background` blocks.
 */
export function* walkAnswers(
  siteTemplates: readonly SiteTemplate[],
  createVisit: (siteTemplate: SiteTemplate) => Visit,
): Steps<void> {
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    const { inner, unit, template } = siteTemplate
    if (inner === null && hasAnswer(unit.file)) walkNodes(template.nodes, NONE, createVisit(siteTemplate))
  })
}

/** Returns whether a tag sets the response. */
export function isAnswer({ name }: TagNode): boolean {
  return name === 'redirect_to' || name === 'response_status'
}

function walkNodes(nodes: readonly Node[], initialState: AnswerState, visit: Visit): AnswerState {
  let state = initialState
  for (const node of nodes) {
    if (state.isDead) break
    if (node.kind === 'tag') state = walkTag(node, state, visit)
  }
  return state
}

function walkTag(node: TagNode, state: AnswerState, visit: Visit): AnswerState {
  const { name, span } = node
  if (END_TAGS.has(name)) return { ...state, isDead: true }
  visit(node, state)
  if (isAnswer(node))
    return { ...state, answer: node, redirect: name === 'redirect_to' ? span : state.redirect, isOuter: false }
  if (name === 'background' || (node.body.length === 0 && node.branches.length === 0)) return state
  return walkBlock(node, state, visit)
}

function walkBlock(node: TagNode, state: AnswerState, visit: Visit): AnswerState {
  const isChoice = CHOICE_TAGS.has(node.name)
  const alwaysRuns = !isChoice && node.name !== 'for' && node.name !== 'tablerow'
  const inner: AnswerState = { ...state, isOuter: state.isOuter || (state.answer !== null && !alwaysRuns) }
  const bodies = [node.body, ...node.branches.map(({ body }) => body)].filter(
    (body, at) => at > 0 || body.length > 0 || isChoice,
  )
  const endStates = bodies.map((body) => walkNodes(body, inner, visit))
  const isExhaustive = isChoice && node.branches.at(-1)?.name === 'else'
  const liveStates = endStates.filter(({ isDead }) => !isDead)
  // If one of the bodies always runs and all of them end the template, the rest is unreachable.
  if (liveStates.length === 0 && (isExhaustive || alwaysRuns)) return { ...state, isDead: true }
  const changedState = liveStates.find(({ answer }) => answer !== state.answer)
  const redirect = liveStates.find(({ redirect }) => redirect !== null)?.redirect ?? null
  return changedState === undefined ? state : { answer: changedState.answer, redirect, isOuter: false, isDead: false }
}
