/**
 * Converts database errors into messages for the sender of a query. The messages contain no SQL, internal names or
 * values of other users.
 */
import { errorCodeOf } from '../../../core/error-code.ts'
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
  /** Whether the site's author can fix the problem. Such failures are not logged as errors. */
  readonly expected: boolean
}

/** Messages for violated unique indexes, by index name. */
const UNIQUE_MESSAGES: Readonly<Record<string, string>> = {
  users_email: 'A user with this email exists already',
  users_slug: 'A user with this slug exists already',
  records_pkey: 'A record with this id exists already',
  users_pkey: 'A user with this id exists already',
  constants_name_key: 'A constant of this name was set at the same time: try again',
  activities_uuid_key: 'An activity with this uuid exists already',
}

/** Code of a transaction that was rolled back because of another one. */
export const CONFLICT = 'CONFLICT'

/** Whether the connection failed, so that another server or a later attempt may succeed. */
export function isUnreachable(error: unknown): boolean {
  const kind = failureOf(error)?.kind
  return kind === 'away' || kind === 'starting' || kind === 'crowded' || kind === 'refused'
}

/** Returns the message, the code and the log level for a database error. */
export function explainFailure(error: unknown): ExplainedFailure {
  if (isUnreachable(error)) return createFailure('UNREACHABLE', 'The database is not reachable', false)
  switch (failureOf(error)?.kind) {
    case 'full':
      return createFailure('FULL', 'The database has no space left', false)
    case 'stopped':
      return createFailure('TIMEOUT', 'The query took too long and was stopped')
    case 'conflict':
      return createFailure(CONFLICT, 'The same data was changed at the same time: try again')
    case 'rights':
      return createFailure('READ_ONLY', 'The database cannot be changed at the moment', false)
  }
  const code = errorCodeOf(error) ?? ''
  switch (code) {
    case '23505':
      return createFailure(
        'DUPLICATE',
        UNIQUE_MESSAGES[findConstraint(error)] ?? 'A row with the same unique value exists already',
      )
    case '55P03':
      return createFailure('CONFLICT', 'The data is being changed by another request: try again')
    case 'IN001':
      // Raised by Ingot's own database functions, with a message for the sender.
      return createFailure('VALUE', error instanceof Error ? error.message : 'A value does not fit')
    case '22021':
    case '22P05':
      return createFailure('VALUE', 'A text contains a character that cannot be stored')
    case '22003':
    case '22008':
      return createFailure('VALUE', 'A number or a time is out of range')
  }
  if (code === '54000' && /^index row/.test(error instanceof Error ? error.message : ''))
    return createFailure('VALUE', 'A text is too long for an index')
  // Class 22: invalid data; class 23: integrity constraint violations; class 54: limits of the database.
  if (code.startsWith('22')) return createFailure('VALUE', 'A value does not fit')
  if (code.startsWith('23')) return createFailure('VALUE', 'A value breaks a rule of the data')
  if (code.startsWith('54')) return createFailure('TOO_LARGE', 'The query is too large for the database')
  return createFailure('INTERNAL', 'The query failed. See the server log for the reason', false)
}

function createFailure(code: ExplainedFailure['code'], message: string, isExpected = true): ExplainedFailure {
  return { code, message, expected: isExpected }
}

function findConstraint(error: unknown): string {
  const constraintName =
    typeof error === 'object' && error !== null && 'constraint_name' in error ? error.constraint_name : null
  return typeof constraintName === 'string' && Object.hasOwn(UNIQUE_MESSAGES, constraintName) ? constraintName : ''
}
