/** `function`: calls a partial for the value that it returns. */
import type { Expression, NamedArgument, TagNode, Target } from '../model/ast.ts'
import * as T from '../syntax/tokens.ts'
import { type PartialCall, tag } from './tag.ts'

interface Markup {
  readonly target: Target
  readonly push: boolean
  readonly name: Expression
  readonly arguments: readonly NamedArgument[]
}

export const function_ = tag<Markup>({
  name: 'function',
  aliases: ['function_rc'],
  usage: "{% function result = 'name', key: value %}",
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
    const args = $.sub(0, $.namedArguments)
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
    bound: null,
    span: node.markup.name.span,
  }
}
