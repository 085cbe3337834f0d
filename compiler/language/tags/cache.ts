/** `cache`: keeps what its body prints under a key for a while. The body runs only on a miss. */
import type { Expression, NamedArgument } from '../../core/model/ast.ts'
import { invoke, settled } from '../../core/model/code.ts'
import { argument, optional } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  expire: {
    takes: 'number',
    above: 0,
    hint: 'With 0 the text is kept until the site changes, as without a time; a negative time is an error. A blank key keeps nothing.',
  },
}

export const cache = tag<{ key: Expression; arguments: readonly NamedArgument[] }>({
  name: 'cache',
  usage: "{% cache 'key', expire: 60 %}…{% endcache %}",
  docs: {
    says: "Keeps what its body prints under a key. While the key is known, the body does not run. The key is the whole site's: what the text depends on (user, language) belongs into it. A blank key keeps nothing.",
    arguments: { expire: 'Seconds; without it the text is kept until the site changes.' },
    examples: [
      {
        says: 'The second turn prints what the first has kept.',
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
    kit.port('cache')
    kit.detached('cache', () => kit.body(node.body), node.markup.key)
  },
  emit(node, kit) {
    const expire = argument(node.markup.arguments, 'expire')
    kit.closure(
      () => kit.body(node.body),
      (closure) =>
        kit.guard(expire !== undefined, node.span, () =>
          kit.print(
            settled(invoke(kit.use('cached'), kit.render, kit.value(node.markup.key), optional(expire, kit), closure)),
            node.span,
          ),
        ),
    )
  },
})
