/** Recipes against programs that fill in forms. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const honeypot = recipe('honeypot', {
  name: 'A honeypot against spam',
  summary: 'Refuse forms that programs fill in, by a field that people do not see.',
  words: 'honeypot spam bot bots trap hidden field contact form captcha alternative',
  blocks: [
    text(
      'Programs that send spam fill in every field. The field `website` is `virtual`, so it is never stored, and the validation `absence` refuses the form when it has a value. People and screen readers do not meet it.',
    ),
    files({
      'app/schema/message.yml': `name: message
properties:
  - name: email
  - name: words
`,
      'app/forms/message.liquid': `---
name: message
resource: message
fields:
  properties:
    email:
      validation: { presence: true, email: true }
    words:
      validation: { presence: true, length: { maximum: 2000 } }
    website:
      property_options: { virtual: true }
      validation: { absence: true }
redirect_to: /message
flash_notice: Thank you.
---
{% form %}
  <label>E-mail <input type="email" name="{{ form.fields.properties.email.name }}" value="{{ form.fields.properties.email.value }}"></label>
  {{ form.errors['properties.email'] }}
  <label>Message <textarea name="{{ form.fields.properties.words.name }}">{{ form.fields.properties.words.value }}</textarea></label>
  {{ form.errors['properties.words'] }}
  <div hidden aria-hidden="true">
    <label>Leave this empty <input name="{{ form.fields.properties.website.name }}" tabindex="-1" autocomplete="off"></label>
  </div>
  <button>Send</button>
{% endform %}
`,
      'app/views/pages/message.liquid': `{% include_form 'message' %}
`,
    }),
    text(
      'This stops most programs and annoys nobody. Against the others, use a [challenge](guides/forms.html#spam-protection) or a [limit](cookbook/rate-limit.html).',
    ),
    ...trial('Send the form with `website` filled in, with `curl` or the tools of the browser: no row is stored.'),
  ],
})

export const rateLimit = recipe('rate-limit', {
  name: 'A rate limit for a form',
  summary: 'Accept only some requests of one address in an hour, and answer 429 to the others.',
  words: 'rate limit throttle too many requests 429 abuse flood brute force ip address form attempts',
  blocks: [
    text(
      'Each request first stores a row, and then counts the rows of its address. As every request counts itself, no more than the limit pass, even if all come at once; in such a burst, fewer may. The row has a keyed digest of the address, not the address itself.',
    ),
    files({
      'app/schema/hit.yml': `name: hit
properties:
  - name: key
`,
      'app/graphql/hits/create.graphql': `mutation create($key: String!) {
  hit: record_create(record: { table: "hit", properties: [{ name: "key", value: $key }] }) {
    id
  }
}
`,
      'app/graphql/hits/count.graphql': `query count($key: String!, $since: String!) {
  hits: records(
    per_page: 1
    filter: { table: { value: "hit" }, created_at: { gt: $since }, properties: [{ name: "key", value: $key }] }
  ) {
    total_entries
  }
}
`,
      'app/lib/limits/allows.liquid': `{% doc %}
  Counts a request of this address, and returns whether the limit still allows it.
  @param {string} name - of the limit
  @param {number} most
  @param {number} minutes
{% enddoc %}
{% liquid
  assign secret = context.constants.LIMITS_KEY | default: 'kitchen'
  assign key = context.visitor.ip | append: ' ' | append: name | compute_hmac: secret
  assign before = minutes | times: -1
  assign since = 'now' | to_time | add_to_time: before, 'minutes' | date: '%Y-%m-%dT%H:%M:%SZ'
  graphql _ = 'hits/create', key: key
  graphql counted = 'hits/count', key: key, since: since
  if counted.hits.total_entries <= most
    return true
  endif
  return false
%}
`,
      'app/views/pages/vote.liquid': `---
method: post
---
{% function allowed = 'limits/allows', name: 'vote', most: 5, minutes: 60 %}
{% if allowed %}
  <p>Your vote counts.</p>
{% else %}
  {% response_status 429 %}
  {% response_headers '{ "Retry-After": "3600" }' %}
  <p>Please come back in an hour.</p>
{% endif %}
`,
    }),
    text(
      "`context.visitor.ip` is the visitor's address only if `INGOT_PROXIES` says how many proxies stand in front of the server. Set `LIMITS_KEY` with `ingot constants set`. [Scheduled work](cookbook/scheduled.html) removes old rows. The whole server has its own limit, `INGOT_RATE`, and log-in has one, too.",
    ),
    ...trial(
      'Send six votes: the sixth is answered with 429. Send twenty at once: no more than five in all are answered with 200.',
    ),
  ],
})
