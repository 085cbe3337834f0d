/** Connection settings of the queue's engine, which uses another database client. */
import type { Sql } from 'postgres'
import { readDatabaseUrl } from '../store/database-url.ts'

/** Options of `pg`. */
interface PgConfig {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password?: string
  readonly ssl: false | { readonly rejectUnauthorized: boolean } | object
  readonly application_name: string
  readonly keepAlive: boolean
}

/**
 * Converts the URL of the database.
 * @param sql a client of the same database: when the URL leaves encryption to the server, the engine encrypts if this
 * client does
 * @throws StartError, and the client's errors
 */
export async function pgConfig(databaseUrl: string, sql: Sql): Promise<PgConfig> {
  const { host, port, database, user, password, ssl } = readDatabaseUrl(databaseUrl, 'DATABASE_URL')
  return {
    host,
    port,
    database,
    user,
    ...(password === '' ? {} : { password }),
    ssl:
      ssl === 'require' || (ssl === 'prefer' && (await isEncrypted(sql))) ? { rejectUnauthorized: false } : plain(ssl),
    application_name: 'ingot jobs',
    keepAlive: true,
  }
}

function plain(ssl: false | 'prefer' | 'require' | object): false | object {
  return typeof ssl === 'object' ? ssl : false
}

async function isEncrypted(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  return row?.ssl === true
}
