/**
 * Checks the response of a template: effects that run after a redirect, and responses that replace an earlier response on the same path.
 */
import { effectAfterRedirect } from '../rules/misleading/effect-after-redirect.ts'
import { secondAnswer } from '../rules/misleading/second-answer.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Node, TagNode } from '../../../core/tree/ast.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { Span } from '../../../core/source/span.ts'

interface Answer {
  readonly tag: string
  readonly span: Span
}

/** The state of the response at a place in the template. */
interface AnswerState {
  readonly answer: Answer | null
  readonly redirect: Span | null
  /** The response was set before an enclosing block, whose condition may exclude that case. */
  readonly isOuter: boolean
  /** The place is unreachable. */
  readonly isDead: boolean
}

const NONE: AnswerState = { answer: null, redirect: null, isOuter: false, isDead: false }
/** Tags of which exactly one branch runs if they have an `else`. */
const CHOICE_TAGS: ReadonlySet<string> = new Set(['if', 'unless', 'case'])
const END_TAGS: ReadonlySet<string> = new Set(['break', 'return', 'continue'])

/**
 * Reports effects after a redirect, and responses that replace an earlier one.
 * @param effectOf returns the name of the tag's change of data; null if it changes none
 */
export function checkAnswers(
  { template }: SiteTemplate,
  effectOf: (node: TagNode) => string | null,
): readonly Diagnostic[] {
  const walk = new AnswerWalk(effectOf)
  walk.walkNodes(template.nodes, NONE)
  return walk.diagnostics
}

class AnswerWalk {
  readonly diagnostics: Diagnostic[] = []
  readonly #effectOf: (node: TagNode) => string | null
  readonly #reportedRedirects = new Set<Span>()

  constructor(effectOf: (node: TagNode) => string | null) {
    this.#effectOf = effectOf
  }

  walkNodes(nodes: readonly Node[], initialState: AnswerState): AnswerState {
    let state = initialState
    for (const node of nodes) {
      if (state.isDead) break
      if (node.kind === 'tag') state = this.#walkTag(node, state)
    }
    return state
  }

  #walkTag(node: TagNode, state: AnswerState): AnswerState {
    const { name, span } = node
    if (END_TAGS.has(name)) return { ...state, isDead: true }
    if (name === 'redirect_to' || name === 'response_status') {
      if (state.answer !== null && !state.isOuter)
        this.diagnostics.push(secondAnswer(span, state.answer.tag, state.answer.span))
      const answer = { tag: name, span }
      return { ...state, answer, redirect: name === 'redirect_to' ? span : state.redirect, isOuter: false }
    }
    this.#checkEffect(node, state)
    if (name === 'background' || (node.body.length === 0 && node.branches.length === 0)) return state
    return this.#walkBlock(node, state)
  }

  #checkEffect(node: TagNode, { redirect, isOuter }: AnswerState): void {
    if (redirect === null || isOuter || this.#reportedRedirects.has(redirect)) return
    const effect = this.#effectOf(node)
    if (effect === null) return
    this.#reportedRedirects.add(redirect)
    this.diagnostics.push(effectAfterRedirect(node.span, effect, redirect))
  }

  #walkBlock(node: TagNode, state: AnswerState): AnswerState {
    const isChoice = CHOICE_TAGS.has(node.name)
    const alwaysRuns = !isChoice && node.name !== 'for' && node.name !== 'tablerow'
    const inner: AnswerState = { ...state, isOuter: state.isOuter || (state.answer !== null && !alwaysRuns) }
    const bodies = [node.body, ...node.branches.map(({ body }) => body)].filter(
      (body, at) => at > 0 || body.length > 0 || isChoice,
    )
    const endStates = bodies.map((body) => this.walkNodes(body, inner))
    const isExhaustive = isChoice && node.branches.at(-1)?.name === 'else'
    const liveStates = endStates.filter(({ isDead }) => !isDead)
    // If one of the bodies always runs and all of them end the template, the rest is unreachable.
    if (liveStates.length === 0 && (isExhaustive || alwaysRuns)) return { ...state, isDead: true }
    const changedState = liveStates.find(({ answer }) => answer !== state.answer)
    const redirect = liveStates.find(({ redirect }) => redirect !== null)?.redirect ?? null
    return changedState === undefined ? state : { answer: changedState.answer, redirect, isOuter: false, isDead: false }
  }
}
