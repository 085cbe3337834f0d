/** `context`: sets the language for the rest of the request. */
import type { NamedArgument } from '../../core/tree/ast.ts'
import { invoke, run } from '../../core/model/code.ts'
import { findArgument } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = { language: { takes: 'text' } }

export const context = tag<{ arguments: readonly NamedArgument[] }>({
  name: 'context',
  aliases: ['context_rc'],
  usage: "{% context language: 'de' %}",
  docs: {
    description: 'Sets the language for the rest of the request. `t`, `l` and `context.language` use it.',
    arguments: { language: 'The locale: `de`, `pt-BR`.' },
    examples: [
      {
        template: "{% context language: 'de' %}{{ context.language }}: {{ 'hello' | t }}",
        files: {
          'app/translations/de.yml': 'de:\n  hello: Hallo\n',
          'app/translations/en.yml': 'en:\n  hello: Hello\n',
        },
        prints: 'de: Hallo',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    readOptions('context', node.markup.arguments, OPTIONS, kit, node.span)
  },
  emit(node, kit) {
    const language = findArgument(node.markup.arguments, 'language')
    if (language !== undefined) kit.add(run(invoke(kit.use('setLanguage'), kit.render, kit.value(language)), node.span))
  },
})
