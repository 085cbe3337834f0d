/** `cache`: stores the output of its body under a key for some time. The body runs only on a cache miss. */
import type { Expression, NamedArgument } from '../../core/tree/ast.ts'
import { invoke, settled } from '../../core/model/code.ts'
import { findArgument, optionalCode } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  expire: {
    takes: 'number',
    above: 0,
    hint: 'With 0 the text is cached until the site changes, which is the default. A negative number is an error.',
  },
}

export const cache = tag<{ key: Expression; arguments: readonly NamedArgument[] }>({
  name: 'cache',
  usage: "{% cache 'key', expire: 60 %}…{% endcache %}",
  docs: {
    description:
      'Caches the output of its body under a key. While the key is cached, the body does not run. The whole site shares the keys, so include everything that the output depends on, such as the user and the language. A blank key caches nothing.',
    arguments: { expire: 'The lifetime in seconds. By default, the output is cached until the site changes.' },
    examples: [
      {
        description: 'The second iteration prints the cached output of the first one.',
        template:
          "{% assign names = 'Ada,Bob' | split: ',' %}\n{% for name in names %}{% cache 'greeting', expire: 60 %}Hello {{ name }}. {% endcache %}{% endfor %}",
        prints: 'Hello Ada. Hello Ada.',
      },
    ],
  },
  shape: 'block',
  platform: true,
  grammar: ($) => ({ key: $.sub(0, $.plainValue), arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    kit.read(node.markup.key)
    readOptions('cache', node.markup.arguments, OPTIONS, kit, node.span, 'error')
    kit.asyncPort('cache')
    kit.detached('cache', () => kit.body(node.body), node.markup.key)
  },
  emit(node, kit) {
    const expire = findArgument(node.markup.arguments, 'expire')
    kit.closure(
      () => kit.body(node.body),
      (closure) =>
        kit.guard(expire !== undefined, node.span, () =>
          kit.print(
            settled(
              invoke(kit.use('cached'), kit.render, kit.value(node.markup.key), optionalCode(expire, kit), closure),
            ),
            node.span,
          ),
        ),
    )
  },
})
