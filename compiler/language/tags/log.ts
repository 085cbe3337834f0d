/** `log`: writes an entry to the log of the site. It prints nothing. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { invoke, run } from '../../core/model/code.ts'
import * as T from '../syntax/tokens.ts'
import { findArgument, optionalCode, argumentCode } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  type: { takes: 'text' },
  env: { takes: 'text', words: ['all', 'staging', 'production'], hint: 'Any other word means `all`.' },
}

export const log = tag<{ message: Expression; type: Expression | null; arguments: readonly NamedArgument[] }>({
  name: 'log',
  usage: "{% log value, type: 'name' %}",
  docs: {
    description: 'Writes an entry to the log of the site. It prints nothing.',
    arguments: {
      type: 'The type of the entry, for searches. The default is `info`; `error` marks an error.',
      env: '`staging` or `production`: writes the entry only in that environment.',
    },
    examples: [{ template: "{% log 'An order came in', type: 'orders' %}Thank you", prints: 'Thank you' }],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => {
    const message = $.sub(0, $.plainValue)
    let type: Expression | null = null
    $.maybe(0, {
      GATE: () => !($.is(2, T.Name) && $.is(3, T.Colon)),
      DEF: () => {
        $.take(0, T.Comma)
        const typeValue = $.sub(1, $.primary)
        $.act(() => {
          type = typeValue
        })
      },
    })
    const args = $.sub(0, $.namedArguments)
    return $.act(() => ({ message, type, arguments: args }))
  },
  check(node, kit) {
    kit.read(node.markup.message)
    if (node.markup.type !== null) kit.read(node.markup.type)
    readOptions('log', node.markup.arguments, OPTIONS, kit, node.span, 'error')
  },
  emit(node, kit) {
    const { message, arguments: args } = node.markup
    const type = findArgument(args, 'type') ?? node.markup.type
    const callArguments = [kit.value(message), optionalCode(type, kit), argumentCode(args, 'env', kit)]
    kit.add(run(invoke(kit.use('log'), kit.render, ...callArguments, kit.unit(), kit.line(node.span)), node.span))
  },
})
