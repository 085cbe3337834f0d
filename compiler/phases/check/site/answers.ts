/** Follows the response that a template sets: its redirect and its status, on each path. */
import type { Node, TagNode } from '../../../core/tree/ast.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import type { Span } from '../../../core/source/span.ts'
import { derived } from '../../../core/model/derived.ts'
import { plain } from '../../../core/model/codec.ts'
import { NO_SOURCES } from '../../../core/model/memo.ts'
import { unitStamp } from '../../../core/model/stamps.ts'
import type { CheckedSite } from './site-rule.ts'

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

/** A tag, by its name. */
type Tag = Pick<TagNode, 'name' | 'span'>

/** A tag that a template may run after its response was set, on the same path. */
export interface TagAfterAnswer {
  readonly tag: Tag
  /** The tag that set the response last. */
  readonly answer: Tag
  readonly redirect: Span | null
}

type Visit = (node: TagNode, state: AnswerState) => void

const NONE: AnswerState = { answer: null, redirect: null, isOuter: false, isDead: false }
/** Tags of which exactly one branch runs if they have an `else`. */
const CHOICE_TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'case'])
const END_TAGS: ReadonlySet<string> = new Set(['break', 'return', 'continue'])

const hasAnswer = derived(({ text }: SourceFile) => /redirect_to|response_status/.test(text))

/**
 * Calls `visit` for each template that sets the response, with the tags that may run after that. Skips settings and `background` blocks.
 */
export function forEachAnswer(
  { site, siteTemplates, memo }: CheckedSite,
  visit: (siteTemplate: SiteTemplate, tags: readonly TagAfterAnswer[]) => void,
): void {
  for (const siteTemplate of siteTemplates) {
    const { key, inner, unit, template } = siteTemplate
    if (inner !== null || !hasAnswer(unit.file)) continue
    const tags = memo.query({
      name: 'tags after answers',
      key,
      inputs: () => [unitStamp(unit, site.config)],
      sources: NO_SOURCES,
      codec: plain<readonly TagAfterAnswer[]>,
      make: () => tagsAfterAnswers(template.nodes),
    })
    visit(siteTemplate, tags)
  }
}

function tagsAfterAnswers(nodes: readonly Node[]): readonly TagAfterAnswer[] {
  const tags: TagAfterAnswer[] = []
  const part = ({ name, span }: TagNode): Tag => ({ name, span })
  walkNodes(nodes, NONE, (node, { answer, redirect, isOuter }) => {
    if (answer !== null && !isOuter) tags.push({ tag: part(node), answer: part(answer), redirect })
  })
  return tags
}

/** Returns whether a tag sets the response. */
export function isAnswer({ name }: Tag): boolean {
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
