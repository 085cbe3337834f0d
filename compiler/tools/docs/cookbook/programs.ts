/** Recipes about programs: tokens, webhooks, and calls of other servers. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const userTokens = recipe('user-tokens', {
  name: 'API tokens for users',
  summary: 'Let each user create and revoke tokens, with which their programs visit your pages as that user.',
  words:
    'api token tokens key personal access token user_token_create revoke bearer authorization program user account',
  blocks: [
    text(
      '`user_token_create` returns the token once; the database keeps only a digest. With the scope `site`, which is the default, a program may do what its user may do on pages and forms, and nothing in `/api/graph`. The page keeps the number and name of each token, so that its user can revoke it.',
    ),
    files({
      'app/schema/access.yml': `name: access
properties:
  - name: token_id
  - name: name
`,
      'app/graphql/tokens/create.graphql': `mutation create($user: ID!, $name: String!) {
  made: user_token_create(user_id: $user, name: $name, days: 90) {
    id
    token
  }
}
`,
      'app/graphql/tokens/keep.graphql': `mutation keep($user: ID!, $token: String!, $name: String!) {
  access: record_create(
    record: {
      table: "access"
      user_id: $user
      properties: [{ name: "token_id", value: $token }, { name: "name", value: $name }]
    }
  ) {
    id
  }
}
`,
      'app/graphql/tokens/list.graphql': `query list($user: ID!, $id: ID) {
  tokens: records(
    per_page: 50
    filter: { table: { value: "access" }, user_id: { value: $user }, id: { value: $id } }
    sort: [{ id: { order: ASC } }]
  ) {
    results {
      id
      name: property(name: "name")
      token_id: property(name: "token_id")
    }
  }
}
`,
      'app/graphql/tokens/revoke.graphql': `mutation revoke($user: ID!, $token: ID!, $row: ID!) {
  revoked: user_token_revoke(id: $token, user_id: $user) {
    id
  }
  access: record_delete(table: "access", id: $row) {
    id
  }
}
`,
      'app/views/pages/tokens/index.liquid': `---
slug: tokens
authorization_policies: [signed_in]
---
{% graphql found = 'tokens/list', user: context.current_user.id %}
{% for token in found.tokens.results %}
  <form action="/tokens/{{ token.id }}/revoke" method="post">
    <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
    {{ token.name }} <button>Revoke</button>
  </form>
{% endfor %}
<form action="/tokens" method="post">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <label>For which program? <input name="name"></label>
  <button>Create a token</button>
</form>
`,
      'app/views/pages/tokens/create.liquid': `---
slug: tokens
method: post
authorization_policies: [signed_in]
---
{% liquid
  function name = 'params/text', value: context.params.name
  assign label = name | default: 'token'
  assign user = context.current_user.id
  transaction timeout: 5
    graphql created = 'tokens/create', user: user, name: label
    graphql _ = 'tokens/keep', user: user, token: created.made.id, name: label
  endtransaction
%}
<p>Copy this token now. It is not shown again:</p>
<code>{{ created.made.token }}</code>
`,
      'app/views/pages/tokens/revoke.liquid': `---
slug: tokens/:id/revoke
method: post
authorization_policies: [signed_in]
---
{% liquid
  assign user = context.current_user.id
  graphql found = 'tokens/list', user: user, id: context.params.id
  assign token = found.tokens.results | first
  if token
    graphql _ = 'tokens/revoke', user: user, token: token.token_id, row: token.id
    redirect_to '/tokens'
  else
    response_status 404
  endif
%}
`,
      'app/views/pages/api/me.json.liquid': `---
authorization_policies: [signed_in]
---
{% assign me = { "email": context.current_user.email } %}{{ me | json }}
`,
    }),
    text('More about tokens: [Tokens for programs](production/tokens.html).'),
    ...trial(
      'Create a token, and send it: `curl localhost:3000/api/me.json -H "Authorization: Bearer …"` prints your address.',
      'Revoke it: the same request is answered with 401. The token of another user cannot be revoked.',
    ),
  ],
})

export const webhooks = recipe('webhooks', {
  name: 'Receive signed webhooks',
  summary: 'Accept events of another service only with its signature, soon after they were sent, and each only once.',
  words:
    'webhook webhooks incoming signature hmac sha256 verify replay timestamp idempotent once event callback payment stripe github',
  blocks: [
    text(
      'The sender signs the time and the body with a shared secret. The page computes the same signature from `context.post_params`, the body as it arrived. A time older than five minutes is refused, so a request that somebody recorded is worthless later. Within these minutes, the number of the event is accepted once: the row of the sender is locked first, so that two copies at once wait for each other.',
    ),
    files({
      'app/schema/sender.yml': `name: sender
properties:
  - name: name
  - name: received
    type: integer
`,
      'app/schema/event.yml': `name: event
properties:
  - name: number
  - name: kind
`,
      'app/migrations/20260103090000_sender.liquid': `{% graphql _ = 'senders/create', name: 'till' %}
`,
      'app/graphql/senders/create.graphql': `mutation create($name: String!) {
  sender: record_create(
    record: { table: "sender", properties: [{ name: "name", value: $name }, { name: "received", value_int: 0 }] }
  ) {
    id
  }
}
`,
      'app/graphql/senders/find.graphql': `query find($name: String!) {
  senders: records(per_page: 1, filter: { table: { value: "sender" }, properties: [{ name: "name", value: $name }] }) {
    results {
      id
    }
  }
}
`,
      'app/graphql/senders/lock.graphql': `mutation lock($id: ID!) {
  sender: record_update(id: $id, record: { table: "sender", properties: [{ name: "received", increment: 1 }] }) {
    id
  }
}
`,
      'app/graphql/events/find.graphql': `query find($number: String!) {
  events: records(per_page: 1, filter: { table: { value: "event" }, properties: [{ name: "number", value: $number }] }) {
    results {
      id
    }
  }
}
`,
      'app/graphql/events/create.graphql': `mutation create($number: String!, $kind: String) {
  event: record_create(
    record: { table: "event", properties: [{ name: "number", value: $number }, { name: "kind", value: $kind }] }
  ) {
    id
  }
}
`,
      'app/lib/webhooks/is_genuine.liquid': `{% doc %}
  Returns whether a request is signed with the secret and not older than five minutes.
  @param {string} body
  @param {string} [time] - seconds since 1970
  @param {string} [signature] - hex
  @param {string} [secret]
{% enddoc %}
{% liquid
  assign is_number = time | append: '' | matches: '\\A[0-9]{10}\\z'
  if secret == blank or is_number != true
    return false
  endif
  assign now = 'now' | date: '%s' | plus: 0
  assign age = now | minus: time | abs
  assign expected = time | append: '.' | append: body | compute_hmac: secret
  # The digests of both are compared, so that the time of the comparison tells nothing about the signature.
  assign ours = expected | digest: 'sha256'
  assign theirs = signature | append: '' | digest: 'sha256'
  if ours == theirs and age <= 300
    return true
  endif
  return false
%}
`,
      'app/views/pages/webhooks/till.json.liquid': `---
slug: webhooks/till
method: post
format: json
---
{% liquid
  assign body = context.post_params | append: ''
  assign time = context.headers.HTTP_X_TIME
  assign signature = context.headers.HTTP_X_SIGNATURE
  assign secret = context.constants.TILL_SECRET
  function is_genuine = 'webhooks/is_genuine', body: body, time: time, signature: signature, secret: secret
  function number = 'params/text', value: context.params.id
  function kind = 'params/text', value: context.params.kind
  assign answer = { "ok": true }
  if is_genuine == false or number == nil
    response_status 401
    assign answer = { "ok": false }
  else
    graphql found = 'senders/find', name: 'till'
    transaction timeout: 5
      graphql _ = 'senders/lock', id: found.senders.results[0].id
      graphql known = 'events/find', number: number
      if known.events.results == empty
        graphql _ = 'events/create', number: number, kind: kind
        # What the event changes belongs here, in the same transaction.
      endif
    endtransaction
  endif
%}{{ answer | json }}
`,
    }),
    text(
      'A copy is answered with 200 as well, because the sender repeats everything else. Store the secret with `ingot constants set TILL_SECRET=…`. Most services sign in this way, with other names of headers: read what yours signs.',
    ),
    ...trial(
      'Sign with `printf \'%s.%s\' "$TIME" "$BODY" | openssl dgst -sha256 -hmac "$SECRET"`, and send the body with the headers `X-Time` and `X-Signature`.',
      'A changed body, a wrong secret and a time of yesterday are answered with 401. Twenty copies at once make one row.',
    ),
  ],
})

export const calls = recipe('calls', {
  name: 'Call another service, and try again',
  summary: 'Send events to another server from a job, repeat failed calls later, and see what became of each.',
  words:
    'outgoing http call api request retry retries backoff webhook send deliver idempotency key queue outbox failing timeout',
  blocks: [
    text(
      'The page stores what is to be sent and queues a job, both in one transaction. The job makes the call. If it fails, the job queues itself again: after three seconds, half a minute, five minutes and an hour. The row says how often it was tried and what the other server answered. Each attempt has the same `Idempotency-Key`, because a server may have worked although its answer was lost.',
    ),
    files({
      'app/schema/delivery.yml': `name: delivery
properties:
  - name: dish
  - name: state
  - name: status
    type: integer
  - name: attempts
    type: integer
`,
      'app/api_calls/order.liquid': `---
to: https://partner.example/orders
request_type: POST
request_headers: '{ "Content-Type": "application/json", "Idempotency-Key": "order-{{ data.id }}" }'
---
{{ data | json }}
`,
      'app/graphql/deliveries/create.graphql': `mutation create($dish: String!) {
  delivery: record_create(
    record: {
      table: "delivery"
      properties: [
        { name: "dish", value: $dish }
        { name: "state", value: "waiting" }
        { name: "attempts", value_int: 0 }
      ]
    }
  ) {
    id
  }
}
`,
      'app/graphql/deliveries/find.graphql': `query find($id: ID!) {
  deliveries: records(per_page: 1, filter: { table: { value: "delivery" }, id: { value: $id } }) {
    results {
      id
      dish: property(name: "dish")
      state: property(name: "state")
      attempts: property_int(name: "attempts")
    }
  }
}
`,
      'app/graphql/deliveries/call.graphql': `mutation call($data: HashObject!) {
  call: api_call_send(template: { name: "order" }, data: $data, options: { timeout: 8 }) {
    response {
      status
    }
  }
}
`,
      'app/graphql/deliveries/mark.graphql': `mutation mark($id: ID!, $state: String!, $status: Int!, $attempts: Int!) {
  delivery: record_update(
    id: $id
    record: {
      table: "delivery"
      properties: [
        { name: "state", value: $state }
        { name: "status", value_int: $status }
        { name: "attempts", value_int: $attempts }
      ]
    }
  ) {
    id
  }
}
`,
      'app/lib/deliveries/send.liquid': `{% doc %}
  A job: makes the call of a delivery.
  @param {string} id
{% enddoc %}
{% liquid
  graphql found = 'deliveries/find', id: id
  assign delivery = found.deliveries.results | first
  # The job may run a second time after a crash.
  if delivery.state != 'waiting'
    return
  endif
  assign data = { "id": delivery.id, "dish": delivery.dish }
  graphql sent = 'deliveries/call', data: data
  assign status = sent.call.response.status | default: 0
  assign attempts = delivery.attempts | plus: 1
  assign delays = [0.05, 0.5, 5, 60]
  assign delay = delays[delivery.attempts]
  assign state = 'failed'
  if status >= 200 and status < 300
    assign state = 'sent'
  elsif delay
    assign state = 'waiting'
  endif
  transaction timeout: 5
    graphql _ = 'deliveries/mark', id: id, state: state, status: status, attempts: attempts
    if state == 'waiting'
      background _ = 'deliveries/send', id: id, delay: delay, max_attempts: 3, source_name: 'delivery'
    endif
  endtransaction
%}
`,
      'app/views/pages/deliveries/create.liquid': `---
slug: deliveries
method: post
authorization_policies: [signed_in]
---
{% liquid
  function dish = 'params/text', value: context.params.dish
  assign name = dish | default: 'Soup'
  transaction timeout: 5
    graphql made = 'deliveries/create', dish: name
    background _ = 'deliveries/send', id: made.delivery.id, max_attempts: 3, source_name: 'delivery'
  endtransaction
  redirect_to "/deliveries/{{ made.delivery.id }}.json"
%}
`,
      'app/views/pages/deliveries/show.json.liquid': `---
slug: deliveries/:id
format: json
authorization_policies: [signed_in]
---
{% graphql found = 'deliveries/find', id: context.params.id %}{{ found.deliveries.results | first | json }}
`,
    }),
    text('A status of 0 means that there was no answer. `ingot jobs list` shows the attempts that wait.'),
    ...trial(
      'Start a server that answers 500 once and then 200, and run `INGOT_OUTGOING_STAND_IN=https://partner.example=http://127.0.0.1:9999 ingot dev`: the delivery is sent at the second attempt, with the same key.',
    ),
  ],
})
