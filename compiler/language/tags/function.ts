/** `function`: calls a partial and stores its return value. */
import type { Expression, NamedArgument, TagNode, WriteTarget } from '../../core/tree/ast.ts'
import * as T from '../syntax/tokens.ts'
import { type PartialCall, tag } from './tag.ts'

interface Markup {
  readonly target: WriteTarget
  readonly push: boolean
  readonly name: Expression
  readonly arguments: readonly NamedArgument[]
}

export const function_ = tag<Markup>({
  name: 'function',
  aliases: ['function_rc'],
  usage: "{% function result = 'name', key: value %}",
  docs: {
    description:
      'Calls a partial and stores the value of its `return`, or nil without a `return`. The partial can read only its arguments and `context`. Its output is discarded.',
    forms: ["{% function list << 'name', key: value %}", "{% function hash['key'] = 'name' %}"],
    examples: [
      {
        template: "{% function price = 'with_tax', net: 100 %}{{ price }}",
        files: {
          'app/lib/with_tax.liquid': '{% assign gross = net | times: 119 | divided_by: 100 %}{% return gross %}',
        },
        prints: '119',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  leftover: 'warning',
  grammar: ($) => {
    const target = $.sub(0, $.target)
    const push = $.either<boolean>(0, [
      { ALT: () => $.sign(0, T.Assign, false) },
      { ALT: () => $.sign(0, T.Push, true) },
    ])
    const name = $.sub(0, $.primary)
    const args = $.sub(0, $.scannedArguments)
    return { target, push, name, arguments: args }
  },
  check(node, kit) {
    const type = kit.call(callOf(node), node)
    kit.write(node.markup.target, type, node.markup.push)
  },
  emit(node, kit) {
    kit.guard(true, node.span, () =>
      kit.store(node.markup.target, kit.valueCall(callOf(node), node), node.markup.push, node.span),
    )
  },
})

function callOf(node: TagNode<Markup>): PartialCall {
  return {
    kind: 'function',
    name: node.markup.name,
    arguments: node.markup.arguments,
    bindingClause: null,
    span: node.markup.name.span,
  }
}
