/** `sign_in`: starts a session for a user. */
import type { NamedArgument } from '../model/ast.ts'
import { argument } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { user_id: { takes: 'any' }, timeout_in_minutes: { takes: 'number' } }

export const sign_in = tag<{ arguments: readonly NamedArgument[] }>({
  name: 'sign_in',
  aliases: ['sign_in_rc'],
  usage: '{% sign_in user_id: user.id, timeout_in_minutes: 15 %}',
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    readOptions('sign_in', node.markup.arguments, OPTIONS, kit)
    kit.port('sessions')
  },
  emit(node, kit) {
    const user = argument(node.markup.arguments, 'user_id')
    const timeout = argument(node.markup.arguments, 'timeout_in_minutes')
    kit.guard(true, node.span, () =>
      kit.statement(
        `await ${kit.use('signIn')}(${kit.port('sessions', 'sign_in')}, ${user === undefined ? 'null' : kit.value(user)}, ${timeout === undefined ? 'null' : kit.value(timeout)})`,
        node.span,
      ),
    )
  },
})
