/** `transaction`: all database work of its body happens or none. `rollback` inside undoes it and goes on behind the block. */
import type { NamedArgument } from '../model/ast.ts'
import { argument } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { timeout: { takes: 'number' }, force_custom_plan: { takes: 'any' } }

export const transaction = tag<{ arguments: readonly NamedArgument[] }>({
  name: 'transaction',
  usage: '{% transaction timeout: 5 %}…{% endtransaction %}',
  shape: 'block',
  platform: true,
  grammar: ($) => ({ arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    readOptions('transaction', node.markup.arguments, OPTIONS, kit)
    kit.port('transactions')
    kit.detached('transaction', () => kit.body(node.body))
  },
  emit(node, kit) {
    const timeout = argument(node.markup.arguments, 'timeout')
    kit.guard(true, node.span, () =>
      kit.closure(
        () => kit.body(node.body),
        (closure) =>
          kit.print(
            `await ${kit.use('transacted')}(${kit.port('transactions', 'transaction')}, ${timeout === undefined ? 'null' : kit.value(timeout)}, ${closure})`,
            node.span,
          ),
      ),
    )
  },
})

export const rollback = tag({
  name: 'rollback',
  usage: '{% rollback %}',
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: () => undefined,
  check(node, kit) {
    kit.note({ kind: 'rollback', span: node.span })
    kit.offered('transactions')
  },
  emit(node, kit) {
    kit.guard(true, node.span, () => kit.statement(`${kit.port('transactions', 'rollback')}.rollback()`, node.span))
  },
})
