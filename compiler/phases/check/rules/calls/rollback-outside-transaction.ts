/** `rollback-outside-transaction`: a `rollback` that can run outside of a transaction. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'

export const rollbackOutsideTransaction = message(
  'rollback-outside-transaction',
  'error',
  'RollbackOutsideTransaction',
  () => ({
    text: '`rollback` can run outside of a transaction here, which raises an error.',
    hint: 'Put `rollback` inside `{% transaction %}…{% endtransaction %}`.',
  }),
  {
    wrong: '{% rollback %}',
    right: '{% transaction %}{% rollback %}{% endtransaction %}',
  },
)
