/** `if` and `unless`: the first branch whose condition holds. */
import type { TagDocs } from '../model/reference.ts'
import type { Expression, TagNode } from '../model/ast.ts'
import { branch as branching, type Code, not, when } from '../model/code.ts'
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
  kit.ways(
    [
      { condition: node.markup.condition, negated, run: () => kit.body(node.body) },
      ...branches.map((branch) => ({ condition: branch.markup?.condition ?? null, run: () => kit.body(branch.body) })),
    ],
    branches.at(-1)?.name === 'else',
  )
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
