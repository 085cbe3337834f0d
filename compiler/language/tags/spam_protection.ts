/** `spam_protection`: prints the HTML of a challenge in a form. */
import { CHALLENGE_ACTION, CHALLENGES } from '../../../runtime/page/tag-keywords.ts'
import { missingTagArgument } from '../../core/diagnostics/codes/tags-and-filters/missing-tag-argument.ts'
import { type Expression, type NamedArgument, stringOf } from '../../core/tree/ast.ts'
import { type Code, invoke, method, NULL, string } from '../../core/model/code.ts'
import { findArgument } from './arguments.ts'
import { checkOption, type Option, type Options, readOptions } from './options.ts'
import { tag } from './tag.ts'

const OPTIONS: Options = {
  action: { takes: 'text', pattern: { test: CHALLENGE_ACTION, description: 'a text of letters, digits and slashes' } },
}
const STRATEGY: Option = { takes: 'text', words: Object.keys(CHALLENGES) }

export const spam_protection = tag<{ strategy: Expression | undefined; arguments: readonly NamedArgument[] }>({
  name: 'spam_protection',
  usage: "{% spam_protection 'recaptcha_v3', action: 'signup' %}",
  docs: {
    description: 'Prints the challenge of a form. The server checks the response when the form is submitted.',
    forms: ['{% spam_protection %}'],
    arguments: { action: 'The name of the action. Version 3 requires it.' },
    examples: [
      {
        description: 'The constants `RECAPTCHA_V2_SITE_KEY` and `RECAPTCHA_V2_SECRET_KEY` must be set.',
        template: "{% spam_protection 'captcha_v2' %}",
        prints: '<script src="…/api.js" async defer></script>\n<div class="g-recaptcha" data-sitekey="…"></div>',
      },
    ],
  },
  shape: 'inline',
  platform: true,
  grammar: ($) => ({
    strategy: $.maybe(0, { GATE: () => !$.named(1), DEF: () => $.sub(0, $.primary) }),
    arguments: $.sub(0, $.namedArguments),
  }),
  check(node, kit) {
    const { strategy, arguments: args } = node.markup
    if (strategy !== undefined) {
      checkOption('spam_protection', 'strategy', strategy, kit.read(strategy), STRATEGY, kit)
      if (needsAction(strategy) && findArgument(args, 'action') === undefined)
        kit.report(missingTagArgument(node.span, 'spam_protection', 'action'))
    }
    readOptions('spam_protection', node.markup.arguments, OPTIONS, kit, node.span)
    kit.syncPort('challenge')
  },
  emit(node, kit) {
    const action = findArgument(node.markup.arguments, 'action')
    const { strategy } = node.markup
    const text = (value: Expression | undefined, absent: Code): Code =>
      value === undefined ? absent : invoke(kit.use('str'), kit.value(value))
    kit.guard(true, node.span, () =>
      kit.print(
        method(
          kit.asyncPort('challenge', 'spam_protection'),
          'html',
          text(strategy, string('recaptcha_v2')),
          text(action, NULL),
        ),
        node.span,
      ),
    )
  },
})

function needsAction(strategy: Expression): boolean {
  return new Map<string, string>(Object.entries(CHALLENGES)).get(stringOf(strategy) ?? '') === 'recaptcha_v3'
}
