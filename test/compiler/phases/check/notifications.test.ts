/** Notifications: those that forms send, the data of their templates, and their names in queries. */
import { describe, expect, it } from 'vitest'
import type { FormSettings } from '../../../../compiler/core/model/settings.ts'
import { checkFiles, type Files, site } from '../../../support/compiler/check.ts'
import { form, problems, table } from '../../../support/compiler/jobs.ts'

describe('what a form does later', () => {
  const of = (yaml: string) => {
    const { diagnostics, site: found } = checkFiles({
      ...site('x'),
      ...form('a', `async_callback_actions: { content: x, ${yaml} }`),
    })
    const [unit] = found.forms.values()
    const asyncCallbackActions = (unit?.settings as FormSettings | undefined)?.asyncCallbackActions
    const { content: _, ...options } = asyncCallbackActions ?? { content: null }
    return [options, ...diagnostics.map(({ severity, code }) => `${severity} ${code}`)]
  }

  it('takes its options, and clamps what is out of bounds', () => {
    expect(of('delay: 0.5, priority: HIGH, max_attempts: 5')).toEqual([
      { delay: 0.5, priority: 'high', maxAttempts: 5 },
    ])
    expect(of('priority: normal, max_attempts: 9')).toEqual([
      { delay: 0, priority: 'default', maxAttempts: 5 },
      ...['warning setting-value', 'warning setting-value'],
    ])
    expect(of('max_attempts: 0')).toEqual([{ delay: 0, priority: 'default', maxAttempts: 1 }, 'warning setting-value'])
  })

  it.each(['delay: soon', 'delay: -1', 'delay: 1e12', 'delay: [1]', 'max_attempts: many'])(
    'is refused with %s',
    (yaml) => {
      expect(of(yaml).filter((each) => typeof each === 'string' && each.startsWith('error'))).toHaveLength(1)
    },
  )
})

describe('notifications', () => {
  const mail = (yaml: string, body = '') => ({ 'app/emails/m.liquid': `---\n${yaml}\n---\n${body}` })
  table([
    [
      'that only a form sends know its fields',
      {
        ...form('a', 'email_notifications: [m]'),
        ...site('x'),
        ...mail("to: '{{ form.properties.titel }}'", '{{ data.properties.title }}{{ data.properties.author }}'),
      },
      ['unknown-field m.liquid 2:25', 'unknown-field m.liquid 4:47'],
    ],
    [
      'that two forms send know the fields of both',
      {
        ...form('a', 'email_notifications: [m]'),
        ...form('b', 'email_notifications: [m]', 'author'),
        ...site('x'),
        ...mail(
          'to: a@example.com',
          '{{ form.properties.title }}{{ form.properties.author }}{{ form.properties.pages }}',
        ),
      },
      ['unknown-field m.liquid 4:75'],
    ],
    [
      'that a mutation sends too may be given anything',
      {
        ...form('a', 'email_notifications: [m]'),
        ...site(`{% graphql g = 'send' %}{{ g.email_send.is_scheduled_to_send }}`),
        ...mail('to: a@example.com', '{{ form.anything }}'),
        'app/graphql/send.graphql': 'mutation { email_send(template: { name: "m" }) { is_scheduled_to_send } }',
      },
      [],
    ],
    [
      'any of which a mutation may send, too',
      {
        ...form('a', 'email_notifications: [m]'),
        ...site(`{% graphql g = 'send', n: 'm' %}{{ g.email_send.is_scheduled_to_send }}`),
        ...mail('to: a@example.com', '{{ form.anything }}'),
        'app/graphql/send.graphql':
          'mutation ($n: String!) { email_send(template: { name: $n }) { is_scheduled_to_send } }',
      },
      [],
    ],
    [
      'that nothing here sends may be given anything, and set nothing else',
      { ...site('x'), ...mail('to: a@example.com', '{{ form.anything }}{{ data.a.b }}{{ user }}{{ response }}') },
      ['undefined-variable m.liquid 4:37', 'undefined-variable m.liquid 4:47'],
    ],
    [
      'of which a callback knows what was answered',
      {
        ...site('x'),
        'app/api_calls/a.liquid':
          "---\nto: 'https://a.test/{{ response.status }}'\ncallback: '{% if response.status == 200 %}{% log response.text %}{% endif %}{% log response.headers.a %}{% log data.b %}'\n---\n",
      },
      ['undefined-variable a.liquid 2:24', 'unknown-property a.liquid 3:59'],
    ],
  ])

  it.each([['delay: soon'], ['delay: -1'], ["delay: '5 minutes'"], ['delay: true'], ['delay: [1]']])(
    'are refused with %s',
    (yaml) => {
      const { diagnostics } = checkFiles({ ...site('x'), ...mail(`to: a@example.com\n${yaml}`) })
      expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['error setting-refused'])
    },
  )

  it.each([['delay: 1.5'], ["delay: ' .5 '"], ["delay: '{{ data.wait }}'"], ['delay:']])('take %s', (yaml) => {
    expect(problems({ ...site('x'), ...mail(`to: a@example.com\n${yaml}`) })).toEqual([])
  })

  it('of several kinds may have one name', () => {
    const files = {
      ...site('x'),
      ...mail('to: a@example.com'),
      'app/smses/m.liquid': "---\nto: '+48123'\n---\nx",
      'app/api_calls/m.liquid': '---\nto: https://a.test\n---\n',
      ...form('a', 'email_notifications: [m]\nsms_notifications: [m]\napi_call_notifications: [m, n]'),
    }
    expect(problems(files)).toEqual(['missing-notification a.liquid 7:29'])
  })
})

describe('names in queries', () => {
  const query = (text: string): Files => ({
    ...form('book', ''),
    ...site(`{% graphql g = 'q', n: 'x' %}{{ g }}`),
    'app/emails/welcome.liquid': '---\nto: a@example.com\n---\n',
    'app/api_calls/hook.liquid': '---\nto: https://a.test\n---\n',
    'app/graphql/q.graphql': text,
  })
  table([
    [
      'a mail that is not there',
      query(
        'mutation ($n: String) {\n  email_send(template: { name: "welcom" }, data: { a: $n }) { is_scheduled_to_send }\n}',
      ),
      ['missing-notification q.graphql 2:32'],
    ],
    [
      'one that is, and a call that is not',
      query(
        'mutation ($n: String) {\n  email_send(template: { name: "welcome" }, data: { a: $n }) { is_scheduled_to_send }\n  a: api_call_send(template: { name: "welcome" }) { response { status } }\n}',
      ),
      ['missing-notification q.graphql 3:38'],
    ],
    [
      'a form that is not there',
      query(
        'mutation ($n: String) {\n  record_create(record: { table: "book", properties: [{ name: "title", value: $n }] }, form_name: "bok") { id }\n}',
      ),
      ['missing-form q.graphql 2:99'],
    ],
    [
      'a form by a name of other signs',
      {
        ...query(
          'mutation ($n: String) { record_create(record: { table: "book", properties: [{ name: "title", value: $n }] }, form_name: "new-book") { id } }',
        ),
        ...form('new_book', ''),
      },
      [],
    ],
  ])

  it('stand where they stand in a document of a template', () => {
    const page = `a\n{% graphql g %}mutation {\n  email_send(template: { name: "m" }) { is_scheduled_to_send }\n}{% endgraphql %}{{ g }}`
    expect(problems(site(page))).toEqual(['missing-notification 3:32'])
  })
})
