/**
 * The migrations from an empty database to the tables of this version, in order. A released migration never changes.
 */
import type { Sql } from '../../../../runtime/data/sql/sql.ts'
import { sql as data } from './0001-data.ts'
import { sql as declared } from './0002-declared.ts'
import { sql as accounts } from './0003-accounts.ts'
import { sql as forms } from './0004-forms.ts'
import { sql as files } from './0005-files.ts'
import { sql as oneTimePasswords } from './0006-one-time-passwords.ts'
import { sql as jobs } from './0007-jobs.ts'
import { sql as notifications } from './0008-notifications.ts'
import { sql as logs } from './0009-logs.ts'
import { sql as cache } from './0010-cache.ts'
import { sql as services } from './0011-services.ts'
import { sql as jobSilence } from './0012-job-silence.ts'
import { sql as jobRenewals } from './0013-job-renewals.ts'
import { sql as usedPasswords } from './0014-used-passwords.ts'
import { sql as undeclared } from './0015-undeclared.ts'
import { sql as userIds } from './0016-user-ids.ts'
import { sql as documents } from './0017-documents.ts'
import { sql as rowIds } from './0018-row-ids.ts'
import { sql as searchIndexes } from './0019-search-indexes.ts'
import { sql as receipts } from './0020-receipts.ts'
import { sql as servers } from './0021-servers.ts'
import { sql as returnedJobs } from './0022-returned-jobs.ts'
import { sql as releases } from './0023-releases.ts'
import { sql as instance } from './0024-instance.ts'
import { sql as deploys } from './0025-deploys.ts'
import { sql as dataSource } from './0026-data-source.ts'
import { sql as edits } from './0027-edits.ts'
import { sql as transfers } from './0028-transfers.ts'
import { sql as requests } from './0029-requests.ts'
import { sql as sentUploads } from './0030-sent-uploads.ts'
import { sql as serverEnvironments } from './0031-server-environments.ts'
import { sql as sentCode } from './0032-sent-code.ts'
import { sql as nearWords } from './0033-near-words.ts'
import { sql as userTokens } from './0034-user-tokens.ts'
import { sql as changes } from './0035-changes.ts'
import { sql as channels } from './0036-channels.ts'
import { sql as identities } from './0037-identities.ts'
import { sql as converting } from './0038-converting.ts'

export interface Migration {
  readonly name: string
  /** The statements, which run in one transaction. */
  readonly sql: Sql
}

export const migrations: readonly Migration[] = [
  { name: '0001-data', sql: data },
  { name: '0002-declared', sql: declared },
  { name: '0003-accounts', sql: accounts },
  { name: '0004-forms', sql: forms },
  { name: '0005-files', sql: files },
  { name: '0006-one-time-passwords', sql: oneTimePasswords },
  { name: '0007-jobs', sql: jobs },
  { name: '0008-notifications', sql: notifications },
  { name: '0009-logs', sql: logs },
  { name: '0010-cache', sql: cache },
  { name: '0011-services', sql: services },
  { name: '0012-job-silence', sql: jobSilence },
  { name: '0013-job-renewals', sql: jobRenewals },
  { name: '0014-used-passwords', sql: usedPasswords },
  { name: '0015-undeclared', sql: undeclared },
  { name: '0016-user-ids', sql: userIds },
  { name: '0017-documents', sql: documents },
  { name: '0018-row-ids', sql: rowIds },
  { name: '0019-search-indexes', sql: searchIndexes },
  { name: '0020-receipts', sql: receipts },
  { name: '0021-servers', sql: servers },
  { name: '0022-returned-jobs', sql: returnedJobs },
  { name: '0023-releases', sql: releases },
  { name: '0024-instance', sql: instance },
  { name: '0025-deploys', sql: deploys },
  { name: '0026-data-source', sql: dataSource },
  { name: '0027-edits', sql: edits },
  { name: '0028-transfers', sql: transfers },
  { name: '0029-requests', sql: requests },
  { name: '0030-sent-uploads', sql: sentUploads },
  { name: '0031-server-environments', sql: serverEnvironments },
  { name: '0032-sent-code', sql: sentCode },
  { name: '0033-near-words', sql: nearWords },
  { name: '0034-user-tokens', sql: userTokens },
  { name: '0035-changes', sql: changes },
  { name: '0036-channels', sql: channels },
  { name: '0037-identities', sql: identities },
  { name: '0038-converting', sql: converting },
]
