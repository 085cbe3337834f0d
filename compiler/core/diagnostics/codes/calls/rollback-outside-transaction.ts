/** `rollback-outside-transaction`: a `rollback` that can be reached with no transaction open. */
import { message } from '../../diagnostic.ts'

export const rollbackOutsideTransaction = message(
  'rollback-outside-transaction',
  'error',
  'RollbackOutsideTransaction',
  () => ({
    text: '`rollback` can be reached outside of a transaction, where it raises an error.',
    hint: 'Put it inside `{% transaction %}…{% endtransaction %}`.',
  }),
  {
    wrong: '{% rollback %}',
    right: '{% transaction %}{% rollback %}{% endtransaction %}',
  },
)
