/** Tests how V8 represents the classes of the database client, with a function that exists only if a flag is set. */
import { setFlagsFromString } from 'node:v8'
import { expect, it } from 'vitest'
import { connect } from '../../../../server/data/store/connection.ts'
import { prepareClassOf } from '../../../../server/data/store/prepare-class.ts'
import { testServer } from '../../../support/database.ts'

setFlagsFromString('--allow-natives-syntax')
const hasFixedShape = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean

/** Returns a class like those of the client. */
function accessorClass() {
  return class Listed extends Array<number> {
    static override get [Symbol.species](): ArrayConstructor {
      return Array
    }
  }
}

it('gives a class with a computed static accessor a fixed shape, and leaves what it does', () => {
  const Listed = accessorClass()
  expect(hasFixedShape(Listed)).toBe(false)
  const one = new Listed()
  prepareClassOf(one)
  expect(hasFixedShape(Listed)).toBe(true)
  one.push(1, 2)
  expect([one.length, one instanceof Listed, one.map((each) => each + 1).constructor]).toEqual([2, true, Array])
})

it('leaves objects without a class alone', () => {
  expect(() => prepareClassOf(Object.create(null) as object)).not.toThrow()
  expect(() => prepareClassOf({ constructor: 1 })).not.toThrow()
})

it('the queries and the results of a connected client have a fixed shape', async () => {
  const sql = await connect(await testServer(), 'DATABASE_URL', { pool: 1, name: 'tests' })
  try {
    const asking = sql`select 1`
    expect(hasFixedShape(asking.constructor)).toBe(true)
    expect(hasFixedShape((await asking).constructor)).toBe(true)
  } finally {
    await sql.end()
  }
})
