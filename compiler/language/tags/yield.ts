/** `yield`: prints a block that `content_for` stored, without escaping. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import { findArgument, optionalCode } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { default: { takes: 'any' } }

export const yield_ = tag<{ name: Expression; arguments: readonly NamedArgument[] }>({
  name: 'yield',
  usage: "{% yield 'name' %}",
  docs: {
    description: 'Prints the content that an earlier `content_for` stored under this name, without escaping.',
    arguments: { default: 'The text to print if no content was stored.' },
    examples: [
      {
        template:
          "{% content_for 'nav' %}<a href=\"/\">Home</a>{% endcontent_for %}{% yield 'nav' %} {% yield 'side', default: 'No news' %}",
        prints: '<a href="/">Home</a> No news',
      },
    ],
  },
  shape: 'inline',
  platform: true,
  grammar: ($) => ({ name: $.sub(0, $.plainValue), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.name)
    const otherwise = findArgument(node.markup.arguments, 'default') ?? null
    kit.note({ kind: 'yield', name: node.markup.name, otherwise })
    readOptions('yield', node.markup.arguments, OPTIONS, kit, node.span)
  },
  emit(node, kit) {
    const otherwise = findArgument(node.markup.arguments, 'default')
    const block = invoke(kit.use('storedBlock'), kit.render, kit.value(node.markup.name), optionalCode(otherwise, kit))
    kit.print(block, node.span)
  },
})
