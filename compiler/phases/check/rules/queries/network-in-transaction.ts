/** `network-in-transaction`: a request that is sent to another server while a transaction is open. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { ActionSearch, otherSpan } from '../../site/actions.ts'
import type { CheckedSite } from '../../site/site-rule.ts'

export const networkInTransaction = message(
  'network-in-transaction',
  'warning',
  'WS32',
  (field: string, span: Span | null) => ({
    text: `${quote(field)} runs inside a transaction: rows stay locked until the other server responds, and a rollback cannot undo it.`,
    hint: 'Move the request after `endtransaction`.',
    related: relatedAt(span, 'the request is sent here'),
  }),
  {
    wrong: `{% transaction %}{% graphql sent = 'send' %}{% endtransaction %}{{ sent.api_call_send.response.status }}`,
    right: `{% graphql sent = 'send' %}{{ sent.api_call_send.response.status }}`,
    both: {
      'app/graphql/send.graphql':
        'mutation { api_call_send(template: { name: "order_placed" }) { response { status } } }',
      'app/notifications/api_call_notifications/order_placed.liquid':
        '---\nname: order_placed\nto: https://example.com/orders\nrequest_type: POST\n---\n{}',
    },
  },
)

/** Reports a filter inside of a transaction that loads a file from another server. */
export function checkNetworkFilter(walk: Walk, { name }: FilterCall, filter: string): void {
  if (filter === 'download_file' && walk.flow.inTransaction)
    walk.report(networkInTransaction(name.span, name.name, null))
}

const REQUEST = /^(?:api_call_send|remote_records|remote_users)$/

/** Reports queries and calls inside of a transaction that send requests to other servers. */
export function checkTransactions(checked: CheckedSite): readonly Diagnostic[] {
  const requests = new ActionSearch(checked, (field) => REQUEST.test(field))
  return checked.site.units.flatMap(({ file }) =>
    [...requests.findInParts(file.path, ({ inTransaction }) => inTransaction)].map((action) =>
      networkInTransaction(action.from, action.field, otherSpan(action)),
    ),
  )
}
