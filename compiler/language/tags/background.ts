/** `background`: runs a partial or its body later in a job. The job gets only the passed arguments. */
import { MAX_DELAY, MAX_ATTEMPTS, PRIORITIES } from '../../../runtime/page/tag-keywords.ts'
import { type Expression, type NamedArgument, type NameNode, stringOf } from '../../core/tree/ast.ts'
import { type Code, invoke, method, run, settled } from '../../core/model/code.ts'
import { STRING } from '../../core/model/type.ts'
import * as T from '../syntax/tokens.ts'
import { withoutOptions, argumentCode } from './arguments.ts'
import { type Options, readOption } from './options.ts'
import { tag } from './tag.ts'

/** Arguments of the tag itself, which are not variables of the job. */
export const JOB_OPTIONS = ['delay', 'priority', 'max_attempts', 'source_name']

const OPTIONS: Options = {
  delay: { takes: 'number', exact: true, from: 0, to: MAX_DELAY, strict: true },
  priority: { takes: 'text', words: PRIORITIES, anyCase: true, hint: 'Any other word means `default`.' },
  max_attempts: {
    takes: 'number',
    from: 1,
    to: MAX_ATTEMPTS,
    hint: 'Other numbers are changed to the nearest allowed one.',
  },
  source_name: { takes: 'text' },
}

interface Markup {
  /** The variable that gets the id of the job; null in the block form. */
  readonly target: NameNode | null
  readonly name: Expression | null
  readonly arguments: readonly NamedArgument[]
}

export const background = tag<Markup>({
  name: 'background',
  usage: "{% background job = 'name', delay: 5, key: value %}",
  docs: {
    description:
      'Runs a partial, or its body, later in a job. The job gets only the passed arguments and a copy of `context` without page, session and device. It starts after the request, or after the surrounding transaction.',
    forms: ["{% background source_name: 'label', key: value %}…{% endbackground %}"],
    arguments: {
      delay: 'The delay in minutes, with fractions. The default is 0.',
      priority: '`low`, `default` or `high`. It also sets how long the job may run: 4 hours, 5 minutes or 1 minute.',
      max_attempts: 'The maximum number of attempts, from 1 to 5. The default is 1.',
      source_name: 'A label that is shown in lists of jobs.',
    },
    examples: [
      {
        template: "{% background job = 'greet', name: 'Ada', delay: 0.5 %}{% if job != blank %}queued{% endif %}",
        files: { 'app/views/partials/greet.liquid': '{% log name %}' },
        prints: 'queued',
      },
    ],
  },
  shape: (markup) => (markup.name === null ? 'block' : 'inline'),
  blank: true,
  content: 'kept',
  platform: true,
  leftover: 'warning',
  grammar: ($) => {
    let target: NameNode | null = null
    let name: Expression | null = null
    $.maybe(0, {
      GATE: () => $.is(2, T.Assign),
      DEF: () => {
        const firstName = $.sub(0, $.name)
        $.take(0, T.Assign)
        const partial = $.sub(0, $.primary)
        $.act(() => {
          target = firstName
          name = partial
        })
      },
    })
    const args = $.sub(0, $.scannedArguments)
    return $.act(() => ({ target, name, arguments: args }))
  },
  check(node, kit) {
    const { target, name, arguments: args } = node.markup
    kit.asyncPort('jobs')
    const jobArguments = withoutOptions(args, JOB_OPTIONS)
    if (name === null) kit.job(jobArguments, node)
    else kit.call({ kind: 'background', name, arguments: jobArguments, bindingClause: null, span: name.span }, node)
    for (const option of args.filter((each) => JOB_OPTIONS.includes(each.name.name)))
      readOption('background', option, OPTIONS, kit)
    if (target !== null) kit.assign(target, STRING, true)
  },
  emit(node, kit) {
    const { target, name, arguments: args } = node.markup
    const option = (key: string): Code => argumentCode(args, key, kit)
    const values = kit.passed(withoutOptions(args, JOB_OPTIONS))
    const isLiteral = stringOf(name) !== null
    const unit = name === null ? kit.job(node) : isLiteral ? kit.value(name) : invoke(kit.use('str'), kit.value(name))
    kit.guard(true, node.span, () => {
      const jobs = kit.asyncPort('jobs', 'background')
      const options = invoke(
        kit.use('jobOptions'),
        kit.render,
        ...['delay', 'priority', 'max_attempts', 'source_name'].map(option),
        unit,
        kit.unit(),
        kit.line(node.span),
      )
      const code = settled(method(jobs, 'enqueue', unit, values, options))
      if (target === null) kit.add(run(code, node.span))
      else kit.assign(target, code, node.span)
    })
  },
})
