/** `sign_in`: starts a session for a user. */
import type { NamedArgument } from '../../core/tree/ast.ts'
import { invoke, run, settled } from '../../core/model/code.ts'
import { findArgument, optionalCode } from './arguments.ts'
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
    const user = findArgument(node.markup.arguments, 'user_id')
    const timeout = findArgument(node.markup.arguments, 'timeout_in_minutes')
    kit.guard(true, node.span, () =>
      kit.add(
        run(
          settled(
            invoke(
              kit.use('signIn'),
              kit.asyncPort('sessions', 'sign_in'),
              optionalCode(user, kit),
              optionalCode(timeout, kit),
            ),
          ),
          node.span,
        ),
      ),
    )
  },
})
