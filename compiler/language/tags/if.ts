/** `if` and `unless`: the first branch whose condition holds. */
import type { TagDocs } from '../../core/model/reference.ts'
import { constantCondition } from '../../core/diagnostics/codes/values/constant-condition.ts'
import { type Expression, type TagNode, unfiltered } from '../../core/model/ast.ts'
import { branch as branching, type Code, not, when } from '../../core/model/code.ts'
import type { Span } from '../../core/source/span.ts'
import type { Grammar } from '../syntax/grammar.ts'
import { type AnyTag, type CheckKit, type EmitKit, tag } from './tag.ts'

type Condition = { condition: Expression }

const DOCS: Readonly<Record<'if' | 'unless', TagDocs>> = {
  if: {
    says: 'Prints the first branch whose condition holds. nil and `false` do not hold, everything else does. Conditions are joined by `and` and `or`, from right to left.',
    forms: ['{% if condition %}…{% elsif condition %}…{% else %}…{% endif %}'],
    examples: [
      {
        template: '{% assign count = 2 %}{% if count > 10 %}many{% elsif count > 1 %}some{% else %}few{% endif %}',
        prints: 'some',
      },
    ],
  },
  unless: {
    says: 'As `if` with its first condition turned round.',
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

/** Branches behind the first `else` are read and never run. */
function reachable(node: TagNode<Condition, Condition | null>): TagNode<Condition, Condition | null>['branches'] {
  const last = node.branches.findIndex((branch) => branch.name === 'else')
  return last < 0 ? node.branches : node.branches.slice(0, last + 1)
}

function check(node: TagNode<Condition, Condition | null>, kit: CheckKit, negated: boolean): void {
  const branches = reachable(node)
  checkRepeated([negated ? null : node.markup, ...branches.map(({ markup }) => markup)], kit)
  kit.ways(
    [
      { condition: node.markup.condition, negated, run: () => kit.body(node.body) },
      ...branches.map((branch) => ({ condition: branch.markup?.condition ?? null, run: () => kit.body(branch.body) })),
    ],
    branches.at(-1)?.name === 'else',
  )
}

/** Reports each condition that holds only where one before it does: nothing that runs between them changes a value. */
function checkRepeated(branches: readonly (Condition | null)[], kit: CheckKit): void {
  // Most have one branch.
  if (branches.length === 1) return
  const seen = new Map<string, Span>()
  for (const branch of branches) {
    if (branch === null) continue
    const { span } = branch.condition
    const texts = alternatives(branch.condition).map((each) => kit.source(each.span))
    // What is put together in a text may be another one each time.
    if (texts.some((text) => text.includes('{{'))) continue
    const first = seen.get(texts.find((text) => !seen.has(text)) ?? texts[0] ?? '')
    if (first !== undefined)
      kit.report(constantCondition(span, false, 'an earlier branch runs where it holds', null, first))
    for (const text of texts) if (!seen.has(text)) seen.set(text, span)
  }
}

/** The conditions of which one is enough. */
function alternatives(condition: Expression): readonly Expression[] {
  const bare = unfiltered(condition)
  return bare.kind === 'logical' && bare.operator === 'or' ? [bare.left, ...alternatives(bare.right)] : [condition]
}

function emit(node: TagNode<Condition, Condition | null>, kit: EmitKit, negated: boolean): void {
  const branches = reachable(node)
  const conditions = [
    node.markup.condition,
    ...branches.flatMap((branch) => (branch.markup === null ? [] : [branch.markup.condition])),
  ]
  kit.guard(kit.guards(...conditions), node.span, () => {
    const condition = kit.condition(node.markup.condition)
    const way = (test: Code | null, { body, span }: Pick<TagNode, 'body' | 'span'>) =>
      branching(
        test,
        kit.branch(() => kit.body(body)),
        span,
      )
    const first = way(negated ? not(condition) : condition, node)
    const others = branches.map((each) => way(each.markup && kit.condition(each.markup.condition), each))
    kit.add(when(first, ...others))
  })
}
