/** Recipes about places that several visitors want at once. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const places = recipe('places', {
  name: 'Places with a limit',
  summary: 'Let visitors book a place of an event, never more than there are, however many click at once.',
  words:
    'booking book reserve reservation seats tickets capacity stock sold out limit lock race condition concurrent at once oversell event',
  blocks: [
    text(
      'The event keeps the number of its free places. Taking one subtracts 1, which locks the row of the event until the transaction ends: the next visitor waits, and then sees the new number. So the page changes first and decides after that. `rollback` gives the place back.',
    ),
    files({
      'app/schema/evening.yml': `name: evening
properties:
  - name: name
  - name: free
    type: integer
`,
      'app/schema/booking.yml': `name: booking
properties:
  - name: evening_id
    belongs_to: evening
`,
      'app/graphql/evenings/find.graphql': `query find($id: ID!) {
  evenings: records(per_page: 1, filter: { table: { value: "evening" }, id: { value: $id } }) {
    results {
      id
      name: property(name: "name")
      free: property_int(name: "free")
    }
  }
}
`,
      'app/graphql/evenings/take.graphql': `mutation take($id: ID!) {
  evening: record_update(id: $id, record: { table: "evening", properties: [{ name: "free", decrement: 1 }] }) {
    free: property_int(name: "free")
  }
}
`,
      'app/graphql/bookings/mine.graphql': `query mine($evening: String!, $user: ID!) {
  bookings: records(
    per_page: 1
    filter: {
      table: { value: "booking" }
      user_id: { value: $user }
      properties: [{ name: "evening_id", value: $evening }]
    }
  ) {
    results {
      id
    }
  }
}
`,
      'app/graphql/bookings/create.graphql': `mutation create($evening: String!, $user: ID!) {
  booking: record_create(
    record: { table: "booking", user_id: $user, properties: [{ name: "evening_id", value: $evening }] }
  ) {
    id
  }
}
`,
      'app/lib/evenings/book.liquid': `{% doc %}
  Books a place. Returns booked, full, twice or unknown.
  @param {string} evening
  @param {string} user
{% enddoc %}
{% liquid
  assign state = 'booked'
  transaction timeout: 5
    graphql taken = 'evenings/take', id: evening
    graphql mine = 'bookings/mine', evening: evening, user: user
    if taken.evening == nil
      assign state = 'unknown'
      rollback
    elsif mine.bookings.results.size > 0
      assign state = 'twice'
      rollback
    elsif taken.evening.free < 0
      assign state = 'full'
      rollback
    endif
    graphql _ = 'bookings/create', evening: evening, user: user
  endtransaction
  return state
%}
`,
      'app/views/pages/evenings/show.liquid': `---
slug: evenings/:id
---
{% liquid
  graphql found = 'evenings/find', id: context.params.id
  assign evening = found.evenings.results | first
%}
{% if evening %}
  <h1>{{ evening.name }}</h1>
  <p>{{ evening.free }} places are free.</p>
  <form action="/evenings/{{ evening.id }}/book" method="post">
    <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
    <button>Book a place</button>
  </form>
{% else %}
  {% response_status 404 %}
{% endif %}
`,
      'app/views/pages/evenings/book.liquid': `---
slug: evenings/:id/book
method: post
authorization_policies: [signed_in]
---
{% function state = 'evenings/book', evening: context.params.id, user: context.current_user.id %}
{% case state %}
  {% when 'booked' %}
    <p>The place is yours.</p>
  {% when 'twice' %}
    <p>You have a place already.</p>
  {% when 'full' %}
    {% response_status 409 %}
    <p>All places are taken.</p>
  {% else %}
    {% response_status 404 %}
{% endcase %}
`,
    }),
    text(
      'The question "has this visitor a place already?" is asked after the lock, so that two clicks at once give one place. To change the limit, change `free` by the difference, with `increment` or `decrement`. If fewer places are free than you take away, `free` is negative: nobody loses a place, and the next is free when enough were returned.',
    ),
    ...trial(
      'Create an evening with five places: `ingot exec` with a `record_create`, or `ingot generate crud`.',
      'Send twenty bookings at once, each as another user ([tokens](cookbook/user-tokens.html) are handy): five are answered with 200 and fifteen with 409, and the evening has 0 free places.',
    ),
  ],
})

export const waitingList = recipe('waiting-list', {
  name: 'A waiting list',
  summary: 'Put visitors on a list when everything is taken, and give a returned place to the first of them.',
  words: 'waiting list waitlist queue cancel booking next in line promote full event',
  blocks: [
    text(
      'This goes on with [Places with a limit](cookbook/places.html). Both pages begin by locking the evening: an increment by 0 changes nothing, but waits for all others that take or return places of it. A returned place goes to the first of the list in the same transaction, so nobody can take it in between.',
    ),
    files({
      'app/schema/waiting.yml': `name: waiting
properties:
  - name: evening_id
    belongs_to: evening
`,
      'app/graphql/evenings/lock.graphql': `mutation lock($id: ID!) {
  evening: record_update(id: $id, record: { table: "evening", properties: [{ name: "free", increment: 0 }] }) {
    free: property_int(name: "free")
  }
}
`,
      'app/graphql/evenings/give_back.graphql': `mutation give_back($id: ID!) {
  evening: record_update(id: $id, record: { table: "evening", properties: [{ name: "free", increment: 1 }] }) {
    id
  }
}
`,
      'app/graphql/bookings/remove.graphql': `mutation remove($id: ID!) {
  booking: record_delete(table: "booking", id: $id) {
    id
  }
}
`,
      'app/graphql/waiting/list.graphql': `query list($evening: String!, $user: ID) {
  waiting: records(
    per_page: 1
    filter: {
      table: { value: "waiting" }
      user_id: { value: $user }
      properties: [{ name: "evening_id", value: $evening }]
    }
    sort: [{ id: { order: ASC } }]
  ) {
    results {
      id
      user_id
      user: related_user {
        email
      }
    }
  }
}
`,
      'app/graphql/waiting/create.graphql': `mutation create($evening: String!, $user: ID!) {
  waiting: record_create(
    record: { table: "waiting", user_id: $user, properties: [{ name: "evening_id", value: $evening }] }
  ) {
    id
  }
}
`,
      'app/graphql/waiting/remove.graphql': `mutation remove($id: ID!) {
  waiting: record_delete(table: "waiting", id: $id) {
    id
  }
}
`,
      'app/lib/evenings/wait.liquid': `{% doc %}
  Puts a user on the waiting list. Returns waiting, free, twice or unknown.
  @param {string} evening
  @param {string} user
{% enddoc %}
{% liquid
  assign state = 'waiting'
  transaction timeout: 5
    graphql locked = 'evenings/lock', id: evening
    graphql booked = 'bookings/mine', evening: evening, user: user
    graphql listed = 'waiting/list', evening: evening, user: user
    assign rows = booked.bookings.results.size | plus: listed.waiting.results.size
    if locked.evening == nil
      assign state = 'unknown'
    elsif rows > 0
      assign state = 'twice'
    elsif locked.evening.free > 0
      assign state = 'free'
    else
      graphql _ = 'waiting/create', evening: evening, user: user
    endif
  endtransaction
  return state
%}
`,
      'app/lib/evenings/cancel.liquid': `{% doc %}
  Returns the place of a user. It goes to the first on the waiting list. Returns cancelled or unknown.
  @param {string} evening
  @param {string} user
{% enddoc %}
{% liquid
  assign state = 'cancelled'
  transaction timeout: 5
    graphql locked = 'evenings/lock', id: evening
    graphql mine = 'bookings/mine', evening: evening, user: user
    assign booking = mine.bookings.results | first
    if locked.evening == nil or booking == nil
      assign state = 'unknown'
      rollback
    endif
    graphql _ = 'bookings/remove', id: booking.id
    graphql list = 'waiting/list', evening: evening
    assign next = list.waiting.results | first
    if next
      graphql _ = 'waiting/remove', id: next.id
      graphql _ = 'bookings/create', evening: evening, user: next.user_id
      assign data = { "to": next.user.email }
      graphql _ = 'mails/place', data: data
    else
      graphql _ = 'evenings/give_back', id: evening
    endif
  endtransaction
  return state
%}
`,
      'app/graphql/mails/place.graphql': `mutation place($data: HashObject!) {
  sent: email_send(template: { name: "place" }, data: $data) {
    is_scheduled_to_send
  }
}
`,
      'app/emails/place.liquid': `---
to: "{{ data.to }}"
from: Kitchen <hello@kitchen.example>
subject: A place for you
layout: ''
---
<p>Somebody could not come. Their place is yours now.</p>
`,
      'app/views/pages/evenings/wait.liquid': `---
slug: evenings/:id/wait
method: post
authorization_policies: [signed_in]
---
{% function state = 'evenings/wait', evening: context.params.id, user: context.current_user.id %}
{% case state %}
  {% when 'waiting', 'twice' %}
    <p>You are on the list.</p>
  {% when 'free' %}
    {% response_status 409 %}
    <p>A place is free: book it.</p>
  {% else %}
    {% response_status 404 %}
{% endcase %}
`,
      'app/views/pages/evenings/cancel.liquid': `---
slug: evenings/:id/cancel
method: post
authorization_policies: [signed_in]
---
{% function state = 'evenings/cancel', evening: context.params.id, user: context.current_user.id %}
{% if state == 'cancelled' %}
  <p>Your place is free for somebody else.</p>
{% else %}
  {% response_status 404 %}
{% endif %}
`,
    }),
    text('The mail is written inside the transaction, so it is sent only if the place has really changed hands.'),
    ...trial(
      'Book all places, and wait as three other users. When five users cancel at once, the three who wait have places, two places are free, and `/_ingot/outbox` has three mails.',
    ),
  ],
})
