/** The sixth chapter: a desk for administrators, and a weekly mail. */
import { change, type Chapter, follow, look, mail, missing, open, press, says, step, visit, write } from './step.ts'

const OF_EVENT = `query of_event($event: ID!) {
  events: records(per_page: 1, filter: { table: { value: "event" }, id: { value: $event } }) {
    results {
      id
      title: property(name: "title")
      registrations: related_records(
        table: "registration"
        join_on_property: "id"
        foreign_property: "event_id"
        limit: 1000
        sort: [{ properties: [{ name: "number", order: ASC }] }]
      ) {
        user_id
        state: property(name: "state")
        user: related_user { email }
      }
    }
  }
}
`

const DESK = `---
slug: admin
authorization_policies:
  - is_admin
---
{% liquid
  assign now = 'now' | to_time | date: '%Y-%m-%dT%H:%M:%SZ'
  graphql found = 'events/upcoming', now: now
%}
{% content_for 'title' %}{{ 'desk.title' | t }}{% endcontent_for %}
<h1>{{ 'desk.title' | t }}</h1>
<p><a class="button" href="/events/new">{{ 'events.new' | t }}</a> <a href="/admin/users">{{ 'accounts.users' | t }}</a></p>
<div class="wide">
  <table>
    <thead>
      <tr>
        <th scope="col">{{ 'events.fields.title' | t }}</th>
        <th scope="col">{{ 'events.fields.starts_at' | t }}</th>
        <th scope="col">{{ 'events.fields.places' | t }}</th>
      </tr>
    </thead>
    <tbody>
      {% for event in found.events.results %}
        <tr>
          <th scope="row"><a href="/admin/events/{{ event.id }}">{{ event.title }}</a></th>
          <td>{{ event.starts_at | l: 'events_minute' }}</td>
          <td>{{ event.taken }} / {{ event.places }}</td>
        </tr>
      {% endfor %}
    </tbody>
  </table>
</div>
`

const PARTICIPANTS = `---
slug: admin/events/:id
authorization_policies:
  - is_admin
---
{% liquid
  graphql found = 'registrations/of_event', event: context.params.id
  assign event = found.events.results | first
  if event == nil
    response_status 404
  endif
%}
{% content_for 'title' %}{{ 'desk.participants' | t }}{% endcontent_for %}
{% if event %}
  <h1>{{ event.title }}</h1>
  <p><a href="/events/{{ event.id }}">{{ 'registrations.mails.look' | t }}</a></p>
  <div class="wide">
    <table>
      <thead>
        <tr>
          <th scope="col">{{ 'accounts.email' | t }}</th>
          <th scope="col">{{ 'desk.state' | t }}</th>
          <th scope="col"><span class="soft">{{ 'desk.remove' | t }}</span></th>
        </tr>
      </thead>
      <tbody>
        {% for registration in event.registrations %}
          <tr>
            <th scope="row">{{ registration.user.email }}</th>
            <td>{% if registration.state == 'place' %}{{ 'desk.place' | t }}{% else %}{{ 'desk.waiting' | t }}{% endif %}</td>
            <td>
              <form action="/admin/events/{{ event.id }}/remove" method="post">
                <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
                <input type="hidden" name="user" value="{{ registration.user_id }}">
                <button class="button-quiet">{{ 'desk.remove' | t }}</button>
              </form>
            </td>
          </tr>
        {% endfor %}
      </tbody>
    </table>
  </div>
{% else %}
  <h1>{{ 'events.unknown' | t }}</h1>
{% endif %}
`

const REMOVE = `---
slug: admin/events/:id/remove
method: post
authorization_policies:
  - is_admin
---
{% liquid
  graphql found = 'events/find', id: context.params.id
  assign event = found.events.results | first
  if event == nil
    response_status 404
    break
  endif
  function _ = 'registrations/leave', event: event.id, user: context.params.user
  redirect_to "/admin/events/{{ event.id }}"
%}
`

const WEEK = `query week($from: String!, $to: String!) {
  events: records(
    per_page: 100
    filter: { table: { value: "event" }, properties: [{ name: "starts_at", range: { gte: $from, lt: $to } }] }
  ) {
    results {
      registrations: related_records(
        table: "registration"
        join_on_property: "id"
        foreign_property: "event_id"
        limit: 1000
        filter: { properties: [{ name: "state", value: "place" }] }
      ) {
        id
      }
    }
  }
}
`

const REMIND = `{% doc %}
  A job of every week: reminds members of the events of the next seven days.
{% enddoc %}
{% liquid
  background _ = 'registrations/remind', delay: 10080, max_attempts: 3, source_name: 'weekly reminder'
  assign from = 'now' | to_time | date: '%Y-%m-%dT%H:%M:%SZ'
  assign to = 'now' | to_time | add_to_time: 7, 'days' | date: '%Y-%m-%dT%H:%M:%SZ'
  graphql found = 'events/week', from: from, to: to
  for event in found.events.results
    for registration in event.registrations
      background _ = 'registrations/tell', id: registration.id, about: 'reminder', max_attempts: 5
    endfor
  endfor
%}
`

export const desk: Chapter = {
  file: 'desk',
  name: '6. The desk and a weekly mail',
  summary: 'Give administrators a list of participants, and remind members once a week.',
  words: 'tutorial admin desk policy participants job weekly cron schedule reminder migration',
  steps: [
    step(
      'The desk',
      'admin page policy navigation',
      says(
        'The desk shows the coming events and who takes part. Its pages name the policy `is_admin`, also the one that removes somebody: what may be done is decided where it is done.',
      ),
      write('app/graphql/registrations/of_event.graphql', OF_EVENT),
      write('app/views/pages/admin/index.liquid', DESK),
      write('app/views/pages/admin/events/show.liquid', PARTICIPANTS),
      write('app/views/pages/admin/events/remove.liquid', REMOVE),
      write(
        'app/translations/desk.en.yml',
        `en:
  desk:
    title: Desk
    participants: Participants
    place: Has a place
    remove: Remove
    state: State
    waiting: Waits
`,
      ),
      says('Add it to the navigation, for administrators only.'),
      change(
        'app/views/layouts/application.liquid',
        `          <li><a href="/">{{ 'site.home' | t }}</a></li>
`,
        `          <li><a href="/">{{ 'site.home' | t }}</a></li>
          {% function is_admin = 'accounts/is_admin' %}
          {% if is_admin %}<li><a href="/admin">{{ 'desk.title' | t }}</a></li>{% endif %}
`,
      ),
      visit('Ada', [open('/'), follow('Desk'), follow('Regatta')], 'ben@club.example', 'Has a place'),
      missing('Ben', '/admin'),
    ),
    step(
      'A weekly mail',
      'job cron schedule weekly migration reminder',
      says(
        'A job that queues its own next run repeats itself. This one queues a mail for each place of the next seven days; `delay` is in minutes. A migration starts it: it runs once, when the site that contains it is served first.',
      ),
      write('app/graphql/events/week.graphql', WEEK),
      change('app/lib/registrations/tell.liquid', `\`joined\` or \`moved\``, `\`joined\`, \`moved\` or \`reminder\``),
      change(
        'app/translations/registrations.en.yml',
        `      waiting: 'You are on`,
        `      reminder: 'This week: %{title}'
      waiting: 'You are on`,
      ),
      write('app/lib/registrations/remind.liquid', REMIND),
      says('Let Ben register for the event of this week before you start the job.'),
      visit('Ben', [open('/'), follow('Row & barbecue'), press('Register')], 'You have a place.'),
      write(
        'app/migrations/20260301090000_start_weekly_reminder.liquid',
        `{% background _ = 'registrations/remind', delay: 0, max_attempts: 3, source_name: 'weekly reminder' %}
`,
      ),
      mail('ben@club.example', 'This week: Row & barbecue'),
      look('Ben', '/', ['Row & barbecue']),
    ),
  ],
}
