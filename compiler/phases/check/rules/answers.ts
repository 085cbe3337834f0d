/** How a template answers: what still runs behind a redirect, and answers that replace each other on one way. */
import { effectAfterRedirect } from '../../../core/diagnostics/codes/misleading/effect-after-redirect.ts'
import { secondAnswer } from '../../../core/diagnostics/codes/misleading/second-answer.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Node, TagNode } from '../../../core/model/ast.ts'
import type { Piece } from '../piece.ts'
import type { Span } from '../../../core/source/span.ts'

interface Answer {
  readonly tag: string
  readonly span: Span
}

/** What is known at a place. */
interface AnswerState {
  readonly answer: Answer | null
  readonly redirect: Span | null
  /** The answer was given around the block that the place is in, where a condition may say otherwise. */
  readonly outer: boolean
  /** Nothing runs here. */
  readonly dead: boolean
}

const NONE: AnswerState = { answer: null, redirect: null, outer: false, dead: false }
/** Tags of which one way is surely taken where they have an `else`. */
const CHOICES: ReadonlySet<string> = new Set(['if', 'unless', 'case'])
const ENDS: ReadonlySet<string> = new Set(['break', 'return', 'continue'])

/** `effectOf` names the change of data that a tag makes, or gives null. */
export function checkAnswers({ template }: Piece, effectOf: (node: TagNode) => string | null): readonly Diagnostic[] {
  const walk = new AnswerWalk(effectOf)
  walk.body(template.nodes, NONE)
  return walk.diagnostics
}

class AnswerWalk {
  readonly diagnostics: Diagnostic[] = []
  readonly #effectOf: (node: TagNode) => string | null
  readonly #told = new Set<Span>()

  constructor(effectOf: (node: TagNode) => string | null) {
    this.#effectOf = effectOf
  }

  body(nodes: readonly Node[], before: AnswerState): AnswerState {
    let state = before
    for (const node of nodes) {
      if (state.dead) break
      if (node.kind === 'tag') state = this.#tag(node, state)
    }
    return state
  }

  #tag(node: TagNode, state: AnswerState): AnswerState {
    const { name, span } = node
    if (ENDS.has(name)) return { ...state, dead: true }
    if (name === 'redirect_to' || name === 'response_status') {
      if (state.answer !== null && !state.outer)
        this.diagnostics.push(secondAnswer(span, state.answer.tag, state.answer.span))
      const answer = { tag: name, span }
      return { ...state, answer, redirect: name === 'redirect_to' ? span : state.redirect, outer: false }
    }
    this.#effect(node, state)
    if (name === 'background' || (node.body.length === 0 && node.branches.length === 0)) return state
    return this.#block(node, state)
  }

  #effect(node: TagNode, { redirect, outer }: AnswerState): void {
    if (redirect === null || outer || this.#told.has(redirect)) return
    const effect = this.#effectOf(node)
    if (effect === null) return
    this.#told.add(redirect)
    this.diagnostics.push(effectAfterRedirect(node.span, effect, redirect))
  }

  #block(node: TagNode, state: AnswerState): AnswerState {
    const isChoice = CHOICES.has(node.name)
    const isSure = !isChoice && node.name !== 'for' && node.name !== 'tablerow'
    const inner: AnswerState = { ...state, outer: state.outer || (state.answer !== null && !isSure) }
    const ways = [node.body, ...node.branches.map(({ body }) => body)].filter(
      (body, at) => at > 0 || body.length > 0 || isChoice,
    )
    const ends = ways.map((body) => this.body(body, inner))
    const isExhaustive = isChoice && node.branches.at(-1)?.name === 'else'
    const live = ends.filter(({ dead }) => !dead)
    // A tag without choices runs its body, unless that ends what is around it.
    if (live.length === 0 && (isExhaustive || isSure)) return { ...state, dead: true }
    const fresh = live.find(({ answer }) => answer !== state.answer)
    const redirected = live.find(({ redirect }) => redirect !== null)?.redirect ?? null
    return fresh === undefined ? state : { answer: fresh.answer, redirect: redirected, outer: false, dead: false }
  }
}
