/** Diagnostics about work outside of the response: jobs, their arguments, and transactions that are rolled back. */
import { describe, expect, it } from 'vitest'
import { ABSENT_IN_BACKGROUND } from '../../../../runtime/page/background-context.ts'
import { MAX_DELAY } from '../../../../runtime/page/tag-keywords.ts'
import { checkFiles, partial, site } from '../../../support/compiler/check.ts'
import { form, table } from '../../../support/compiler/jobs.ts'

describe('a block of background', () => {
  table([
    [
      'sees what it is passed, and what it sets',
      site(
        `{% assign x = 1 %}{% background a: x %}{% assign b = a %}{% log b %}{% log context.language %}{% endbackground %}`,
      ),
      [],
    ],
    [
      'reads nothing else of the caller',
      site(
        `{% assign x = 1 %}{% for i in (1..2) %}{% background a: x %}{% log x %}{% log i %}{% log forloop.index %}{% log a %}{% endbackground %}{% endfor %}`,
      ),
      ['unpassed-variable 1:68', 'unpassed-variable 1:79', 'undefined-variable 1:90'],
    ],
    [
      'sets nothing for the caller',
      site(`{% background a: 1 %}{% assign b = a %}{% log b %}{% endbackground %}{{ b }}`),
      ['undefined-variable 1:73'],
    ],
    [
      'is no place of a form',
      {
        ...form('a', ''),
        ...site('x'),
        'app/forms/a.liquid':
          '---\nname: a\nresource: book\nresource_owner: creator\nfields:\n  properties:\n    title:\n---\n{% background %}{% log form.id %}{% endbackground %}{% background id: form.id %}{% log id %}{% endbackground %}{% background f: form %}{% log f %}{% endbackground %}',
      },
      ['undefined-variable a.liquid 9:24', 'unstorable-argument a.liquid 9:129'],
    ],
    [
      'knows the types of what it is passed, as they come back',
      site(
        `{% assign h = { "a": 1 } %}{% background h: h %}{{ h.b }}{% if h.a == 'x' %}y{% endif %}{% endbackground %}`,
      ),
      ['unknown-property 1:54', 'impossible-comparison 1:64'],
    ],
    [
      'in a partial too, whoever calls that',
      site(`{% render 'p', a: 1 %}`, partial('p', `{% background b: a %}{% log a %}{% log b %}{% endbackground %}`)),
      ['undefined-variable p.liquid 1:29'],
    ],
    [
      'in another block',
      site(
        `{% background a: 1 %}{% background b: a %}{% log b %}{% log a %}{% endbackground %}{% log b %}{% endbackground %}`,
      ),
      ['undefined-variable 1:61', 'undefined-variable 1:91'],
    ],
    [
      'returns to nobody',
      site(`{% background %}{% if context.language == 'de' %}{% return 1 %}{% endif %}{% log 1 %}{% endbackground %}`),
      ['dropped-return 1:50'],
    ],
    [
      'in the Liquid of a setting',
      {
        ...form(
          'a',
          "callback_actions: '{% background id: form.id %}{% log id %}{% log form.id %}{% endbackground %}'",
        ),
        ...site('x'),
      },
      ['undefined-variable a.liquid 5:67'],
    ],
  ])

  it('knows the names of what it is passed also where nobody knows the site around it', () => {
    const files = site('', partial('p', `{% background b: a, delay: 1 %}{{ b }}{{ a }}{{ delay }}{% endbackground %}`))
    const { diagnostics } = checkFiles(files, { openEntries: true })
    expect(diagnostics.map(({ code, span }) => `${code} ${span.start}`)).toEqual([
      'undefined-variable 41',
      'undefined-variable 48',
    ])
  })
})

describe('what a job is given', () => {
  table([
    [
      'arguments of the partial that are missing, or that it does not read',
      site(`{% background j = 'p', b: 1 %}{{ j }}`, partial('p', '{% log a %}')),
      ['missing-inferred-argument 1:19', 'unknown-inferred-argument 1:24'],
    ],
    [
      'a range in a list',
      site(`{% background j = 'p', a: [(1..2)] %}{{ j }}`, partial('p', '{% log a %}')),
      ['unstorable-argument 1:27'],
    ],
    [
      'what may be a range and may be none',
      site(
        `{% if context.params.x %}{% assign r = (1..2) %}{% else %}{% assign r = 1 %}{% endif %}{% background j = 'p', a: r %}{{ j }}`,
        partial('p', '{% log a %}'),
      ),
      [],
    ],
    [
      'an object of a loop, and its fields',
      site(
        `{% tablerow i in (1..2) %}{% background j = 'p', a: tablerowloop %}{{ j }}{% endtablerow %}{% for i in (1..2) %}{% background j = 'p', a: forloop.last %}{{ j }}{% endfor %}`,
        partial('p', '{% log a %}'),
      ),
      ['unstorable-argument 1:53'],
    ],
    [
      'the form of a form',
      {
        ...form('a', ''),
        ...site('x', partial('p', '{% log a %}')),
        'app/forms/a.liquid':
          "---\nname: a\nresource: book\nresource_owner: creator\nfields:\n  properties:\n    title:\n---\n{% background j = 'p', a: form_builder %}{{ j }}{% background k = 'p', a: form.properties %}{{ k }}",
      },
      ['unstorable-argument a.liquid 9:27'],
    ],
  ])

  table([
    [
      'a delay below zero, attempts and a priority that there are not',
      site(
        `{% background delay: -1, max_attempts: 0 %}a{% endbackground %}{% background delay: '-0.5', max_attempts: '6' %}b{% endbackground %}{% background priority: 'normal' %}c{% endbackground %}{% background delay: ${MAX_DELAY + 1} %}d{% endbackground %}`,
      ),
      [
        ['tag-argument-value 1:22', 'tag-argument-value 1:40', 'tag-argument-value 1:85', 'tag-argument-value 1:107'],
        ['tag-argument-value 1:157', 'tag-argument-value 1:209'],
      ].flat(),
    ],
    [
      'a delay of none, and of a hundred years',
      site(
        `{% background delay: 0, max_attempts: 1, priority: 'high' %}a{% endbackground %}{% background delay: ${MAX_DELAY}, max_attempts: '5', priority: nil %}b{% endbackground %}{% background priority: ' HIGH ' %}c{% endbackground %}`,
      ),
      [],
    ],
  ])

  it('only warns of what is counted as something else, and refuses times that cannot pass', () => {
    const { diagnostics } = checkFiles(
      site(
        `{% background max_attempts: 9, priority: 'x', delay: -1 %}x{% endbackground %}{% transaction timeout: -1 %}y{% endtransaction %}`,
      ),
    )
    expect(diagnostics.map(({ severity, message, hint }) => `${severity}: ${message} ${hint ?? ''}`.trim())).toEqual([
      'warning: `9` is not a valid `max_attempts` for the tag `background`; expected a number from 1 to 5. Other numbers are changed to the nearest allowed one.',
      'warning: `x` is not a valid `priority` for the tag `background`; expected `low`, `default` or `high`. Any other word means `default`.',
      'error: `-1` is not a valid `delay` for the tag `background`; expected a number from 0 to 52560000.',
      'error: `-1` is not a valid `timeout` for the tag `transaction`; expected a number greater than 0. Remove `timeout` if there is no limit.',
    ])
  })

  it('a delay that is no number refuses the site', () => {
    const { diagnostics } = checkFiles(
      site(`{% background %}x{% endbackground %}{% background delay: 'x' %}y{% endbackground %}`),
    )
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['error tag-argument-type'])
  })
})

describe('the request of a visitor', () => {
  const shared = partial('p', '{% log context.session.a %}{% log context.params %}{% log context.constants.K %}')
  table([
    [
      'is not in a job',
      site(`{% background j = 'p' %}{{ j }}`, shared),
      ['absent-in-jobs p.liquid 1:16', 'absent-in-jobs p.liquid 1:43', 'absent-in-jobs p.liquid 1:67'],
    ],
    [
      'is not in a job, whichever field of it is asked for',
      site(
        `{% background j = 'p' %}{{ j }}`,
        partial('p', ABSENT_IN_BACKGROUND.job.map((part) => `{% log context.${part} %}`).join('\n')),
      ),
      ABSENT_IN_BACKGROUND.job.flatMap((part, at) => [
        ...(part === 'authenticity_token' ? [`shown-secret p.liquid ${at + 1}:1`] : []),
        `absent-in-jobs p.liquid ${at + 1}:16`,
      ]),
    ],
    [
      'may be anywhere behind a computed name, which is not told of a job',
      site(
        `{% background j = 'run', name: context.params.name %}{{ j }}`,
        partial('run', '{% assign n = name | append: "/call" %}{% function r = n %}{{ r }}'),
        partial('a/call', '{% return context.session.a %}'),
      ),
      ['dynamic-name run.liquid 1:56'],
    ],
    [
      'leaves to a job what belongs to the host, and to who queued it',
      site(
        `{% background j = 'p' %}{{ j }}`,
        partial(
          'p',
          `{% log context.location.host %}{% log context.location %}{% log context['environment'] %}{% log context.current_user.id %}{% log context.language %}{% log context.exports.a.b %}{% log context.globals.time_zones %}{% log context.instance.id %}{% log context.version %}{% log context.modules %}`,
        ),
      ),
      [],
    ],
    [
      'may be a computed field, of which nobody knows',
      site(`{% background j = 'p', key: 'params' %}{{ j }}`, partial('p', '{% log context[key] %}')),
      [],
    ],
    ['may be where a page calls the file too', site(`{% background j = 'p' %}{{ j }}{% render 'p' %}`, shared), []],
    ['is nothing to say of a file that nobody calls', site('x', shared), ['unused-partial p.liquid 1:1']],
    [
      'may be asked for',
      site(
        `{% background j = 'p' %}{{ j }}`,
        partial('p', '{% if context.page.id %}{% assign x = context.page.id | default: 1 %}{% log x %}{% endif %}'),
      ),
      [],
    ],
    [
      'is not in what a job calls, and no tag writes there',
      site(
        `{% background j = 'p' %}{{ j }}`,
        partial('p', `{% render 'q' %}{% function r = 'r' %}{% log r %}`),
        partial('q', '{% session a = 1 %}{% sign_in user_id: 1 %}'),
        partial('r', '{% return context["cookies"].a %}'),
      ),
      ['absent-in-jobs q.liquid 1:1', 'absent-in-jobs r.liquid 1:18'],
    ],
    [
      'is not in a block, nor in what a form does later',
      {
        ...form(
          'a',
          `callback_actions: '{% log context.session.a %}'\nasync_callback_actions: { content: '{% log context.session.a %}' }`,
        ),
        ...site(`{% background %}{% log context.flash.notice %}{% endbackground %}`),
      },
      ['absent-in-jobs a.liquid 6:52', 'absent-in-jobs 1:32'],
    ],
    [
      'leaves constants to what only mails and migrations call, or mails as well as jobs',
      {
        ...site(
          `{% background j = 'both' %}{{ j }}{% background k = 'only' %}{{ k }}`,
          partial('mailed', '{% log context.constants.A %}{% log context.params.a %}'),
          partial('moved', '{% log context.constants.A %}{% log context.session.a %}'),
          partial('both', '{% log context.constants.A %}{% log context.page.id %}'),
          partial('only', `{% log context.constants.A %}{% render 'deep' %}`),
          partial('deep', '{% log context.constants.A %}'),
        ),
        'app/emails/m.liquid': `---\nto: a@example.com\n---\n{% render 'mailed' %}{% render 'both' %}`,
        'app/migrations/20260101000000_a.liquid': `{% render 'moved' %}`,
      },
      [
        'absent-in-jobs both.liquid 1:45',
        'absent-in-jobs deep.liquid 1:16',
        'absent-in-jobs mailed.liquid 1:45',
        'absent-in-jobs moved.liquid 1:45',
        'absent-in-jobs only.liquid 1:16',
      ],
    ],
    [
      'may be where a computed name of a page leads, and is in no mail for all that',
      {
        ...site(`{% background j = 'p' %}{{ j }}{% include context.params.x %}`, shared),
        'app/emails/m.liquid': '---\nto: a@example.com\n---\n{{ context.params.a }}',
      },
      ['absent-in-jobs m.liquid 4:12', 'dynamic-name 1:43'],
    ],
    [
      'leaves constants to mails and migrations, and an address to none that no visitor asked for',
      {
        ...site('x'),
        'app/emails/m.liquid':
          "---\nto: a@example.com\n---\n{{ context.constants.SHOP }}{{ context.location.host }}\n{{ context.location.href }}{{ context['params'].a }}",
        'app/migrations/20260101000000_a.liquid': '{% log context.constants.SHOP %}\n{% log context.location.host %}',
      },
      ['absent-in-jobs m.liquid 5:12', 'absent-in-jobs m.liquid 5:38', 'absent-in-jobs 20260101000000_a.liquid 2:16'],
    ],
    [
      'is not in mails, their layouts and migrations',
      {
        ...site('x'),
        'app/emails/m.liquid': "---\nto: '{{ context.session.a }}'\nlayout: mail\n---\n{{ context.language }}",
        'app/views/layouts/mail.liquid': '{{ context.page.slug }}{{ content_for_layout }}',
        'app/migrations/20260101000000_a.liquid': '{% log context.cookies.a %}',
      },
      [
        'absent-in-jobs m.liquid 2:17',
        'absent-in-jobs 20260101000000_a.liquid 1:16',
        'absent-in-jobs mail.liquid 1:12',
      ],
    ],
    [
      'is nothing to say of where a computed name may mean any file',
      site(`{% background j = 'p' %}{{ j }}{% include context.params.x %}`, shared),
      ['dynamic-name 1:43'],
    ],
  ])
})

it('tells what can be passed how', () => {
  const { diagnostics } = checkFiles({
    ...form('a', `async_callback_actions: { content: '{% log context.constants.K %}' }`),
    ...site(`{% background %}{% log context.params.a %}{% endbackground %}`),
    'app/migrations/20260101000000_a.liquid': '{% sign_in user_id: 1 %}',
  })
  expect(diagnostics.map(({ message, hint }) => `${message} ${hint ?? ''}`.trim())).toEqual([
    'A background job does not have `context.constants`. Start the job with `background` in `callback_actions`, and pass the value as an argument.',
    'This needs the session of a visitor, which a migration does not have.',
    '`context.params` belongs to the request of a visitor, which a background job does not have. Pass the value to `background` as an argument.',
  ])
})

describe('rollback', () => {
  table([
    [
      'in a job that a transaction queues',
      site(
        `{% transaction %}{% background j = 'p' %}{{ j }}{% background %}{% rollback %}{% endbackground %}{% endtransaction %}`,
        partial('p', `{% rollback %}{% render 'q' %}`),
        partial('q', '{% transaction %}{% rollback %}{% endtransaction %}'),
      ),
      ['rollback-outside-transaction 1:65', 'rollback-outside-transaction p.liquid 1:1'],
    ],
    [
      'in a file that only runs inside of one, over another',
      site(
        `{% transaction %}{% render 'p' %}{% endtransaction %}`,
        partial('p', `{% render 'q' %}`),
        partial('q', '{% rollback %}'),
      ),
      [],
    ],
    [
      'in a file that only runs inside of one, as far as is known, beside calls by computed names',
      site(
        `{% transaction %}{% render 'p' %}{% endtransaction %}{% background job = context.params.name %}{{ job }}{% function y = context.params.name %}{{ y }}`,
        partial('p', '{% rollback %}'),
      ),
      ['dynamic-name 1:74', 'dynamic-name 1:121'],
    ],
    [
      'in a migration, which is one, and in what it calls',
      {
        ...site('x', partial('p', '{% rollback %}')),
        'app/migrations/20260101000000_a.liquid': `{% if context.language == 'de' %}{% rollback %}{% endif %}{% render 'p' %}`,
      },
      [],
    ],
  ])
})
