/** `redirect_to`: answers with a redirect. It does not stop the render. */
import type { Expression, NamedArgument } from '../model/ast.ts'
import { argument, readArguments } from './arguments.ts'
import { tag } from './tag.ts'

export const redirect_to = tag<{ target: Expression; arguments: readonly NamedArgument[] }>({
  name: 'redirect_to',
  usage: "{% redirect_to '/path', status: 302 %}",
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ target: $.sub(0, $.plainValue), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.target)
    kit.note({ kind: 'link', path: node.markup.target })
    readArguments(node.markup.arguments, kit)
  },
  emit(node, kit) {
    const status = argument(node.markup.arguments, 'status')
    kit.guard(true, node.span, () =>
      kit.statement(
        `${kit.use('redirectTo')}(r, ${kit.value(node.markup.target)}, ${status === undefined ? 'null' : kit.value(status)})`,
        node.span,
      ),
    )
  },
})
