/**
 * `case`: runs the body of every `when` value that equals the subject, once per matching value. `else` runs if none matched before it.
 */
import { overlappingWhen } from '../../core/diagnostics/codes/values/overlapping-when.ts'
import type { Branch, Expression } from '../../core/tree/ast.ts'
import {
  assign,
  binary,
  branch as branching,
  FALSE,
  ident,
  not,
  TRUE,
  variable,
  when as choose,
} from '../../core/model/code.ts'
import type { Span } from '../../core/source/span.ts'
import type { Grammar } from '../syntax/grammar.ts'
import * as T from '../syntax/tokens.ts'
import { type CheckKit, tag, type ConditionalBranch } from './tag.ts'

type When = { values: Expression[] }

export const case_ = tag<{ subject: Expression }, When | null>({
  name: 'case',
  usage: "{% case value %}{% when 'a', 'b' %}…{% endcase %}",
  docs: {
    description:
      'Runs the body of every `when` that has a value equal to the subject. `else` runs if no `when` before it matched.',
    forms: ['{% case value %}{% when 1 or 2 %}…{% else %}…{% endcase %}'],
    examples: [
      {
        template:
          "{% assign state = 'paid' %}\n{% case state %}{% when 'new' %}Pay now{% when 'paid', 'sent' %}Thank you{% else %}Unknown{% endcase %}",
        prints: 'Thank you',
      },
    ],
  },
  shape: 'block',
  blank: 'body',
  branches: { when, else: () => null },
  grammar: ($) => ({ subject: $.sub(0, $.plainValue) }),
  check(node, kit) {
    kit.read(node.markup.subject)
    if (kit.reports) checkOverlap(node.branches, kit)
    const branches = node.branches.map(
      (branch): ConditionalBranch => ({
        condition: null,
        run: () => {
          for (const value of branch.markup?.values ?? []) kit.read(value)
          kit.body(branch.body)
        },
      }),
    )
    if (areExclusive(node.branches.map((branch) => branch.markup)))
      kit.branches(branches, node.branches.at(-1)?.markup === null)
    // More than one body may run, so the branches do not exclude each other.
    else for (const way of branches) kit.branches([way], false)
  },
  emit(node, kit) {
    // Text between `case` and the first `when` is dropped.
    const branches = node.branches
    if (branches.length === 0) return
    const comparedValues = [node.markup.subject, ...branches.flatMap((branch) => branch.markup?.values ?? [])]
    kit.guard(kit.guards(...comparedValues), node.span, () => {
      const subject = kit.keep('subject', kit.value(node.markup.subject), node.span)
      const isExclusive = areExclusive(branches.map((branch) => branch.markup))
      const tests = (when: When) => when.values.map((value) => kit.equals(subject, node.markup.subject, value))
      if (isExclusive) {
        // At most one value matches, so the branches are emitted as `else if`.
        const [first, ...others] = branches.map(({ markup, body, span }) => {
          const matches = markup === null ? null : tests(markup).reduce((left, right) => binary(left, '||', right))
          return branching(
            matches,
            kit.branch(() => kit.body(body)),
            span,
          )
        })
        if (first !== undefined) kit.add(choose(first, ...others))
        return
      }
      const tracksMatch = branches.some((branch, at) => at > 0 && branch.markup === null)
      const matched = tracksMatch ? kit.fresh('matched') : null
      if (matched !== null) kit.add(variable(matched, FALSE, node.span))
      for (const [at, { markup, body, span }] of branches.entries()) {
        if (markup === null && at === 0) {
          kit.body(body)
          continue
        }
        const write = () => {
          if (matched !== null && markup !== null) kit.add(assign(ident(matched), TRUE, span))
          kit.body(body)
        }
        const conditions = markup === null ? [not(ident(matched ?? ''))] : tests(markup)
        for (const condition of conditions) kit.add(choose(branching(condition, kit.branch(write), span)))
      }
    })
  },
})

function when($: Grammar): When {
  const values: Expression[] = []
  const firstExpression = $.sub(0, $.primary)
  $.act(() => values.push(firstExpression))
  $.repeat(0, () => {
    $.either<unknown>(0, [{ ALT: () => $.take(0, T.Comma) }, { ALT: () => $.take(0, T.Or) }])
    const next = $.sub(1, $.primary)
    $.act(() => values.push(next))
  })
  return { values }
}

/** Reports a literal value that occurs in several `when` tags, at the second tag. With three or more, it is probably intended. */
function checkOverlap(branches: readonly Branch<When | null>[], kit: CheckKit): void {
  const places = new Map<string, { readonly value: string; readonly spans: Span[] }>()
  for (const { markup } of branches) {
    for (const value of markup?.values ?? []) {
      if (value.kind !== 'literal' || (value.value.type !== 'string' && value.value.type !== 'integer')) continue
      const key = `${value.value.type}:${value.value.value}`
      const existing = places.get(key)
      if (existing === undefined) places.set(key, { value: String(value.value.value), spans: [value.span] })
      else existing.spans.push(value.span)
    }
  }
  for (const { value, spans } of places.values()) {
    const [firstSpan, second, third] = spans
    if (firstSpan === undefined || second === undefined) continue
    const diagnostic = overlappingWhen(second, value, firstSpan)
    kit.report(third === undefined ? diagnostic : { ...diagnostic, severity: 'info' })
  }
}

/** Returns whether no value can match twice: all values are different literal strings or integers, and `else` comes last. */
function areExclusive(branches: readonly (When | null)[]): boolean {
  const seen = new Set<string>()
  for (const [at, branch] of branches.entries()) {
    if (branch === null) {
      if (at !== branches.length - 1 || at === 0) return false
      continue
    }
    for (const value of branch.values) {
      if (value.kind !== 'literal' || (value.value.type !== 'string' && value.value.type !== 'integer')) return false
      const key = `${value.value.type}:${value.value.value}`
      if (seen.has(key)) return false
      seen.add(key)
    }
  }
  return true
}
