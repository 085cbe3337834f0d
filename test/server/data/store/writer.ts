/** A program for `crash.test.ts`: opens the database of a data folder and writes until it is killed. It prints acknowledged writes. */
import { writeSync } from 'node:fs'
import { connect } from '../../../../server/data/store/connection.ts'
import { migrate } from '../../../../server/data/store/migrate.ts'
import { openEmbedded } from '../../../../server/data/store/postgres/embedded.ts'

const say = (_fields: object, message: string): void => void writeSync(2, `${message}\n`)
const { url } = await openEmbedded(process.argv[2] ?? '', { info: say, warn: say, error: say })
const sql = await connect(url, 'DATABASE_URL', { pool: 10, name: 'ingot writer' })
await migrate(sql)
const run = process.argv[3] ?? ''
let next = 0
await Promise.all(
  Array.from({ length: 8 }, async (_, writer) => {
    for (;;) {
      const name = `${run}-${next++}`
      try {
        if (writer < 4) await sql`insert into ingot.constants (name, value) values (${name}, 'x')`
        else {
          await sql.begin(async (transaction) => {
            await transaction`insert into ingot.constants (name, value) values (${name}, 'x')`
            await transaction`insert into ingot.constants (name, value) values (${`${name}-second`}, 'x')`
          })
          writeSync(1, `${name}-second\n`)
        }
        // Prints with a single synchronous write, so that no line of an acknowledged write is lost if the process is killed.
        writeSync(1, `${name}\n`)
      } catch (error) {
        writeSync(2, `failed: ${error instanceof Error ? error.message : error}\n`)
        await new Promise((done) => setTimeout(done, 50))
      }
    }
  }),
)
