/** Bringing a database to the tables of this version. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../../server/store/migrate.ts'
import { migrations } from '../../../server/store/migrations/index.ts'
import { connect } from '../../../server/store/connection.ts'
import { type TestDatabase, testDatabase } from '../../database.ts'

describe('migrations', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.close())

  it('run once each when twenty servers start at once', async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => connect(database.url, 'DATABASE_URL', { pool: 1, name: 'tests' })),
    )
    await Promise.all(clients.map((sql) => migrate(sql)))
    await Promise.all(clients.map((sql) => sql.end()))
    const rows = await database.sql`select number, name from ingot.migrations order by number`
    expect(rows.map(({ number, name }) => [number, name])).toEqual(migrations.map(({ name }, at) => [at + 1, name]))
  })
})
