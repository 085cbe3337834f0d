/** `if` and `unless`: run the first branch whose condition is true. */
import type { TagDocs } from '../../core/model/reference.ts'
import { constantCondition } from '../../core/diagnostics/codes/values/constant-condition.ts'
import { type Expression, type TagNode, unfiltered } from '../../core/tree/ast.ts'
import { branch as branching, type Code, not, when } from '../../core/model/code.ts'
import type { Span } from '../../core/source/span.ts'
import type { Grammar } from '../syntax/grammar.ts'
import { type AnyTag, type CheckKit, type EmitKit, tag } from './tag.ts'

type Condition = { condition: Expression }

const DOCS: Readonly<Record<'if' | 'unless', TagDocs>> = {
  if: {
    description:
      'Runs the first branch whose condition is true. nil and `false` are false; all other values are true. `and` and `or` join conditions and are evaluated from right to left.',
    forms: ['{% if condition %}…{% elsif condition %}…{% else %}…{% endif %}'],
    examples: [
      {
        template: '{% assign count = 2 %}{% if count > 10 %}many{% elsif count > 1 %}some{% else %}few{% endif %}',
        prints: 'some',
      },
    ],
  },
  unless: {
    description: 'Works like `if` with the first condition negated.',
    forms: ['{% unless condition %}…{% elsif condition %}…{% else %}…{% endunless %}'],
    examples: [{ template: '{% assign stock = 0 %}{% unless stock > 0 %}sold out{% endunless %}', prints: 'sold out' }],
  },
}

export const if_ = conditional('if')
export const unless = conditional('unless')

function conditional(name: 'if' | 'unless'): AnyTag {
  return tag<Condition, Condition | null>({
    name,
    usage: `{% ${name} condition %}…{% end${name} %}`,
    docs: DOCS[name],
    shape: 'block',
    blank: 'body',
    leftover: 'error',
    branches: { elsif: condition, else: () => null },
    grammar: condition,
    check: (node, kit) => check(node, kit, name === 'unless'),
    emit: (node, kit) => emit(node, kit, name === 'unless'),
  })
}

function condition($: Grammar): Condition {
  return { condition: $.sub(0, $.condition, false) }
}

/** Returns the branches up to the first `else`. Branches after it are parsed but never run. */
function reachableBranches(
  node: TagNode<Condition, Condition | null>,
): TagNode<Condition, Condition | null>['branches'] {
  const elseIndex = node.branches.findIndex((branch) => branch.name === 'else')
  return elseIndex < 0 ? node.branches : node.branches.slice(0, elseIndex + 1)
}

function check(node: TagNode<Condition, Condition | null>, kit: CheckKit, negated: boolean): void {
  const branches = reachableBranches(node)
  if (kit.reports) checkRepeated([negated ? null : node.markup, ...branches.map(({ markup }) => markup)], kit)
  kit.branches(
    [
      { condition: node.markup.condition, negated, run: () => kit.body(node.body) },
      ...branches.map((branch) => ({ condition: branch.markup?.condition ?? null, run: () => kit.body(branch.body) })),
    ],
    branches.at(-1)?.name === 'else',
  )
}

/** Reports each condition that is true only if an earlier one is true too. No code runs between them, so the values do not change. */
function checkRepeated(branches: readonly (Condition | null)[], kit: CheckKit): void {
  // Most tags have only one branch.
  if (branches.length === 1) return
  const seenConditions = new Map<string, Span>()
  for (const branch of branches) {
    if (branch === null) continue
    const { span } = branch.condition
    const texts = alternatives(branch.condition).map((each) => kit.source(each.span))
    // An interpolated string can have a different value each time.
    if (texts.some((text) => text.includes('{{'))) continue
    const firstSpan = seenConditions.get(texts.find((text) => !seenConditions.has(text)) ?? texts[0] ?? '')
    if (firstSpan !== undefined)
      kit.report(constantCondition(span, false, 'an earlier branch already covers it', null, firstSpan))
    for (const text of texts) if (!seenConditions.has(text)) seenConditions.set(text, span)
  }
}

/** Returns the conditions that are joined with `or`. */
function alternatives(condition: Expression): readonly Expression[] {
  const withoutFilters = unfiltered(condition)
  return withoutFilters.kind === 'logical' && withoutFilters.operator === 'or'
    ? [withoutFilters.left, ...alternatives(withoutFilters.right)]
    : [condition]
}

function emit(node: TagNode<Condition, Condition | null>, kit: EmitKit, negated: boolean): void {
  const branches = reachableBranches(node)
  const conditions = [
    node.markup.condition,
    ...branches.flatMap((branch) => (branch.markup === null ? [] : [branch.markup.condition])),
  ]
  kit.guard(kit.guards(...conditions), node.span, () => {
    const condition = kit.condition(node.markup.condition)
    const toBranch = (test: Code | null, { body, span }: Pick<TagNode, 'body' | 'span'>) =>
      branching(
        test,
        kit.branch(() => kit.body(body)),
        span,
      )
    const first = toBranch(negated ? not(condition) : condition, node)
    const otherBranches = branches.map((each) => toBranch(each.markup && kit.condition(each.markup.condition), each))
    kit.add(when(first, ...otherBranches))
  })
}
