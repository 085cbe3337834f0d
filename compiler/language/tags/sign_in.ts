/** `sign_in`: starts a session for a user. */
import type { NamedArgument } from '../../core/tree/ast.ts'
import { invoke, settled } from '../../core/model/code.ts'
import { argumentCode, writeEffect } from './arguments.ts'
import { type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  user_id: { takes: 'any', required: true },
  timeout_in_minutes: { takes: 'number', above: 0, hint: 'Remove it to use the setting of the site.' },
}

export const sign_in = tag<{ arguments: readonly NamedArgument[] }>({
  name: 'sign_in',
  aliases: ['sign_in_rc'],
  usage: '{% sign_in user_id: user.id, timeout_in_minutes: 15 %}',
  docs: {
    description:
      'Starts a session for a user, who is `context.current_user` from then on. A request that changes data and comes from another site does not sign in: the page continues, and the reason is logged. An identity provider that responds with POST can sign in if a page of the site redirected the visitor to it with a `state` in the URL.',
    arguments: {
      user_id: 'The id of the user.',
      timeout_in_minutes:
        'The session ends after this many minutes without a visit. The default is the setting of the site.',
    },
    examples: [
      {
        template:
          "{% graphql made = 'users/create', email: 'ada@example.com' %}\n{% sign_in user_id: made.user_create.id, timeout_in_minutes: 15 %}\n{{ context.current_user.email }}",
        files: {
          'app/graphql/users/create.graphql':
            'mutation create($email: String!) {\n  user_create(user: { email: $email, password: "correct horse battery" }) { id }\n}\n',
        },
        prints: 'ada@example.com',
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ arguments: $.sub(0, $.namedArguments) }),
  check(node, kit) {
    readOptions('sign_in', node.markup.arguments, OPTIONS, kit, node.span)
    kit.asyncPort('sessions')
  },
  emit(node, kit) {
    const option = (name: keyof typeof OPTIONS) => argumentCode(node.markup.arguments, name, kit)
    writeEffect(node.span, kit, () => {
      const port = kit.asyncPort('sessions', 'sign_in')
      return settled(invoke(kit.use('signIn'), port, option('user_id'), option('timeout_in_minutes')))
    })
  },
})
