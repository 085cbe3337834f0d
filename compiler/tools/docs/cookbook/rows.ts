/** Recipes about what happens to rows. */
import { files, recipe, text, trial } from '../guides/guide.ts'

export const softDelete = recipe('soft-delete', {
  name: 'Delete and restore',
  summary: 'Remove rows so that administrators can bring them back within 30 days.',
  words: 'soft delete restore undelete undo trash bin recycle deleted_at remove bring back recover',
  blocks: [
    text(
      'Nothing is needed for the first part: `record_delete` sets `deleted_at`, and queries no longer find the row. A query that mentions `deleted_at` in its filter does find it, and setting it to null brings the row back. After 30 days it is gone.',
    ),
    files({
      'app/graphql/wines/remove.graphql': `mutation remove($id: ID!) {
  wine: record_delete(table: "wine", id: $id) {
    id
  }
}
`,
      'app/graphql/wines/removed.graphql': `query removed {
  wines: records(
    per_page: 100
    filter: { table: { value: "wine" }, deleted_at: { exists: true } }
    sort: [{ deleted_at: { order: DESC } }]
  ) {
    results {
      id
      name: property(name: "name")
    }
  }
}
`,
      'app/graphql/wines/restore.graphql': `mutation restore($id: ID!) {
  wine: record_update(id: $id, record: { table: "wine", deleted_at: null }) {
    id
  }
}
`,
      'app/views/pages/wines/remove.liquid': `---
slug: wines/:id/remove
method: post
authorization_policies: [is_admin]
---
{% graphql _ = 'wines/remove', id: context.params.id %}
{% redirect_to '/bin' %}
`,
      'app/views/pages/bin.liquid': `---
authorization_policies: [is_admin]
---
{% graphql found = 'wines/removed' %}
{% for wine in found.wines.results %}
  <form action="/wines/{{ wine.id }}/restore" method="post">
    <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
    {{ wine.name }} <button>Restore</button>
  </form>
{% endfor %}
`,
      'app/views/pages/wines/restore.liquid': `---
slug: wines/:id/restore
method: post
authorization_policies: [is_admin]
---
{% graphql _ = 'wines/restore', id: context.params.id %}
{% redirect_to '/wines' %}
`,
    }),
    text('Rows of other tables stay. They belong to the row again after it is restored.'),
    ...trial('Remove a wine: `/wines` does not have it, `/bin` does. Restore it: it is the other way round.'),
  ],
})

export const auditLog = recipe('audit-log', {
  name: 'An audit log',
  summary: 'Record who changed what, from which value to which, together with the change.',
  words: 'audit log trail history changes who changed version versions track activity compliance before after',
  blocks: [
    text(
      'The change and its entry are one transaction: there is never one without the other. The old values are read after the row is locked, by the same increment of 0 as in [A waiting list](cookbook/waiting-list.html), so that two editors at once leave a chain without a gap.',
    ),
    files({
      'app/schema/change.yml': `name: change
properties:
  - name: what
  - name: row_id
  - name: before
  - name: after
`,
      'app/graphql/wines/lock.graphql': `mutation lock($id: ID!) {
  wine: record_update(id: $id, record: { table: "wine", properties: [{ name: "price", increment: 0 }] }) {
    price: property_int(name: "price")
  }
}
`,
      'app/graphql/wines/set_price.graphql': `mutation set_price($id: ID!, $price: Int!) {
  wine: record_update(id: $id, record: { table: "wine", properties: [{ name: "price", value_int: $price }] }) {
    price: property_int(name: "price")
  }
}
`,
      'app/graphql/changes/create.graphql': `mutation create($user: ID, $what: String!, $row: String!, $before: String!, $after: String!) {
  change: record_create(
    record: {
      table: "change"
      user_id: $user
      properties: [
        { name: "what", value: $what }
        { name: "row_id", value: $row }
        { name: "before", value: $before }
        { name: "after", value: $after }
      ]
    }
  ) {
    id
  }
}
`,
      'app/graphql/changes/list.graphql': `query list {
  changes: records(per_page: 100, filter: { table: { value: "change" } }, sort: [{ id: { order: DESC } }]) {
    results {
      created_at
      what: property(name: "what")
      row_id: property(name: "row_id")
      before: property(name: "before")
      after: property(name: "after")
      user: related_user {
        email
      }
    }
  }
}
`,
      'app/lib/changes/note.liquid': `{% doc %}
  Writes an entry of the audit log. Call it in the transaction of the change.
  @param {string} what
  @param {string} row
  @param {object} before
  @param {object} after
{% enddoc %}
{% liquid
  assign old = before | json
  assign new = after | json
  graphql noted = 'changes/create', user: context.current_user.id, what: what, row: row, before: old, after: new
  return noted.change.id
%}
`,
      'app/views/pages/wines/price.liquid': `---
slug: wines/:id/price
method: post
authorization_policies: [is_admin]
---
{% liquid
  function price = 'params/number', value: context.params.price
  assign id = context.params.id
  assign is_changed = false
  if price
    transaction timeout: 5
      graphql locked = 'wines/lock', id: id
      if locked.wine == nil
        rollback
      endif
      graphql changed = 'wines/set_price', id: id, price: price
      function entry = 'changes/note', what: 'wine', row: id, before: locked.wine, after: changed.wine
      if entry == nil
        rollback
      endif
      assign is_changed = true
    endtransaction
  endif
  if is_changed
    redirect_to '/changes'
  else
    response_status 422
  endif
%}
`,
      'app/views/pages/changes.liquid': `---
authorization_policies: [is_admin]
---
{% graphql found = 'changes/list' %}
{% for change in found.changes.results %}
  <li>{{ change.created_at }} {{ change.user.email }}: {{ change.what }} {{ change.row_id }}, {{ change.before }} → {{ change.after }}</li>
{% endfor %}
`,
    }),
    text('No page changes or deletes rows of `change`.'),
    ...trial('Change a price ten times at once: `before` of each entry is `after` of the one before it.'),
  ],
})
