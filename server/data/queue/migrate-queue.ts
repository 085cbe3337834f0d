/** Migrates the tables of the queue's engine to its newest version. */
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Sql } from 'postgres'
import { pgConfig } from './pg-config.ts'
import { quietLogger } from './quiet-logger.ts'

/**
 * Runs the missing migrations.
 * @param sql a client of a database that has Ingot's own tables
 * @throws the clients' errors
 */
export async function migrateQueue(databaseUrl: string, sql: Sql): Promise<void> {
  const pool = new pg.Pool({ ...(await pgConfig(databaseUrl, sql)), max: 2 })
  pool.on('error', () => undefined)
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  try {
    await runMigrations({ pgPool: pool, logger: quietLogger(() => undefined) })
  } finally {
    await pool.end()
  }
}
