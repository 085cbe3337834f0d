/** `rollback-outside-transaction`: a `rollback` that can run outside of a transaction. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { UnitFacts } from '../../walk/facts.ts'

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

/** Returns whether a template has a `rollback` that no transaction of the same template contains. */
function hasUnguardedRollback(facts: UnitFacts | undefined): boolean {
  return facts?.notes.some(({ note, inTransaction }) => note.kind === 'rollback' && !inTransaction) === true
}

/**
 * Reports each `rollback` that can run without a transaction. It follows the calls from the roots. A call with a computed name that may run
 * any partial is ignored, because some partials are intended only for use in a transaction.
 */
export function checkRollbacks({ site, siteTemplates, roots, factsOf, ownFacts }: CheckedSite): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  if (!siteTemplates.some(({ key }) => hasUnguardedRollback(factsOf(key)))) return diagnostics
  /** The visited files. A file is visited separately with and without an open transaction. */
  const visits = new Map<string, { readonly file: string; readonly isTransactionOpen: boolean }>()
  const addVisit = (file: string, isTransactionOpen: boolean) => {
    const key = `${isTransactionOpen} ${file}`
    if (!visits.has(key)) visits.set(key, { file, isTransactionOpen })
  }
  for (const file of roots) {
    const kind = site.byFile.get(file)?.file.kind
    // A migration runs in its own transaction. The library may render a partial or layout in a transaction of its host.
    addVisit(file, kind === 'migration' || (site.openEntries && (kind === 'partial' || kind === 'layout')))
  }
  for (const { file, isTransactionOpen } of visits.values()) {
    for (const facts of ownFacts(file)) {
      for (const { note, inTransaction } of facts.notes)
        if (note.kind === 'rollback' && !inTransaction && !isTransactionOpen)
          diagnostics.push(rollbackOutsideTransaction(note.span))
      // A job begins after the end of the transaction that queued it.
      for (const { kind, inTransaction, targets } of facts.calls)
        for (const target of targets ?? [])
          addVisit(target, kind !== 'background' && (isTransactionOpen || inTransaction))
    }
  }
  return diagnostics
}
