/**
 * Translates errors of the database for the sender of a query: a sentence without SQL, internal names or other users'
 * values.
 */
import { codeOf } from '../../../core/error-code.ts'
import { failureOf } from '../../../data/store/failure.ts'

export interface ExplainedFailure {
  readonly message: string
  /** `extensions.code` of the error. */
  readonly code:
    | 'DUPLICATE'
    | 'VALUE'
    | 'CONFLICT'
    | 'TIMEOUT'
    | 'UNREACHABLE'
    | 'FULL'
    | 'READ_ONLY'
    | 'TOO_LARGE'
    | 'INTERNAL'
  /** Whether the site's author, not the operator, can fix it; then it is not logged as an error. */
  readonly expected: boolean
}

/** What must be unique, by the name of the unique index. */
const UNIQUE: Readonly<Record<string, string>> = {
  users_email: 'A user with this email exists already',
  users_slug: 'A user with this slug exists already',
  records_pkey: 'A record with this id exists already',
  users_pkey: 'A user with this id exists already',
  constants_name_key: 'A constant of this name was set at the same moment: try again',
  activities_uuid_key: 'An activity with this uuid exists already',
}

/** Whether the connection failed, so that another server or a later attempt may succeed. */
export function isUnreachable(error: unknown): boolean {
  const kind = failureOf(error)?.kind
  return kind === 'away' || kind === 'starting' || kind === 'crowded' || kind === 'refused'
}

export function explainFailure(error: unknown): ExplainedFailure {
  if (isUnreachable(error)) return answer('UNREACHABLE', 'The database is not reachable', false)
  switch (failureOf(error)?.kind) {
    case 'full':
      return answer('FULL', 'The database has no room left', false)
    case 'stopped':
      return answer('TIMEOUT', 'The query took too long and was stopped')
    case 'conflict':
      return answer('CONFLICT', 'The same data were changed at the same moment: try again')
    case 'rights':
      return answer('READ_ONLY', 'The database cannot be changed at the moment', false)
  }
  const code = codeOf(error) ?? ''
  switch (code) {
    case '23505':
      return answer('DUPLICATE', UNIQUE[constraintOf(error)] ?? 'A row with the same unique value exists already')
    case '55P03':
      return answer('CONFLICT', 'The data are being changed by someone else: try again')
    case 'IN001':
      // Raised by our own functions, with a message for the sender.
      return answer('VALUE', error instanceof Error ? error.message : 'A value does not fit')
    case '22021':
    case '22P05':
      return answer('VALUE', 'A text holds a character that cannot be stored')
    case '22003':
    case '22008':
      return answer('VALUE', 'A number or a time is out of range')
  }
  if (code === '54000' && /^index row/.test(error instanceof Error ? error.message : ''))
    return answer('VALUE', 'A text is longer than what rows can be found by')
  // Class 22: invalid data; class 23: integrity constraint violations; class 54: limits of the database.
  if (code.startsWith('22')) return answer('VALUE', 'A value does not fit')
  if (code.startsWith('23')) return answer('VALUE', 'A value breaks a rule of the data')
  if (code.startsWith('54')) return answer('TOO_LARGE', 'The query is too large for the database')
  return answer('INTERNAL', 'The query failed: the log of the server says why', false)
}

function answer(code: ExplainedFailure['code'], message: string, expected = true): ExplainedFailure {
  return { code, message, expected }
}

function constraintOf(error: unknown): string {
  const named = typeof error === 'object' && error !== null && 'constraint_name' in error ? error.constraint_name : null
  return typeof named === 'string' && Object.hasOwn(UNIQUE, named) ? named : ''
}
