/** The guide to mails, texts and calls of other servers. */
import { files, guide, list, part, text } from './guide.ts'

export const mails = guide('mails', {
  name: 'Mails, texts and calls',
  summary: 'Send mails and text messages, and call the APIs of other servers.',
  words: 'mail email e-mail send smtp notification sms text message api call http request webhook',
  blocks: [
    part('Write and send a mail', 'email send smtp template notification'),
    files({
      'app/emails/welcome.liquid': `---
to: "{{ form.email }}"
from: Shop <hello@shop.example>
subject: "Welcome, {{ form.email }}"
layout: ''
---
<p>Our kitchen is open from noon.</p>
`,
    }),
    text(
      'A form names a mail under `email_notifications`, as the form `sign_up` in [Accounts](guides/accounts.html). A query sends it with `email_send`; its `data` is `data` in the template.',
    ),
    files({
      'app/emails/receipt.liquid': `---
to: "{{ data.to }}"
from: Shop <hello@shop.example>
subject: Your order
layout: ''
---
<p>Thank you for {{ data.dish }}.</p>
`,
      'app/graphql/mails/receipt.graphql': `mutation receipt($data: HashObject!) {
  mail: email_send(template: { name: "receipt" }, data: $data) {
    is_scheduled_to_send
  }
}
`,
      'app/views/pages/receipt.liquid': `---
method: post
---
{% assign data = { "to": "ada@example.com", "dish": "Tomato soup" } %}
{% graphql sent = 'mails/receipt', data: data %}
{% if sent.mail.is_scheduled_to_send %}<p>A mail is on its way.</p>{% endif %}
`,
    }),
    list(
      'A mail is rendered when it is sent, in the language of the request that queued it, unless `locale` is set. `trigger_condition` is evaluated at the same time. The text part is made from the HTML.',
      'Attachments (up to nine, 20 MB) may be uploads and assets of the site; private files are read by their signed addresses.',
      'Each message is a job with five attempts. Permanent failures, such as an unknown address, are not retried. If a mail server defers some recipients, only these are retried, and the refusals are recorded with their reasons. A mail is sent once, unless the server dies between sending and recording. The second copy then has the same `Message-ID`.',
      '`admin_sent_notifications` lists what was sent, and what failed and why.',
    ),
    part('While you develop', 'outbox test mail local'),
    text(
      '`ingot dev` and `npm start` show mails at `/_ingot/outbox` instead of sending them. A server with `INGOT_ENV=staging` sends all mails to `INGOT_TEST_EMAIL`; the subject names the intended recipient.',
    ),
    part('The mail server', 'smtp sender from configure'),
    list(
      '`INGOT_SMTP_URL`: `smtp://user:password@host:587`, `smtps://…`. Without it, sending fails outside of development.',
      '`INGOT_MAIL_FROM`: the sender of mails that name none.',
    ),
    part('Text messages', 'sms gateway phone'),
    text(
      '`smses/*.liquid` are sent to a gateway as JSON, `{ "to", "content" }`, with an `Idempotency-Key` for each text. `INGOT_SMS_URL` is its address, `INGOT_SMS_TOKEN` the token to send.',
    ),
    part('Call another server', 'http request api call webhook fetch rest client'),
    text(
      '`api_calls/*.liquid` are requests whose `callback` reads `response`. `api_call_send` sends the request at once and returns the answer.',
    ),
    files({
      'app/api_calls/weather.liquid': `---
to: https://weather.example/today
request_type: GET
request_headers: '{ "Accept": "application/json" }'
---
`,
      'app/graphql/weather.graphql': `mutation weather {
  call: api_call_send(template: { name: "weather" }, data: {}, options: { timeout: 5 }) {
    response {
      status
      body
    }
  }
}
`,
      'app/views/pages/weather.liquid': `---
method: post
---
{% graphql weather = 'weather' %}
{% if weather.call.response.status == 200 %}
  <p>{{ weather.call.response.body }}</p>
{% else %}
  <p>The weather is unknown.</p>
{% endif %}
`,
    }),
    list(
      'Calls do not follow redirects, read at most 10 MB, and cannot reach the own network of the server, unless `INGOT_OUTGOING` names the host: hosts and private networks, `10.1.0.0/16,billing.internal`.',
      '`INGOT_OUTGOING_STAND_IN`: servers that answer instead of others, to try a site out: `https://api.example=http://127.0.0.1:9999,…`. They get the same path and `Host`, and may be on this machine. Not in production.',
      'Keys of other services are constants: `ingot constants set NAME=VALUE`, and `{{ context.constants.NAME }}` in a template.',
    ),
  ],
})
