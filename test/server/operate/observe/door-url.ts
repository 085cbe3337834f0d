/** The URL of a database through a door, for tests of observed programs. */
import type { Door } from '../../web/graphql/door.ts'

/** Returns the URL of the database through a door. */
export function urlOfDoor({ address: { user, password, host, port, database } }: Door): string {
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`
}
