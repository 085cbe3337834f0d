/** `redirect_to`: responds with a redirect. The render continues. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import { argumentCode, writeEffect } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { status: { takes: 'number', from: 300, to: 399 } }

export const redirect_to = tag<{ target: Expression; arguments: readonly NamedArgument[] }>({
  name: 'redirect_to',
  usage: "{% redirect_to '/path', status: 302 %}",
  docs: {
    description: 'Responds with a redirect. The file continues to run; add `return` to end it.',
    arguments: { status: 'The status, from 300 to 399. The default is 302.' },
    examples: [
      {
        template: "{% redirect_to '/sign-in', status: 307 %}{% return %}",
        prints: '',
        status: 307,
        headers: { location: '/sign-in' },
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ target: $.sub(0, $.plainValue), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.target)
    kit.note({ kind: 'link', path: node.markup.target })
    readOptions('redirect_to', node.markup.arguments, OPTIONS, kit, node.span)
  },
  emit(node, kit) {
    const { target, arguments: args } = node.markup
    writeEffect(node.span, kit, () =>
      invoke(kit.use('redirectTo'), kit.render, kit.value(target), argumentCode(args, 'status', kit)),
    )
  },
})
