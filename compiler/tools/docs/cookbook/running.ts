/** Recipes about a running site: work by the clock, features by visitor, files by member. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const scheduled = recipe('scheduled', {
  name: 'Scheduled work: every night at three',
  summary: 'Run work at a time of the day, once a day, on any number of servers.',
  words: 'scheduled schedule cron nightly daily every day time recurring periodic job timer clean up purge old rows',
  blocks: [
    text(
      'The job queues its own next run and does its work in one transaction, so that an error loses neither. The row of the schedule keeps the day of the last run: a job that runs a second time, after a crash or because somebody queued it by hand, ends at once and starts no second series.',
    ),
    files({
      'app/schema/schedule.yml': `name: schedule
properties:
  - name: name
  - name: runs
    type: integer
  - name: last_day
`,
      'app/graphql/schedules/create.graphql': `mutation create($name: String!) {
  schedule: record_create(
    record: { table: "schedule", properties: [{ name: "name", value: $name }, { name: "runs", value_int: 0 }] }
  ) {
    id
  }
}
`,
      'app/graphql/schedules/find.graphql': `query find($name: String!) {
  schedules: records(
    per_page: 1
    filter: { table: { value: "schedule" }, properties: [{ name: "name", value: $name }] }
  ) {
    results {
      id
    }
  }
}
`,
      'app/graphql/schedules/lock.graphql': `mutation lock($id: ID!) {
  schedule: record_update(id: $id, record: { table: "schedule", properties: [{ name: "runs", increment: 1 }] }) {
    last_day: property(name: "last_day")
  }
}
`,
      'app/graphql/schedules/done.graphql': `mutation done($id: ID!, $day: String!) {
  schedule: record_update(id: $id, record: { table: "schedule", properties: [{ name: "last_day", value: $day }] }) {
    id
  }
}
`,
      'app/graphql/hits/remove_old.graphql': `mutation remove_old($before: String!) {
  hits: records_delete_all(table: "hit", filter: { created_at: { lt: $before } }) {
    count
  }
}
`,
      'app/lib/schedules/minutes.liquid': `{% doc %}
  Returns the minutes until an hour of the day, in UTC.
  @param {number} hour
{% enddoc %}
{% liquid
  assign now = 'now' | date: '%s' | plus: 0
  assign passed = now | modulo: 86400
  assign left = hour | times: 3600 | minus: passed
  if left <= 0
    assign left = left | plus: 86400
  endif
  assign minutes = left | divided_by: 60.0
  return minutes
%}
`,
      'app/lib/schedules/nightly.liquid': `{% doc %}
  A job: removes old rows, every night at three.
{% enddoc %}
{% liquid
  assign today = 'now' | date: '%Y-%m-%d'
  graphql found = 'schedules/find', name: 'nightly'
  assign id = found.schedules.results[0].id
  transaction timeout: 60
    graphql locked = 'schedules/lock', id: id
    if locked.schedule.last_day != today
      graphql _ = 'schedules/done', id: id, day: today
      function minutes = 'schedules/minutes', hour: 3
      background _ = 'schedules/nightly', delay: minutes, priority: 'low', max_attempts: 5, source_name: 'nightly'
      # The work itself.
      assign day_ago = 'now' | to_time | add_to_time: -1, 'days' | date: '%Y-%m-%dT%H:%M:%SZ'
      graphql removed = 'hits/remove_old', before: day_ago
      log removed.hits.count, type: 'nightly'
    endif
  endtransaction
%}
`,
      'app/migrations/20260104090000_nightly.liquid': `{% liquid
  graphql _ = 'schedules/create', name: 'nightly'
  function minutes = 'schedules/minutes', hour: 3
  background _ = 'schedules/nightly', delay: minutes, priority: 'low', max_attempts: 5, source_name: 'nightly'
%}
`,
    }),
    text('The rows that it removes are those of [A rate limit](cookbook/rate-limit.html).'),
    ...trial(
      "`ingot jobs list` shows the job with its time. `ingot exec` with `{% background _ = 'schedules/nightly', max_attempts: 1 %}` runs it now; queue it twice, and the row has `runs` 2, but the work was done once.",
    ),
  ],
})

export const flags = recipe('feature-flags', {
  name: 'Feature flags',
  summary: 'Show a new part of the site to some users first, and to a growing share of the others, without a deploy.',
  words: 'feature flag flags toggle rollout percentage beta a/b experiment switch gradual canary',
  blocks: [
    text(
      'A flag is a row with a percentage. Each user has a number from 0 to 99 that depends on the user and the flag only, so a user who sees the new part keeps seeing it while the percentage grows. Users with the role `beta` always see it.',
    ),
    files({
      'app/schema/flag.yml': `name: flag
properties:
  - name: name
  - name: percent
    type: integer
`,
      'app/graphql/flags/find.graphql': `query find($name: String!, $user: ID!) {
  flags: records(per_page: 1, filter: { table: { value: "flag" }, properties: [{ name: "name", value: $name }] }) {
    results {
      percent: property_int(name: "percent")
    }
  }
  users(per_page: 1, filter: { id: { value: $user } }) {
    results {
      roles: property_array(name: "roles")
    }
  }
}
`,
      'app/lib/flags/is_on.liquid': `{% doc %}
  Returns whether a flag is on for the visitor. A flag without a row is off.
  @param {string} name
{% enddoc %}
{% liquid
  assign user = context.current_user.id | default: '0'
  graphql found = 'flags/find', name: name, user: user
  assign flag = found.flags.results | first
  assign visitor = found.users.results | first
  if flag == nil
    return false
  endif
  assign digits = "{{ name }} {{ user }}" | digest: 'sha256' | replace_regex: '[^0-9]', '' | slice: 0, 6
  assign number = digits | plus: 0 | modulo: 100
  if visitor.roles contains 'beta' or number < flag.percent
    return true
  endif
  return false
%}
`,
      'app/views/pages/table.liquid': `{% function is_new = 'flags/is_on', name: 'new_table' %}
{% if is_new %}
  <p>The new table plan</p>
{% else %}
  <p>The old table plan</p>
{% endif %}
`,
    }),
    text('Roles are in [Accounts](guides/accounts.html#roles). All visitors without an account share one number.'),
    ...trial(
      'Set `percent` to 0, 50 and 100: none, about half and all of your users see the new plan. Those of 50 are among those of 60.',
    ),
  ],
})

export const downloads = recipe('downloads', {
  name: 'File downloads for members only',
  summary: 'Offer files that only members can download, by addresses that end after a minute.',
  words: 'download downloads file files private members only protected paid content signed url expire pdf access',
  blocks: [
    text(
      'With `acl: private` a file has no lasting address. The page checks the policy and redirects to an address that is signed for a minute. A member who passes that address on gives away a minute. The address of the page gives away nothing.',
    ),
    files({
      'app/schema/handout.yml': `name: handout
properties:
  - name: title
  - name: file
    type: upload
    options:
      acl: private
`,
      'app/authorization_policies/is_member.liquid': `---
name: is_member
http_status: 403
---
{% liquid
  assign id = context.current_user.id | default: '0'
  graphql found = 'users/roles', id: id
  assign user = found.users.results | first
  if user.roles contains 'member'
    echo true
  endif
%}
`,
      'app/forms/handout.liquid': `---
name: handout
resource: handout
authorization_policies: [is_admin]
fields:
  properties:
    title:
      validation: { presence: true }
    file:
      validation: { presence: true }
redirect_to: /handouts
---
{% form %}
  <label>Title <input name="{{ form.fields.properties.title.name }}"></label>
  {{ form.errors['properties.title'] }}
  <label>File <input type="file" name="{{ form.fields.properties.file.name }}"></label>
  {{ form.errors['properties.file'] }}
  <button>Offer it</button>
{% endform %}
`,
      'app/graphql/handouts/list.graphql': `query list {
  handouts: records(per_page: 100, filter: { table: { value: "handout" } }, sort: [{ id: { order: DESC } }]) {
    results {
      id
      title: property(name: "title")
    }
  }
}
`,
      'app/graphql/handouts/file.graphql': `query file($id: ID!) {
  handouts: records(per_page: 1, filter: { table: { value: "handout" }, id: { value: $id } }) {
    results {
      file: property_upload(name: "file", expires_in: 60) {
        url
      }
    }
  }
}
`,
      'app/views/pages/handouts/new.liquid': `---
slug: handouts/new
authorization_policies: [is_admin]
---
{% include_form 'handout' %}
`,
      'app/views/pages/handouts/index.liquid': `---
slug: handouts
---
{% graphql found = 'handouts/list' %}
{% for handout in found.handouts.results %}<li><a href="/handouts/{{ handout.id }}/file">{{ handout.title }}</a></li>{% endfor %}
`,
      'app/views/pages/handouts/file.liquid': `---
slug: handouts/:id/file
authorization_policies: [is_member]
---
{% liquid
  graphql found = 'handouts/file', id: context.params.id
  assign url = found.handouts.results[0].file.url
  if url
    redirect_to url
  else
    response_status 404
  endif
%}
`,
    }),
    text('`ingot user role me@kitchen.example member` makes a member.'),
    ...trial(
      'Download a handout as a member. Open the page without logging in: 403. Open the address of the file with a changed signature, or after a minute: it is refused.',
    ),
  ],
})
